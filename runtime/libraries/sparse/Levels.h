// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Levels of a triangular matrix: rows of one level need only rows of earlier levels. They are found
// on the host.

#ifndef VX_RUNTIME_LIBRARIES_SPARSE_LEVELS_H
#define VX_RUNTIME_LIBRARIES_SPARSE_LEVELS_H

#include "Rows.h"
#include <vector>

namespace vx::sparse {

struct Levels {
  std::vector<int> starts;    ///< Of each level in the rows; one more.
  DeviceMemory rows, offsets; ///< Of int: rows by level, and a copy of the starts.
};

/// Finds the levels of the part of ROWS below the diagonal, or above it. HASDIAGONAL, unless null,
/// gets the first row without an element on it, or -1. Waits for the stream.
cusparseStatus_t findLevels(cusparseHandle_t handle, const Rows &rows, bool lower, Levels &levels,
                            int *withoutDiagonal = nullptr);

} // namespace vx::sparse

#endif // VX_RUNTIME_LIBRARIES_SPARSE_LEVELS_H
