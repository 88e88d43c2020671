// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The builtin variables (threadIdx, ...) are always known in a CUDA source.

#ifndef VX_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define VX_CUDA_DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif // VX_CUDA_DEVICE_LAUNCH_PARAMETERS_H
