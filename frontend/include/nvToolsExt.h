// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of NVTX 2 for nvtx3/nvToolsExt.h.

#ifndef VX_NVTOOLSEXT_H
#define VX_NVTOOLSEXT_H

#include "nvtx3/nvToolsExt.h"

#endif /* VX_NVTOOLSEXT_H */
