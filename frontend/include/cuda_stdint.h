// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_CUDA_STDINT_H
#define VX_CUDA_STDINT_H

#include <stdint.h>

#endif // VX_CUDA_STDINT_H
