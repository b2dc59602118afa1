// RUN: labgen-opt %s --split-input-file --verify-diagnostics

func.func @rows(%x: memref<4x8xf32>, %y: memref<3x8xf32>) {
  // expected-error @+1 {{'lab.softmax' op rows of y is 3, expected 4 (as many as x)}}
  lab.softmax %x -> %y : memref<4x8xf32> -> memref<3x8xf32>
  return
}

// -----

func.func @columns(%x: memref<4x8xf32>, %y: memref<4x8xi8>) {
  // expected-error @+1 {{'lab.softmax' op columns of y is 8, expected 4 (8 elements of 4 bits)}}
  lab.softmax %x -> %y {out = f4E2M1FN} : memref<4x8xf32> -> memref<4x8xi8>
  return
}

// -----

func.func @count(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{'lab.softmax' op count goes with an x and a y that are both packed, got 'f32' and 'f32'; drop it}}
  lab.softmax %x -> %y {count = 8} : memref<4x8xf32> -> memref<4x8xf32>
  return
}

// -----

func.func @double(%x: memref<4x8xf64>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{'lab.softmax' op operand #0 must be 2D memref of f32, bf16, f16 or i8 (bytes of packed codes) values, but got 'memref<4x8xf64>'}}
  lab.softmax %x -> %y : memref<4x8xf64> -> memref<4x8xf32>
  return
}

// -----

func.func @integer(%x: memref<4x8xf32>, %y: memref<4x8xi8>) {
  // expected-error @+1 {{'lab.softmax' op out=i8 is not a type of softmax's out; use}}
  lab.softmax %x -> %y : memref<4x8xf32> -> memref<4x8xi8>
  return
}
