// Drill 4: a missing barrier.
//
//   dequantize:m=8,k=512,in=i8,out=f32,group=32,scale=f32
//
// by hand for a GPU: a block of 128 threads takes four rows, one after the
// other. The first 16 threads fetch the row's 16 scales into shared memory,
// then each thread turns four codes into values. It was right in every test
// with one row a block. With four, it is right on some runs.
//
// a. Between which two accesses of which threads is there no order?
// b. Why can one row a block not show it?
// c. Why is more than one barrier needed per row, and what would make do with
//    one? (Not here: there is a single buffer.)
func.func @dequantize(%q: memref<8x512xi8>, %scale: memref<8x16xf32>,
                      %y: memref<8x512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.forall (%block) in (2) {
    %shared = memref.alloca() : memref<16xf32, #gpu.address_space<workgroup>>
    %thread = gpu.thread_id x
    %fetches = arith.cmpi ult, %thread, %c16 : index
    %k = arith.muli %thread, %c4 : index
    %group = arith.divui %thread, %c8 : index
    %first = arith.muli %block, %c4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %row = arith.addi %first, %i : index
      scf.if %fetches {
        %fetched = memref.load %scale[%row, %thread] : memref<8x16xf32>
        memref.store %fetched, %shared[%thread] : memref<16xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %s = memref.load %shared[%group] : memref<16xf32, #gpu.address_space<workgroup>>
      %codes = vector.load %q[%row, %k] : memref<8x512xi8>, vector<4xi8>
      %wide = arith.extsi %codes : vector<4xi8> to vector<4xi32>
      %values = arith.sitofp %wide : vector<4xi32> to vector<4xf32>
      %scales = vector.broadcast %s : f32 to vector<4xf32>
      %products = arith.mulf %values, %scales : vector<4xf32>
      vector.store %products, %y[%row, %k] : memref<8x512xf32>, vector<4xf32>
      gpu.barrier
    }
  } {lab.phase = 0, lab.threads = 128, mapping = [#gpu.block<linear_dim_0>]}
  return
}
