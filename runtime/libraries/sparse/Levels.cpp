// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Levels.h"
#include <algorithm>

namespace vx::sparse {
namespace {

/// A copy on the host of indices on the device.
class HostIndices {
public:
  cudaError_t read(const Indices &from, long long count) {
    bytes.resize(count * from.width());
    indices = {bytes.data(), from.wide, from.base};
    return count ? cudaMemcpy(bytes.data(), from.data, bytes.size(), cudaMemcpyDeviceToHost)
                 : cudaSuccess;
  }
  long long operator[](long long i) const { return indices[i]; }

private:
  std::vector<char> bytes;
  Indices indices;
};

/// The pattern of a matrix on the host.
struct Pattern {
  HostIndices offsets, minors, order;
  bool isOrdered;
  cudaError_t read(const Rows &rows) {
    isOrdered = rows.order;
    cudaError_t error = offsets.read(rows.offsets, rows.rows + 1);
    if (error == cudaSuccess)
      error = minors.read(rows.minors, rows.entries);
    if (error == cudaSuccess && isOrdered)
      error = order.read(indicesOf(rows.order, 0), rows.entries);
    return error;
  }
  long long column(long long place) const { return minors[isOrdered ? order[place] : place]; }
};

bool upload(DeviceMemory &memory, const std::vector<int> &values) {
  const size_t bytes = values.size() * sizeof(int);
  return memory.allocate(bytes) &&
         cudaMemcpy(memory.as<void>(), values.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess;
}

} // namespace

cusparseStatus_t findLevels(cusparseHandle_t handle, const Rows &rows, bool lower, Levels &levels,
                            int *withoutDiagonal) {
  Pattern pattern;
  cudaError_t error = cudaStreamSynchronize(handle->stream);
  if (error == cudaSuccess)
    error = pattern.read(rows);
  if (error != cudaSuccess)
    return statusOf(error);
  const int count = int(rows.rows);
  std::vector<int> level(count), sorted(count);
  int last = -1, missing = -1;
  for (int step = 0; step < count; ++step) {
    const int i = lower ? step : count - 1 - step;
    bool hasDiagonal = false;
    for (long long place = pattern.offsets[i]; place < pattern.offsets[i + 1]; ++place) {
      const long long column = pattern.column(place);
      hasDiagonal |= column == i;
      if (lower ? column < i : column > i && column < count)
        level[i] = std::max(level[i], level[column] + 1);
    }
    if (!hasDiagonal && (missing < 0 || i < missing))
      missing = i;
    last = std::max(last, level[i]);
  }
  if (withoutDiagonal)
    *withoutDiagonal = missing;
  levels.starts.assign(last + 2, 0);
  for (int i = 0; i < count; ++i)
    ++levels.starts[level[i] + 1];
  for (int i = 0; i <= last; ++i)
    levels.starts[i + 1] += levels.starts[i];
  std::vector<int> next = levels.starts;
  for (int i = 0; i < count; ++i)
    sorted[next[level[i]]++] = i;
  return upload(levels.rows, sorted) && upload(levels.offsets, levels.starts)
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_ALLOC_FAILED;
}

} // namespace vx::sparse
