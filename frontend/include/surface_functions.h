// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to surfaces; every CUDA source has them.

#ifndef VX_SURFACE_FUNCTIONS_H
#define VX_SURFACE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // VX_SURFACE_FUNCTIONS_H
