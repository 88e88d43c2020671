// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything this header of CUDA declares is known in every CUDA source without an include.

#ifndef VX_CUDA_CRT_HOST_CONFIG_H
#define VX_CUDA_CRT_HOST_CONFIG_H

#include "../host_defines.h"

#endif // VX_CUDA_CRT_HOST_CONFIG_H
