// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays by their handles, and as sides of copies.

#ifndef VX_RUNTIME_CONTEXT_ARRAYCOPY_H
#define VX_RUNTIME_CONTEXT_ARRAYCOPY_H

#include "runtime/context/Arrays.h"
#include "runtime/context/Copy.h"

namespace vx::rt {

/// An array with its context.
struct ArrayUse {
  std::shared_ptr<ArrayRecord> array; ///< null: the handle is none
  Context *context = nullptr;
  ContextUse owner; ///< of another context than the current one
};
/// Returns the array that HANDLE names, of any context.
ArrayUse findArray(Context &current, cudaArray_const_t handle);

/// Bytes of an array: from byte X of row Y of slice Z on, WIDTH bytes of each row.
struct ArrayBox {
  uint64_t x = 0, y = 0, z = 0, width = 0, height = 1, depth = 1;
};
/// Makes BOX of the array that HANDLE names a side of COPY.
cudaError_t placeArray(Context &context, cudaArray_const_t handle, const ArrayBox &box, Copy &copy,
                       CopySide &side);

/// The box that PARAMETERS name, which may be parts of arrays.
cudaError_t describeCopy(Context &context, const cudaMemcpy3DParms &parameters, Copy &copy);

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_ARRAYCOPY_H
