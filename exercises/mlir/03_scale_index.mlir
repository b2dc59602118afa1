// Drill 3: a scale index off by a group.
//
//   dequantize:m=4,k=192,in=i8,out=f32,group=48,scale=f32
//
// as somebody wrote it by hand for a CPU: rows are work units, K is walked in
// tiles of 64 codes and these in vectors of 16. It was tested with groups of 32
// and of 64 and was right. With groups of 48 some values come out with the
// scale of another group. One line is wrong.
//
// a. Which k are wrong, and which group's scale do they get?
// b. Why did groups of 32 and 64 show nothing?
func.func @dequantize(%q: memref<4x192xi8>, %scale: memref<4x4xf32>,
                      %y: memref<4x192xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  scf.forall (%row) in (4) {
    scf.for %tile = %c0 to %c192 step %c64 {
      scf.for %i = %c0 to %c64 step %c16 {
        %k = arith.addi %tile, %i : index
        %group = affine.apply affine_map<(t, i) -> (t floordiv 48 + i floordiv 48)>(%tile, %i)
        %s = memref.load %scale[%row, %group] : memref<4x4xf32>
        %codes = vector.load %q[%row, %k] : memref<4x192xi8>, vector<16xi8>
        %wide = arith.extsi %codes : vector<16xi8> to vector<16xi32>
        %values = arith.sitofp %wide : vector<16xi32> to vector<16xf32>
        %scales = vector.broadcast %s : f32 to vector<16xf32>
        %products = arith.mulf %values, %scales : vector<16xf32>
        vector.store %products, %y[%row, %k] : memref<4x192xf32>, vector<16xf32>
      }
    }
  } {lab.phase = 0, mapping = [#gpu.block<linear_dim_0>]}
  return
}
