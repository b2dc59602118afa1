// kernels.cu - the kernels, for clang's CUDA.
#include "kernels.h"
