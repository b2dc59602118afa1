// kernels.hip - the kernels, for clang's HIP.
#include "kernels.h"
