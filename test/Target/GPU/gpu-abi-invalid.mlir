// What a GPU's calling convention cannot take.
//
// RUN: labgen-opt %s --split-input-file --verify-diagnostics --lab-gpu-abi

// expected-error @+1 {{takes a range of work units, as CPU kernels do; leave it out for a GPU}}
func.func @range(%x: memref<4xf32>, %begin: index, %end: index) {
  return
}

// -----

// expected-error @+1 {{argument 0 must be a contiguous memref of static shape, got 'memref<?xf32>'}}
func.func @dynamic(%x: memref<?xf32>) {
  return
}

// -----

func.func @too_many(%x: memref<64xf32>) {
  scf.forall (%i) in (1) {
    // expected-error @+1 {{schedule lets 32 threads share a tile, its blocks have 8}}
    scf.forall (%t) in (1) {
    } {lab.threads = 32 : i64, mapping = [#gpu.thread<linear_dim_0>]}
  } {lab.phase = 0 : i64, lab.threads = 8 : i64, mapping = [#gpu.block<linear_dim_0>]}
  return
}
