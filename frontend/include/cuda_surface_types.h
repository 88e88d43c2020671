// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_CUDA_SURFACE_TYPES_H
#define VX_CUDA_SURFACE_TYPES_H

#include "surface_types.h"

#endif // VX_CUDA_SURFACE_TYPES_H
