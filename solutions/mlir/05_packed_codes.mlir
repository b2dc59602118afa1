// Drill 5: two codes in a byte.
//
//   dequantize:m=4,k=64,in=i4,out=f32,group=32,scale=f32
//
// by hand for a CPU: 16 bytes hold 32 codes, the even ones in the low nibbles.
// Both halves are taken apart, put in order again and scaled. It was right for
// every weight of one sign. One line is wrong.
//
// a. Which codes are wrong, and by how much?
// b. What would a test whose codes are drawn from 0..7 have said?
// c. How would you take the nibbles apart if the codes were u4?
func.func @dequantize(%q: memref<4x32xi8>, %scale: memref<4x2xf32>,
                      %y: memref<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %four = arith.constant dense<4> : vector<16xi8>
  scf.forall (%row) in (4) {
    scf.for %group = %c0 to %c2 step %c1 {
      %k = arith.muli %group, %c32 : index
      %byte = arith.muli %group, %c16 : index
      %bytes = vector.load %q[%row, %byte] : memref<4x32xi8>, vector<16xi8>
      %up = arith.shli %bytes, %four : vector<16xi8>
      %even = arith.shrsi %up, %four : vector<16xi8>
      %odd = arith.shrsi %bytes, %four : vector<16xi8>
      %codes = vector.interleave %even, %odd : vector<16xi8> -> vector<32xi8>
      %wide = arith.extsi %codes : vector<32xi8> to vector<32xi32>
      %values = arith.sitofp %wide : vector<32xi32> to vector<32xf32>
      %s = memref.load %scale[%row, %group] : memref<4x2xf32>
      %scales = vector.broadcast %s : f32 to vector<32xf32>
      %products = arith.mulf %values, %scales : vector<32xf32>
      vector.store %products, %y[%row, %k] : memref<4x64xf32>, vector<32xf32>
    }
  } {lab.phase = 0, mapping = [#gpu.block<linear_dim_0>]}
  return
}
