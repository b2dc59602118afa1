; D = A B + C on one wave with mfma.f32.16x16x16bf16.1k. A is 16x16 row-major,
; B is stored by columns, C and D are 16x16 row-major f32. As AMD's matrix
; instruction calculator has it: lane l holds elements 4 (l / 16) to + 3 of row
; l % 16 of A and of column l % 16 of B, and rows 4 (l / 16) to + 3 of column
; l % 16 of D.
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @mfma(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d) #0 {
  %l = call i32 @llvm.amdgcn.workitem.id.x()
  %i = and i32 %l, 15
  %q = lshr i32 %l, 4
  %k = shl i32 %q, 2
  %row = shl i32 %i, 4
  %ai = add i32 %row, %k
  %pa = getelementptr i16, ptr addrspace(1) %a, i32 %ai
  %pb = getelementptr i16, ptr addrspace(1) %b, i32 %ai
  %va = load <4 x i16>, ptr addrspace(1) %pa, align 8
  %vb = load <4 x i16>, ptr addrspace(1) %pb, align 8
  %first = shl i32 %q, 6
  %ci = add i32 %first, %i
  %pc0 = getelementptr float, ptr addrspace(1) %c, i32 %ci
  %pc1 = getelementptr float, ptr addrspace(1) %pc0, i32 16
  %pc2 = getelementptr float, ptr addrspace(1) %pc0, i32 32
  %pc3 = getelementptr float, ptr addrspace(1) %pc0, i32 48
  %c0 = load float, ptr addrspace(1) %pc0, align 4
  %c1 = load float, ptr addrspace(1) %pc1, align 4
  %c2 = load float, ptr addrspace(1) %pc2, align 4
  %c3 = load float, ptr addrspace(1) %pc3, align 4
  %v0 = insertelement <4 x float> poison, float %c0, i32 0
  %v1 = insertelement <4 x float> %v0, float %c1, i32 1
  %v2 = insertelement <4 x float> %v1, float %c2, i32 2
  %v3 = insertelement <4 x float> %v2, float %c3, i32 3
  %r = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16bf16.1k(<4 x i16> %va, <4 x i16> %vb, <4 x float> %v3, i32 0, i32 0, i32 0)
  %pd0 = getelementptr float, ptr addrspace(1) %d, i32 %ci
  %pd1 = getelementptr float, ptr addrspace(1) %pd0, i32 16
  %pd2 = getelementptr float, ptr addrspace(1) %pd0, i32 32
  %pd3 = getelementptr float, ptr addrspace(1) %pd0, i32 48
  %d0 = extractelement <4 x float> %r, i32 0
  %d1 = extractelement <4 x float> %r, i32 1
  %d2 = extractelement <4 x float> %r, i32 2
  %d3 = extractelement <4 x float> %r, i32 3
  store float %d0, ptr addrspace(1) %pd0, align 4
  store float %d1, ptr addrspace(1) %pd1, align 4
  store float %d2, ptr addrspace(1) %pd2, align 4
  store float %d3, ptr addrspace(1) %pd3, align 4
  ret void
}

attributes #0 = { "target-cpu"="gfx942" }
