; D = A B + C on one warp with mma.sync.m16n8k16 of bf16. A is 16x16 row-major,
; B is stored by columns (8 of 16 elements), C and D are 16x8 row-major f32.
; Fragments as in the PTX ISA: g = lane / 4, t = lane % 4.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @mma(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %g = lshr i32 %lane, 2
  %t = and i32 %lane, 3
  ; A: pairs of elements at rows g and g + 8, columns 2 t and 2 t + 8
  %ar = shl i32 %g, 3
  %a0i = add i32 %ar, %t
  %a1i = add i32 %a0i, 64
  %a2i = add i32 %a0i, 4
  %a3i = add i32 %a0i, 68
  %pa0 = getelementptr i32, ptr addrspace(1) %a, i32 %a0i
  %pa1 = getelementptr i32, ptr addrspace(1) %a, i32 %a1i
  %pa2 = getelementptr i32, ptr addrspace(1) %a, i32 %a2i
  %pa3 = getelementptr i32, ptr addrspace(1) %a, i32 %a3i
  %a0 = load i32, ptr addrspace(1) %pa0, align 4
  %a1 = load i32, ptr addrspace(1) %pa1, align 4
  %a2 = load i32, ptr addrspace(1) %pa2, align 4
  %a3 = load i32, ptr addrspace(1) %pa3, align 4
  ; B: column g, rows 2 t and 2 t + 8
  %pb0 = getelementptr i32, ptr addrspace(1) %b, i32 %a0i
  %pb1 = getelementptr i32, ptr addrspace(1) %b, i32 %a2i
  %b0 = load i32, ptr addrspace(1) %pb0, align 4
  %b1 = load i32, ptr addrspace(1) %pb1, align 4
  ; C: rows g and g + 8, columns 2 t and 2 t + 1
  %t2 = shl i32 %t, 1
  %c0i = add i32 %ar, %t2
  %c2i = add i32 %c0i, 64
  %pc0 = getelementptr float, ptr addrspace(1) %c, i32 %c0i
  %pc2 = getelementptr float, ptr addrspace(1) %c, i32 %c2i
  %c01 = load <2 x float>, ptr addrspace(1) %pc0, align 8
  %c23 = load <2 x float>, ptr addrspace(1) %pc2, align 8
  %c0 = extractelement <2 x float> %c01, i32 0
  %c1 = extractelement <2 x float> %c01, i32 1
  %c2 = extractelement <2 x float> %c23, i32 0
  %c3 = extractelement <2 x float> %c23, i32 1
  %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, float %c0, float %c1, float %c2, float %c3)
  %d0 = extractvalue { float, float, float, float } %r, 0
  %d1 = extractvalue { float, float, float, float } %r, 1
  %d2 = extractvalue { float, float, float, float } %r, 2
  %d3 = extractvalue { float, float, float, float } %r, 3
  %pd0 = getelementptr float, ptr addrspace(1) %d, i32 %c0i
  %pd2 = getelementptr float, ptr addrspace(1) %d, i32 %c2i
  %e0 = insertelement <2 x float> poison, float %d0, i32 0
  %e1 = insertelement <2 x float> %e0, float %d1, i32 1
  %f0 = insertelement <2 x float> poison, float %d2, i32 0
  %f1 = insertelement <2 x float> %f0, float %d3, i32 1
  store <2 x float> %e1, ptr addrspace(1) %pd0, align 8
  store <2 x float> %f1, ptr addrspace(1) %pd2, align 8
  ret void
}
