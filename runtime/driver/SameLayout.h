// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that the driver API and the runtime API have under two names with one layout.

#ifndef VX_RUNTIME_DRIVER_SAMELAYOUT_H
#define VX_RUNTIME_DRIVER_SAMELAYOUT_H

#include "runtime/driver/Api.h"

namespace vx::rt::driver {

/// P as a pointer to the other API's type, which has the same layout.
template <typename To, typename From> To *as(From *p) {
  static_assert(sizeof(To) == sizeof(From) && alignof(To) == alignof(From));
  return reinterpret_cast<To *>(p);
}

template <typename To, typename From> const To *as(const From *p) {
  static_assert(sizeof(To) == sizeof(From) && alignof(To) == alignof(From));
  return reinterpret_cast<const To *>(p);
}

/// COPY as the runtime API has it; false if it is none that can be made.
bool toRuntime(const CUDA_MEMCPY3D &copy, cudaMemcpy3DParms &same);

} // namespace vx::rt::driver

/// A function of the driver API that is another one of the runtime API.
#define VX_CU_SAME(name, parameters, call)                                                         \
  extern "C" CUresult name parameters {                                                            \
    return callInContext([&] { return call; });                                                    \
  }

#endif // VX_RUNTIME_DRIVER_SAMELAYOUT_H
