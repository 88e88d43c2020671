// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of NVTX 2 for nvtx3/nvToolsExtCuda.h.

#ifndef VX_NVTOOLSEXTCUDA_H
#define VX_NVTOOLSEXTCUDA_H

#include "nvtx3/nvToolsExtCuda.h"

#endif /* VX_NVTOOLSEXTCUDA_H */
