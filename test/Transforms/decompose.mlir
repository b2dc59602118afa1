// Labs that need several launches become one op a launch, with workspaces
// between them; everything else stays as it is.
// RUN: labgen-opt %s --lab-decompose | FileCheck %s

// Three runs of 16384; the results of the runs are reduced by the same rule.
// CHECK-LABEL: func @sum_blocked(
// CHECK-SAME: %[[X:.*]]: memref<40000xbf16>, %[[R:.*]]: memref<f32>
func.func @sum_blocked(%x: memref<40000xbf16>, %r: memref<f32>) {
  // CHECK-NEXT: %[[W:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
  // CHECK-NEXT: lab.reduce sum blocked %[[X]] -> %[[W]] block = 16384 span = 16384
  // CHECK-NEXT: lab.reduce sum blocked %[[W]] -> %[[R]] block = 16384 : memref<3xf32> -> memref<f32>
  // CHECK-NEXT: return
  lab.reduce sum blocked %x -> %r block = 16384 : memref<40000xbf16> -> memref<f32>
  return
}

// Levels until one result is left; products only at the first.
// CHECK-LABEL: func @dot_levels(
// CHECK-SAME: %[[X:.*]]: memref<1000xf64>, %[[Y:.*]]: memref<1000xf64>, %[[R:.*]]: memref<f64>
func.func @dot_levels(%x: memref<1000xf64>, %y: memref<1000xf64>, %r: memref<f64>) {
  // CHECK: %[[W0:.*]] = memref.alloc() {{.*}} : memref<100xf64>
  // CHECK: lab.reduce dot compensated %[[X]], %[[Y]] -> %[[W0]] block = 10 span = 10
  // CHECK: %[[W1:.*]] = memref.alloc() {{.*}} : memref<10xf64>
  // CHECK: lab.reduce sum compensated %[[W0]] -> %[[W1]] block = 10 span = 10
  // CHECK: lab.reduce sum compensated %[[W1]] -> %[[R]] block = 10 : memref<10xf64> -> memref<f64>
  lab.reduce dot compensated %x, %y -> %r block = 10 : memref<1000xf64>, memref<1000xf64> -> memref<f64>
  return
}

// A partial result of a pairwise sum is a subtree of 128 runs; nodes of the
// tree are then added as they are (block = 1).
// CHECK-LABEL: func @pairwise(
func.func @pairwise(%x: memref<40000xf32>, %r: memref<f32>) {
  // CHECK: memref.alloc() {{.*}} : memref<3xf32>
  // CHECK: lab.reduce sumsq pairwise {{.*}} block = 128 span = 16384 : memref<40000xf32> -> memref<3xf32>
  // CHECK: lab.reduce sum pairwise {{.*}} block = 1 : memref<3xf32> -> memref<f32>
  lab.reduce sumsq pairwise %x -> %r block = 128 : memref<40000xf32> -> memref<f32>
  return
}

// max has no order to keep: spans of their own, whatever block says.
// CHECK-LABEL: func @absmax(
func.func @absmax(%x: memref<40000xf16>, %r: memref<f32>) {
  // CHECK: lab.reduce absmax blocked {{.*}} block = 16384 span = 16384 : memref<40000xf16> -> memref<3xf32>
  // CHECK: lab.reduce absmax blocked {{.*}} : memref<3xf32> -> memref<f32>
  lab.reduce absmax blocked %x -> %r block = 7 : memref<40000xf16> -> memref<f32>
  return
}

// One launch is enough: in order, short, empty, or partial already.
// CHECK-LABEL: func @one_launch(
// CHECK-NOT: memref.alloc
func.func @one_launch(%x: memref<40000xf32>, %r: memref<f32>, %s: memref<16384xf32>,
                      %e: memref<0xf32>, %w: memref<3xf32>) {
  // CHECK: lab.reduce sum sequential {{.*}} : memref<40000xf32> -> memref<f32>
  lab.reduce sum sequential %x -> %r block = 16384 : memref<40000xf32> -> memref<f32>
  // CHECK: lab.reduce sum blocked {{.*}} : memref<16384xf32> -> memref<f32>
  lab.reduce sum blocked %s -> %r block = 16384 : memref<16384xf32> -> memref<f32>
  // CHECK: lab.reduce max blocked {{.*}} : memref<0xf32> -> memref<f32>
  lab.reduce max blocked %e -> %r block = 16384 : memref<0xf32> -> memref<f32>
  // CHECK: lab.reduce sum blocked {{.*}} : memref<40000xf32> -> memref<3xf32>
  lab.reduce sum blocked %x -> %w block = 16384 : memref<40000xf32> -> memref<3xf32>
  return
}

