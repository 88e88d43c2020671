// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything this header of CUDA declares is known in every CUDA source without an include.

#ifndef VX_CUDA_SM_32_INTRINSICS_H
#define VX_CUDA_SM_32_INTRINSICS_H

#include "cuda_runtime.h"

#endif // VX_CUDA_SM_32_INTRINSICS_H
