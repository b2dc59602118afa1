// gfx942 converts FNUZ only and gfx950 OCP only; the other kind is left as an
// op nothing lowers. When this fails, docs/upstream.md has an entry to drop.
//
// RUN: mlir-opt %s --convert-arith-to-amdgpu=chipset=gfx942 | FileCheck %s --check-prefix=FNUZ
// RUN: mlir-opt %s --convert-arith-to-amdgpu=chipset=gfx950 | FileCheck %s --check-prefix=OCP

// FNUZ-LABEL: @ocp
// FNUZ: arith.truncf
// OCP-LABEL: @ocp
// OCP: amdgpu.packed_trunc_2xfp8
func.func @ocp(%x: vector<4xf32>) -> vector<4xf8E4M3FN> {
  %y = arith.truncf %x : vector<4xf32> to vector<4xf8E4M3FN>
  return %y : vector<4xf8E4M3FN>
}

// FNUZ-LABEL: @fnuz
// FNUZ: amdgpu.packed_trunc_2xfp8
// OCP-LABEL: @fnuz
// OCP: arith.truncf
func.func @fnuz(%x: vector<4xf32>) -> vector<4xf8E4M3FNUZ> {
  %y = arith.truncf %x : vector<4xf32> to vector<4xf8E4M3FNUZ>
  return %y : vector<4xf8E4M3FNUZ>
}
