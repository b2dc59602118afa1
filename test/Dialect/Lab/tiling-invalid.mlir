// Tiles that upstream's transform ops would make, and a lab op refuses.
// RUN: labgen-opt %s --split-input-file --transform-interpreter --verify-diagnostics

func.func @off_group(%x: memref<64x256xf32>, %q: memref<64x256xi8>, %s: memref<64x8xf32>) {
  // expected-error @+4 {{'lab.quantize' op tile does not start on a group: offsets along dimension 1 must be multiples of 32}}
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-note @+1 {{when applied to this op}}
  lab.quantize %x -> %q, %s group = 32 : memref<64x256xf32> -> memref<64x256xi8>, memref<64x8xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.quantize"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{transform.structured.tile_using_forall failed to apply}}
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [8, 100]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @off_group_for(%x: memref<64x256xf32>, %q: memref<64x256xi8>, %s: memref<64x8xf32>) {
  // expected-error @+3 {{'lab.quantize' op tile does not start on a group: offsets along dimension 1 must be multiples of 32}}
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  lab.quantize %x -> %q, %s group = 32 : memref<64x256xf32> -> memref<64x256xi8>, memref<64x8xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.quantize"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 48]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @off_group_threads(%x: memref<64x224xf32>, %q: memref<64x224xi8>, %s: memref<64x7xf32>) {
  // expected-error @+4 {{'lab.quantize' op tile does not start on a group: offsets along dimension 1 must be multiples of 32}}
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-note @+1 {{when applied to this op}}
  lab.quantize %x -> %q, %s group = 32 : memref<64x224xf32> -> memref<64x224xi8>, memref<64x7xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.quantize"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{transform.structured.tile_using_forall failed to apply}}
    %tile, %loop = transform.structured.tile_using_forall %op num_threads [0, 3]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @cut_channel(%x: memref<64x256xf32>, %q: memref<64x256xi8>, %s: memref<64x1xf32>) {
  // expected-error @+4 {{'lab.quantize' op dimension 1 cannot be tiled: its group spans it; leave its tile 0}}
  // expected-error @+3 {{to tile operation}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-note @+1 {{when applied to this op}}
  lab.quantize %x -> %q, %s group = channel : memref<64x256xf32> -> memref<64x256xi8>, memref<64x1xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.quantize"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{transform.structured.tile_using_forall failed to apply}}
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [8, 128]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @cut_sum(%x: memref<256xf32>, %r: memref<f32>) {
  // expected-error @+3 {{'lab.reduce' op dimension 0 cannot be tiled: its group spans it; leave its tile 0}}
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  lab.reduce sum blocked %x -> %r block = 16 : memref<256xf32> -> memref<f32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [64]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @off_byte(%q: memref<8x8xi8>, %s: memref<8x1xf32>, %y: memref<8x16xf32>) {
  // expected-error @+3 {{'lab.dequantize' op tile does not start on a group: offsets along dimension 1 must be multiples of 2}}
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  lab.dequantize %q, %s -> %y group = channel {code = i4} : memref<8x8xi8>, memref<8x1xf32> -> memref<8x16xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.dequantize"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 5]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @overwrite(%a: memref<64x96xf32>, %b: memref<48x96xf32>, %c: memref<64x48xf32>) {
  // expected-error @+3 {{'lab.gemm' op overwrites c, so a tile at a variable k needs `accumulate`: split off the first k tile}}
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  lab.gemm %a, %b -> %c : memref<64x96xf32>, memref<48x96xf32> -> memref<64x48xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.gemm"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @half_a_byte_of_zero_points(%q: memref<8x16xi8>, %s: memref<8x2xf32>, %z: memref<8x1xi8>,
                                      %y: memref<8x32xf32>) {
  // expected-error @+3 {{'lab.dequantize' op tile does not start on a group: offsets along dimension 1 must be multiples of 32}}
  // expected-error @+2 {{to tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  lab.dequantize %q, %s -> %y zero(%z : memref<8x1xi8>) group = 16 {code = i4} : memref<8x16xi8>, memref<8x2xf32> -> memref<8x32xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.dequantize"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
