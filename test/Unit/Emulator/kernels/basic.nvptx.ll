; Kernels for NVIDIA without anything special: a vectorised axpy with a tail,
; and a sum over blocks of 256 threads by shuffles, shared memory and a barrier.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@partial = internal addrspace(3) global [8 x float] undef, align 4

; y[i] += a x[i], four elements a thread; the tail one by one.
define ptx_kernel void @axpy(i64 %n, float %a, ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bs = mul i32 %b, %s
  %g = add i32 %bs, %t
  %w = zext i32 %g to i64
  %first = shl i64 %w, 2
  %end = add i64 %first, 4
  %whole = icmp ule i64 %end, %n
  br i1 %whole, label %vector, label %tail
vector:
  %px = getelementptr float, ptr addrspace(1) %x, i64 %first
  %py = getelementptr float, ptr addrspace(1) %y, i64 %first
  %vx = load <4 x float>, ptr addrspace(1) %px, align 16
  %vy = load <4 x float>, ptr addrspace(1) %py, align 16
  %i0 = insertelement <4 x float> poison, float %a, i64 0
  %va = shufflevector <4 x float> %i0, <4 x float> poison, <4 x i32> zeroinitializer
  %r = call <4 x float> @llvm.fma.v4f32(<4 x float> %va, <4 x float> %vx, <4 x float> %vy)
  store <4 x float> %r, ptr addrspace(1) %py, align 16
  ret void
tail:
  %i = phi i64 [ %first, %0 ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %qx = getelementptr float, ptr addrspace(1) %x, i64 %i
  %qy = getelementptr float, ptr addrspace(1) %y, i64 %i
  %ex = load float, ptr addrspace(1) %qx, align 4
  %ey = load float, ptr addrspace(1) %qy, align 4
  %er = call float @llvm.fma.f32(float %a, float %ex, float %ey)
  store float %er, ptr addrspace(1) %qy, align 4
  %next = add i64 %i, 1
  br label %tail
done:
  ret void
}

; out[block] = the sum of x over the block's 256 elements.
define ptx_kernel void @reduce(i64 %n, ptr addrspace(1) %x, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = shl i32 %b, 8
  %g = add i32 %bs, %t
  %i = zext i32 %g to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %take, label %start
take:
  %px = getelementptr float, ptr addrspace(1) %x, i64 %i
  %vx = load float, ptr addrspace(1) %px, align 4
  br label %start
start:
  %v0 = phi float [ 0.0, %0 ], [ %vx, %take ]
  %o16 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v0, i32 16, i32 31)
  %v1 = fadd float %v0, %o16
  %o8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v1, i32 8, i32 31)
  %v2 = fadd float %v1, %o8
  %o4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v2, i32 4, i32 31)
  %v3 = fadd float %v2, %o4
  %o2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v3, i32 2, i32 31)
  %v4 = fadd float %v3, %o2
  %o1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v4, i32 1, i32 31)
  %v5 = fadd float %v4, %o1
  %lane = and i32 %t, 31
  %warp = lshr i32 %t, 5
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %put, label %meet
put:
  %ps = getelementptr [8 x float], ptr addrspace(3) @partial, i32 0, i32 %warp
  store float %v5, ptr addrspace(3) %ps, align 4
  br label %meet
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %inFirst = icmp ult i32 %t, 32
  br i1 %inFirst, label %last, label %done
last:
  %within = icmp ult i32 %lane, 8
  br i1 %within, label %get, label %sum
get:
  %pl = getelementptr [8 x float], ptr addrspace(3) @partial, i32 0, i32 %lane
  %vl = load float, ptr addrspace(3) %pl, align 4
  br label %sum
sum:
  %w0 = phi float [ 0.0, %last ], [ %vl, %get ]
  %p16 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %w0, i32 16, i32 31)
  %w1 = fadd float %w0, %p16
  %p8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %w1, i32 8, i32 31)
  %w2 = fadd float %w1, %p8
  %p4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %w2, i32 4, i32 31)
  %w3 = fadd float %w2, %p4
  %p2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %w3, i32 2, i32 31)
  %w4 = fadd float %w3, %p2
  %p1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %w4, i32 1, i32 31)
  %w5 = fadd float %w4, %p1
  br i1 %leads, label %write, label %done
write:
  %bi = zext i32 %b to i64
  %po = getelementptr float, ptr addrspace(1) %out, i64 %bi
  store float %w5, ptr addrspace(1) %po, align 4
  br label %done
done:
  ret void
}
