// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of NVTX 2 for nvtx3/nvToolsExtCudaRt.h.

#ifndef VX_NVTOOLSEXTCUDART_H
#define VX_NVTOOLSEXTCUDART_H

#include "nvtx3/nvToolsExtCudaRt.h"

#endif /* VX_NVTOOLSEXTCUDART_H */
