// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays by their handles, and as ends of copies.

#ifndef VX_RUNTIME_API_ARRAY_H
#define VX_RUNTIME_API_ARRAY_H

#include "runtime/api/Copy.h"

namespace vx::rt {

/// An array with its context.
struct ArrayUse {
  std::shared_ptr<ArrayRecord> array; ///< null: the handle is none
  Context *context = nullptr;
  ContextUse owner; ///< of another context than the current one
};
/// The array of any context behind a handle.
ArrayUse findArray(Context &current, cudaArray_const_t handle);

/// The box that PARAMETERS name, which may be parts of arrays.
cudaError_t describeCopy(Context &context, const cudaMemcpy3DParms &parameters, Copy &copy);

} // namespace vx::rt

#endif // VX_RUNTIME_API_ARRAY_H
