// Sums in their four orders, on values where the order shows.
//
// 1, then t = 2^-24 a hundred and twenty-eight times; 1 + t is a tie that goes
// back to 1, and 2 t are one unit in the last place of 1:
//   sequential  every t is lost: 1
//   blocked     two are lost (element 128 in accumulator 0, then accumulator 64
//               in the first fold), 126 are added in the other folds: 63 units
//   pairwise    runs of 4: three are lost in the first, the last run of one t
//               meets 1 + 62 units: a tie, to the even 62
//   compensated nothing is lost: 64 units
// DEFINE: %{bytes} = 32
// DEFINE: %{run} = labgen-opt %s --labgen-cpu="cpu=x86-64-v3 vector-bytes=%{bytes} stop-after=vector" %lower | %runner | FileCheck %s
// RUN: %{run}
// REDEFINE: %{bytes} = 16
// RUN: %{run}
// REDEFINE: %{bytes} = 64
// RUN: %{run}
memref.global "private" constant @nan : memref<3xf32> = dense<[1.0, 0x7FC00000, 2.0]>
memref.global "private" constant @zeros : memref<2xf32> = dense<[-0.0, 0.0]>

func.func private @bits(%r: memref<f32>) {
  %v = memref.load %r[] : memref<f32>
  %i = arith.bitcast %v : f32 to i32
  vector.print %i : i32
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %tiny = arith.constant dense<0x33800000> : vector<129xf32>
  %one = arith.constant dense<1.0> : vector<1xf32>
  %x = memref.alloc() : memref<129xf32>
  vector.store %tiny, %x[%c0] : memref<129xf32>, vector<129xf32>
  vector.store %one, %x[%c0] : memref<129xf32>, vector<1xf32>
  %ones = memref.alloc() : memref<129xf32>
  %splat = arith.constant dense<1.0> : vector<129xf32>
  vector.store %splat, %ones[%c0] : memref<129xf32>, vector<129xf32>
  %r = memref.alloc() : memref<f32>

  // 1.0
  // CHECK: 1065353216
  lab.reduce sum sequential %x -> %r block = 16384 : memref<129xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  // CHECK-NEXT: 1065353279
  lab.reduce sum blocked %x -> %r block = 16384 : memref<129xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  // CHECK-NEXT: 1065353278
  lab.reduce sum pairwise %x -> %r block = 4 : memref<129xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  // CHECK-NEXT: 1065353280
  lab.reduce sum compensated %x -> %r block = 16384 : memref<129xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()

  // dot with ones is the same sum: an exact product is added as it is.
  // CHECK-NEXT: 1065353216
  lab.reduce dot sequential %x, %ones -> %r block = 16384 : memref<129xf32>, memref<129xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  // CHECK-NEXT: 1065353279
  lab.reduce dot blocked %x, %ones -> %r block = 16384 : memref<129xf32>, memref<129xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  // CHECK-NEXT: 1065353278
  lab.reduce dot pairwise %x, %ones -> %r block = 4 : memref<129xf32>, memref<129xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  // CHECK-NEXT: 1065353280
  lab.reduce dot compensated %x, %ones -> %r block = 16384 : memref<129xf32>, memref<129xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  // 129
  // CHECK-NEXT: 1124139008
  lab.reduce sumsq blocked %ones -> %r block = 16384 : memref<129xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()

  // max and absmax: NaN wins, -0 is below +0, nothing gives -Inf and 0.
  %nan = memref.get_global @nan : memref<3xf32>
  // CHECK-NEXT: 2143289344
  lab.reduce max blocked %nan -> %r block = 16384 : memref<3xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  // CHECK-NEXT: 2143289344
  lab.reduce absmax blocked %nan -> %r block = 16384 : memref<3xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  %zeros = memref.get_global @zeros : memref<2xf32>
  // CHECK-NEXT: {{^}}0{{$}}
  lab.reduce max blocked %zeros -> %r block = 16384 : memref<2xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  %none = memref.alloc() : memref<0xf32>
  // CHECK-NEXT: -8388608
  lab.reduce max blocked %none -> %r block = 16384 : memref<0xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  lab.reduce sum blocked %none -> %r block = 16384 : memref<0xf32> -> memref<f32>
  call @bits(%r) : (memref<f32>) -> ()
  return
}
