// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_CUDA_TEXTURE_TYPES_H
#define VX_CUDA_TEXTURE_TYPES_H

#include "texture_types.h"

#endif // VX_CUDA_TEXTURE_TYPES_H
