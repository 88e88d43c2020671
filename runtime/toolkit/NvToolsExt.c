// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnvToolsExt: NVTX's functions for those who link with the library of this name, or load it.
// They reach the runtime in libcudart.so; sources that include the header have the functions from
// there, and reach whichever runtime they are linked with.

#define NVTX_INLINE_STATIC __attribute__((visibility("default")))
#include <nvToolsExt.h>
