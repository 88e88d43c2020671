// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches from textures; every CUDA source has them.

#ifndef VX_TEXTURE_FETCH_FUNCTIONS_H
#define VX_TEXTURE_FETCH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // VX_TEXTURE_FETCH_FUNCTIONS_H
