// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops on the device over the rows of a triangular matrix, level by level.

#ifndef VX_RUNTIME_LIBRARIES_SPARSE_LEVELLOOP_H
#define VX_RUNTIME_LIBRARIES_SPARSE_LEVELLOOP_H

#include "../common/Launch.h"
#include "Levels.h"

namespace vx::sparse {

/// Calls OPERATION(row, column) for all rows in the order of levels, each with COLUMNS columns.
/// Wide levels are kernels of their own; neighbouring narrow ones are loops of one block.
template <class Operation>
cudaError_t forEachLevel(cudaStream_t stream, const Levels &levels, long long columns,
                         const Operation &operation) {
  constexpr long long wide = 4 * kLibraryThreads;
  const int *const rows = levels.rows.as<int>(), *const offsets = levels.offsets.as<int>();
  const int count = int(levels.starts.size()) - 1;
  auto width = [&](int level) {
    return (levels.starts[level + 1] - levels.starts[level]) * columns;
  };
  cudaError_t error = cudaSuccess;
  for (int level = 0, next; level < count && error == cudaSuccess; level = next) {
    next = level + 1;
    if (width(level) >= wide) {
      const int *const first = rows + levels.starts[level];
      error = launch(stream, width(level), [=] __device__(long long index) {
        operation(first[index / columns], index % columns);
      });
      continue;
    }
    while (next < count && width(next) < wide)
      ++next;
    error = launchBlocks(stream, 1, [=] __device__() {
      for (int narrow = level; narrow < next; ++narrow) {
        const int first = offsets[narrow];
        const long long items = (offsets[narrow + 1] - first) * columns;
        for (long long index = threadIdx.x; index < items; index += kLibraryThreads)
          operation(rows[first + index / columns], index % columns);
        __syncthreads();
      }
    });
  }
  return error;
}

} // namespace vx::sparse

#endif // VX_RUNTIME_LIBRARIES_SPARSE_LEVELLOOP_H
