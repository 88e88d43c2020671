// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills as operations of streams: what all forms of cudaMemcpy and cudaMemset come down
// to.

#ifndef VX_RUNTIME_CUDA_SUBMITCOPY_H
#define VX_RUNTIME_CUDA_SUBMITCOPY_H

#include "runtime/context/Copy.h"
#include "runtime/cuda/Api.h"

namespace vx::rt {

class Module;

/// Resolves and runs a copy, in a stream of any context; asynchronous ones return as early as CUDA
/// lets them: a source in pageable memory has been read, and a destination in pageable memory has
/// been written.
cudaError_t submitCopy(Context &context, Copy copy, cudaMemcpyKind kind, cudaStream_t stream,
                       bool async, Module *module = nullptr);
cudaError_t submitFill(Context &context, CopySide side, const CopyExtent &extent, uint32_t value,
                       cudaStream_t stream, unsigned elementBytes = 1);

} // namespace vx::rt

#endif // VX_RUNTIME_CUDA_SUBMITCOPY_H
