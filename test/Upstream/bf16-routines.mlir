// Casts of f64 and i32 to bf16 call library routines that older libgcc lacks;
// MLIR's own round f64 twice, and i32 goes through f32, which rounds as well.
// When this fails, docs/upstream.md has an entry to drop.
//
// RUN: mlir-opt %s --convert-to-llvm --reconcile-unrealized-casts -o %t
// RUN: mlir-runner %t -e narrowed --entry-point-result=i32 \
// RUN:   --shared-libs=%llvm_lib/libmlir_float16_utils.so | FileCheck %s --check-prefix=NARROWED
// RUN: mlir-runner %t -e counted --entry-point-result=i32 \
// RUN:   --shared-libs=%llvm_lib/libmlir_float16_utils.so | FileCheck %s --check-prefix=COUNTED
// RUN: mlir-translate --mlir-to-llvmir %t | llc -mtriple=x86_64-linux-gnu \
// RUN:   | FileCheck %s --check-prefix=ROUTINE

// ROUTINE-LABEL: from_f64:
// ROUTINE: __truncdfbf2
func.func @from_f64(%x: f64) -> i32 {
  %y = arith.truncf %x : f64 to bf16
  %bits = arith.bitcast %y : bf16 to i16
  %code = arith.extui %bits : i16 to i32
  return %code : i32
}

func.func @from_i32(%i: i32) -> i32 {
  %y = arith.sitofp %i : i32 to bf16
  %bits = arith.bitcast %y : bf16 to i16
  %code = arith.extui %bits : i16 to i32
  return %code : i32
}

// 1 + 2^-8 + 2^-40. Right: 16257 (0x3F81).
// NARROWED: {{^}}16256{{$}}
func.func @narrowed() -> i32 {
  %x = arith.constant 0x3FF0100001000000 : f64
  %code = call @from_f64(%x) : (f64) -> i32
  return %code : i32
}

// Right: 19329 (0x4B81).
// COUNTED: {{^}}19328{{$}}
func.func @counted() -> i32 {
  %i = arith.constant 16842753 : i32
  %code = call @from_i32(%i) : (i32) -> i32
  return %code : i32
}
