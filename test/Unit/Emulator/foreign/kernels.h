// kernels.h - kernels as a programmer writes them, in CUDA C++ and in HIP: the
// few words of each language that they use, then reverse, transpose and block
// sum. With -DNO_BARRIER they lack the barrier they need.
#define GLOBAL __attribute__((global))
#define SHARED __attribute__((shared))
#ifdef __HIP__
#define TID_X __builtin_amdgcn_workitem_id_x()
#define TID_Y __builtin_amdgcn_workitem_id_y()
#define BLOCK_X __builtin_amdgcn_workgroup_id_x()
#define BLOCK_Y __builtin_amdgcn_workgroup_id_y()
#define BARRIER                                                                \
  do {                                                                         \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");                     \
    __builtin_amdgcn_s_barrier();                                              \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");                     \
  } while (0)
#else
#define TID_X __nvvm_read_ptx_sreg_tid_x()
#define TID_Y __nvvm_read_ptx_sreg_tid_y()
#define BLOCK_X __nvvm_read_ptx_sreg_ctaid_x()
#define BLOCK_Y __nvvm_read_ptx_sreg_ctaid_y()
#define BARRIER __syncthreads()
#endif
#ifdef NO_BARRIER
#undef BARRIER
#define BARRIER
#endif

// Blocks of 256: out[i] = in[255 - i] within each block.
extern "C" GLOBAL void reverse(const float *in, float *out) {
  SHARED float tile[256];
  unsigned t = TID_X, base = BLOCK_X * 256;
  tile[t] = in[base + t];
  BARRIER;
  out[base + t] = tile[255 - t];
}

// Tiles of 32 x 32 by 32 x 8 threads, of a square matrix of n.
extern "C" GLOBAL void transpose(const float *in, float *out, int n) {
  SHARED float tile[32][33];
  unsigned x = TID_X, y = TID_Y;
  for (unsigned j = y; j < 32; j += 8)
    tile[j][x] = in[(BLOCK_Y * 32 + j) * n + BLOCK_X * 32 + x];
  BARRIER;
  for (unsigned j = y; j < 32; j += 8)
    out[(BLOCK_X * 32 + j) * n + BLOCK_Y * 32 + x] = tile[x][j];
}

// Blocks of 256: out[block] = the sum of its elements.
extern "C" GLOBAL void blockSum(const float *in, float *out) {
  SHARED float part[256];
  unsigned t = TID_X;
  part[t] = in[BLOCK_X * 256 + t];
  for (unsigned half = 128; half > 0; half /= 2) {
    BARRIER;
    if (t < half)
      part[t] += part[t + half];
  }
  if (t == 0)
    out[BLOCK_X] = part[0];
}