// absmax of all, the scale of a one-row matrix of partial maxima, codes.
// CHECK-LABEL: func @quantize_tensor(
// CHECK-SAME: %[[X:.*]]: memref<200x100xf32>, %[[Q:.*]]: memref<200x50xi8>, %[[S:.*]]: memref<1x1xf32>
func.func @quantize_tensor(%x: memref<200x100xf32>, %q: memref<200x50xi8>, %s: memref<1x1xf32>) {
  // CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[X]] {{\[}}[0, 1]] : memref<200x100xf32> into memref<20000xf32>
  // CHECK: %[[ROW:.*]] = memref.alloc() {{.*}} : memref<1x2xf32>
  // CHECK: %[[W:.*]] = memref.reinterpret_cast %[[ROW]] {{.*}} to memref<2xf32
  // CHECK: lab.reduce absmax blocked %[[FLAT]] -> %[[W]] block = 16384 span = 16384
  // CHECK: lab.quantize %[[ROW]] -> %{{.*}}, %[[S]] group = channel {code = i4, {{.*}}range = #lab.range<full>
  // CHECK: lab.encode %[[X]], %[[S]] -> %[[Q]] {code = i4, {{.*}}range = #lab.range<full>
  lab.quantize %x -> %q, %s group = tensor {code = i4, range = #lab.range<full>}
      : memref<200x100xf32> -> memref<200x50xi8>, memref<1x1xf32>
  return
}

// Codes from the scale before it is rounded need that scale as well, and the
// stored one, which may have become 0.
// CHECK-LABEL: func @quantize_unrounded(
// CHECK-SAME: %[[X:.*]]: memref<4x8xf32>, %[[Q:.*]]: memref<4x8xi8>, %[[S:.*]]: memref<1x1xf16>
func.func @quantize_unrounded(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<1x1xf16>) {
  // CHECK: lab.quantize %{{.*}} -> %{{.*}}, %[[S]] group = channel
  // CHECK: %[[D:.*]] = memref.alloc() {{.*}} : memref<1x1xf32>
  // CHECK: lab.quantize %{{.*}} -> %{{.*}}, %[[D]] group = channel
  // CHECK: lab.encode %[[X]], %[[S]] divisor(%[[D]] : memref<1x1xf32>) -> %[[Q]]
  lab.quantize %x -> %q, %s group = tensor {divisor = #lab.divisor<unrounded>}
      : memref<4x8xf32> -> memref<4x8xi8>, memref<1x1xf16>
  return
}

// Both extremes stand in the row that makes scale and zero point.
// CHECK-LABEL: func @quantize_asymmetric(
// CHECK-SAME: %[[X:.*]]: memref<200x100xf32>, %[[Q:.*]]: memref<200x50xi8>, %[[S:.*]]: memref<1x1xf32>, %[[Z:.*]]: memref<1x1xi8>
func.func @quantize_asymmetric(%x: memref<200x100xf32>, %q: memref<200x50xi8>, %s: memref<1x1xf32>,
                               %z: memref<1x1xi8>) {
  // CHECK: %[[ROW:.*]] = memref.alloc() {{.*}} : memref<1x4xf32>
  // CHECK: %[[LOW:.*]] = memref.reinterpret_cast %[[ROW]] to offset: [0], sizes: [2]
  // CHECK: lab.reduce min blocked %{{.*}} -> %[[LOW]] block = 16384 span = 16384
  // CHECK: %[[HIGH:.*]] = memref.reinterpret_cast %[[ROW]] to offset: [2], sizes: [2]
  // CHECK: lab.reduce max blocked %{{.*}} -> %[[HIGH]] block = 16384 span = 16384
  // CHECK: lab.quantize %[[ROW]] -> %{{.*}}, %[[S]] zero(%[[Z]] : memref<1x1xi8>) group = channel {code = ui4}
  // CHECK: lab.encode %[[X]], %[[S]] zero(%[[Z]] : memref<1x1xi8>) -> %[[Q]] {code = ui4}
  lab.quantize %x -> %q, %s zero(%z : memref<1x1xi8>) group = tensor {code = ui4}
      : memref<200x100xf32> -> memref<200x50xi8>, memref<1x1xf32>
  return
}

// The least of no elements would be Inf; their absmax is 0.
// CHECK-LABEL: func @quantize_empty(
func.func @quantize_empty(%x: memref<0x8xf32>, %q: memref<0x8xi8>, %s: memref<1x1xf32>,
                          %z: memref<1x1xi8>) {
  // CHECK-NOT: lab.reduce m
  // CHECK: lab.reduce absmax
  lab.quantize %x -> %q, %s zero(%z : memref<1x1xi8>) group = tensor
      : memref<0x8xf32> -> memref<0x8xi8>, memref<1x1xf32>
  return
}

// The global scale first, then the one that is relative to it.
// CHECK-LABEL: func @quantize_tensor_global(
// CHECK-SAME: %[[X:.*]]: memref<4x8xf32>, %[[Q:.*]]: memref<4x4xi8>, %[[S:.*]]: memref<1x1xi8>, %[[G:.*]]: memref<1xf32>
func.func @quantize_tensor_global(%x: memref<4x8xf32>, %q: memref<4x4xi8>, %s: memref<1x1xi8>,
                                  %g: memref<1xf32>) {
  // CHECK: lab.reduce finite_absmax {{.*}} {divisor = 2.688000e+03 : f32}
  // CHECK: lab.reduce absmax
  // CHECK: lab.quantize %{{.*}} -> %{{.*}}, %[[S]] global(%[[G]] : memref<1xf32>) group = channel {{.*}}global_known
  // CHECK: lab.encode %[[X]], %[[S]] global(%[[G]] : memref<1xf32>) -> %[[Q]] {code = f4E2M1FN, scale_type = f8E4M3FN}
  lab.quantize %x -> %q, %s global(%g : memref<1xf32>) group = tensor
      {code = f4E2M1FN, scale_type = f8E4M3FN}
      : memref<4x8xf32> -> memref<4x4xi8>, memref<1x1xi8>
  return
}

// CHECK-LABEL: func @quantize_group(
// CHECK-NEXT: lab.quantize
// CHECK-NEXT: return
func.func @quantize_group(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf16>) {
  lab.quantize %x -> %q, %s group = 8 : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf16>
  return
}

// A gemm that quantizes A: codes and f32 scales of A with B's groups, then a
// gemm on codes.
// CHECK-LABEL: func @gemm_i8(
// CHECK-SAME: %[[A:.*]]: memref<2x40xbf16>, %[[B:.*]]: memref<3x20xi8>, %[[S:.*]]: memref<3x2xf16>, %[[C:.*]]: memref<2x3xf32>
func.func @gemm_i8(%a: memref<2x40xbf16>, %b: memref<3x20xi8>, %s: memref<3x2xf16>, %c: memref<2x3xf32>) {
  // CHECK: %[[QA:.*]] = memref.alloc() {{.*}} : memref<2x40xi8>
  // CHECK: %[[SA:.*]] = memref.alloc() {{.*}} : memref<2x2xf32>
  // CHECK: lab.quantize %[[A]] -> %[[QA]], %[[SA]] group = 32 : memref<2x40xbf16> -> memref<2x40xi8>, memref<2x2xf32>
  // CHECK: lab.gemm %[[QA]], %[[B]] a_scale(%[[SA]] : memref<2x2xf32>) b_scale(%[[S]] : memref<3x2xf16>) -> %[[C]] group = 32 {accumulate, code = i4, compute = i8}
  lab.gemm %a, %b b_scale(%s : memref<3x2xf16>) -> %c group = 32 {accumulate, code = i4, compute = i8}
      : memref<2x40xbf16>, memref<3x20xi8> -> memref<2x3xf32>
  return
}

// One scale for all of A: that quantize is decomposed in turn.
// CHECK-LABEL: func @gemm_i8_tensor(
// CHECK: lab.reduce absmax
// CHECK: lab.quantize {{.*}} group = channel
// CHECK: lab.encode
// CHECK: lab.gemm {{.*}} a_scale(%{{.*}} : memref<1x1xf32>)
func.func @gemm_i8_tensor(%a: memref<2x40xf32>, %b: memref<3x40xi8>, %s: memref<1x1xf32>, %c: memref<2x3xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<1x1xf32>) -> %c group = tensor {compute = i8}
      : memref<2x40xf32>, memref<3x40xi8> -> memref<2x3xf32>
  return
}

// A schedule goes to the op that moves the data.
// CHECK-LABEL: func @schedules(
func.func @schedules(%x: memref<40000xf32>, %r: memref<f32>, %a: memref<2x40xf32>,
                     %b: memref<3x40xi8>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // CHECK: lab.reduce sum blocked {{.*}} {schedule = #lab.schedule<block [32768]>} : memref<40000xf32> -> memref<3xf32>
  // CHECK: lab.reduce sum blocked {{.*}} block = 16384 : memref<3xf32> -> memref<f32>
  lab.reduce sum blocked %x -> %r block = 16384 {schedule = #lab.schedule<block [32768]>}
      : memref<40000xf32> -> memref<f32>
  // CHECK: lab.quantize {{.*}} group = channel :
  // CHECK: lab.gemm {{.*}} schedule = #lab.schedule<block [1, 1, 0]>
  lab.gemm %a, %b b_scale(%s : memref<3x1xf32>) -> %c group = channel
      {compute = i8, schedule = #lab.schedule<block [1, 1, 0]>}
      : memref<2x40xf32>, memref<3x40xi8> -> memref<2x3xf32>
  return
}

// Ops inside loops are tiles; nothing can be launched from there.
// CHECK-LABEL: func @in_a_loop(
// CHECK-NOT: memref.alloc
func.func @in_a_loop(%x: memref<40000xf32>, %r: memref<f32>) {
  affine.for %i = 0 to 2 {
    lab.reduce sum blocked %x -> %r block = 16384 : memref<40000xf32> -> memref<f32>
  }
  return
}

// Zero points of B go on to the gemm on codes.
// CHECK-LABEL: func @gemm_i8_zero(
// CHECK-SAME: %[[Z:[^:]*]]: memref<3x1xi8>
func.func @gemm_i8_zero(%z: memref<3x1xi8>, %a: memref<2x40xf32>, %b: memref<3x20xi8>, %s: memref<3x2xf16>,
                        %c: memref<2x3xf32>) {
  // CHECK: lab.gemm {{.*}} b_zero(%[[Z]] : memref<3x1xi8>) -> %{{.*}} group = 32 {code = ui4, compute = i8}
  lab.gemm %a, %b b_scale(%s : memref<3x2xf16>) b_zero(%z : memref<3x1xi8>) -> %c group = 32
      {code = ui4, compute = i8} : memref<2x40xf32>, memref<3x20xi8> -> memref<2x3xf32>
  return
}

// A narrow C is summed in f32 and rounded once at the end.
// CHECK-LABEL: func @gemm_narrow(
// CHECK-SAME: %[[C:[^:]*]]: memref<2x3xbf16>
func.func @gemm_narrow(%c: memref<2x3xbf16>, %a: memref<2x8xf16>, %b: memref<3x8xf16>) {
  // CHECK: %[[W:.*]] = memref.alloc() {{.*}} : memref<2x3xf32>
  // CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[C]]
  // CHECK: %[[WIDE:.*]] = memref.collapse_shape %[[W]]
  // CHECK: lab.cast %[[FLAT]] -> %[[WIDE]] : memref<6xbf16> -> memref<6xf32>
  // CHECK: lab.gemm {{.*}} -> %[[W]] {accumulate}
  // CHECK: lab.cast %[[WIDE]] -> %[[FLAT]] : memref<6xf32> -> memref<6xbf16>
  lab.gemm %a, %b -> %c {accumulate} : memref<2x8xf16>, memref<3x8xf16> -> memref<2x3xbf16>
  return
}
