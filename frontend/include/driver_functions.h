// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constructors of cudaPitchedPtr, cudaPos and cudaExtent, which cuda_runtime_api.h has.

#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include "cuda_runtime_api.h"

#endif /* __DRIVER_FUNCTIONS_H__ */
