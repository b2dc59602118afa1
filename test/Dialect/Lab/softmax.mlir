// RUN: labgen-opt %s | labgen-opt | FileCheck %s

// CHECK-LABEL: func @plain
func.func @plain(%x: memref<4x1000xf32>, %y: memref<4x1000xbf16>) {
  // CHECK: lab.softmax %{{.*}} -> %{{.*}} : memref<4x1000xf32> -> memref<4x1000xbf16>
  lab.softmax %x -> %y : memref<4x1000xf32> -> memref<4x1000xbf16>
  return
}

// Codes on both sides: three elements of four bits fill two bytes, and so do
// four.
// CHECK-LABEL: func @packed
func.func @packed(%x: memref<4x2xi8>, %y: memref<?x2xi8>) {
  %c = memref.cast %y : memref<?x2xi8> to memref<4x2xi8>
  // CHECK: lab.softmax %{{.*}} -> %{{.*}} {count = 3 : i64, in = f4E2M1FN, out = f4E2M1FN, shift = false}
  lab.softmax %x -> %c {count = 3, in = f4E2M1FN, out = f4E2M1FN, shift = false} : memref<4x2xi8> -> memref<4x2xi8>
  return
}

// CHECK-LABEL: func @dynamic
func.func @dynamic(%x: memref<?x?xf16>, %y: memref<?x?xi8>) {
  // CHECK: lab.softmax %{{.*}} -> %{{.*}} {out = f8E4M3FN}
  lab.softmax %x -> %y {out = f8E4M3FN} : memref<?x?xf16> -> memref<?x?xi8>
  return
}
