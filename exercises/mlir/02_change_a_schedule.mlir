// Drill 2: read a schedule, then change it.
//
// A GPU reads memory in sectors of 32 bytes, and the lanes of a warp load
// together: what a load costs is the number of sectors its lanes touch. Here
// neighbouring threads are far apart, and every sector is fetched twice.
//
// a. How many blocks does this kernel have, and how many elements does a thread
//    take?
// b. labgen compile axpy:n=65536,type=f32 --target nvvm:sm_90a --stop-after
//    tiled --schedule 'block [8192] threads 128, thread [64]' shows the loops.
//    How far apart are the elements that threads 0 and 1 load first?
// c. What must a thread's tile be for a load of 16 bytes, and what walks
//    through the rest of the block's tile?
//
// Change the schedule alone. Keep 8 blocks of 128 threads, all of which have
// the same work to do.
func.func @axpy(%alpha: memref<f32>, %x: memref<65536xf32>,
                %y: memref<65536xf32>) {
  lab.axpy %alpha, %x, %y {schedule = #lab.schedule<
      block [8192] threads 128, thread [64]>}
      : memref<f32>, memref<65536xf32>, memref<65536xf32>
  return
}
