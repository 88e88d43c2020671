// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's driver API, release 12.3. Its guard's name is the one that programs test for.

#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <stdlib.h>

#ifndef CUDA_VERSION
#define CUDA_VERSION 12030
#endif

#define CUDAAPI
#define CUDA_CB

#include "vx/driver/memory_calls.h"
#include "vx/driver/program_calls.h"

#endif // __cuda_cuda_h__
