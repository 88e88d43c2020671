// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that call a function for each of many indices, and sums of counts.

#ifndef VX_RUNTIME_LIBRARIES_COMMON_LAUNCH_H
#define VX_RUNTIME_LIBRARIES_COMMON_LAUNCH_H

#include <cuda_runtime.h>

namespace vx {

/// Threads of a block: lanes of one core on small machines, too.
constexpr int kLibraryThreads = 16;

template <class Operation>
__global__ void __launch_bounds__(kLibraryThreads) forEachIndex(long long n, Operation operation) {
  const long long step = (long long)gridDim.x * kLibraryThreads;
  for (long long i = (long long)blockIdx.x * kLibraryThreads + threadIdx.x; i < n; i += step)
    operation(i);
}

/// Calls OPERATION on the device for each index below N.
template <class Operation>
cudaError_t launch(cudaStream_t stream, long long n, const Operation &operation) {
  if (n <= 0)
    return cudaSuccess;
  constexpr long long largest = 4096;
  const long long wanted = (n - 1) / kLibraryThreads + 1;
  const unsigned blocks = unsigned(wanted < largest ? wanted : largest);
  forEachIndex<<<blocks, kLibraryThreads, 0, stream>>>(n, operation);
  return cudaGetLastError();
}

template <class Operation>
__global__ void __launch_bounds__(kLibraryThreads) runAsBlock(Operation operation) {
  operation();
}

/// Calls OPERATION in COUNT blocks of kLibraryThreads.
template <class Operation>
cudaError_t launchBlocks(cudaStream_t stream, unsigned count, const Operation &operation) {
  if (count == 0)
    return cudaSuccess;
  runAsBlock<<<count, kLibraryThreads, 0, stream>>>(operation);
  return cudaGetLastError();
}

/// Replaces COUNTS[0] to COUNTS[N - 1] by the sums of those before each, and writes the sum of all
/// to COUNTS[N]; one block.
static __global__ void __launch_bounds__(kLibraryThreads) sumCounts(long long n, int *counts) {
  __shared__ int sums[kLibraryThreads];
  const long long part = (n + kLibraryThreads - 1) / kLibraryThreads,
                  first = threadIdx.x * part < n ? threadIdx.x * part : n,
                  end = first + part < n ? first + part : n;
  int sum = 0;
  for (long long i = first; i < end; ++i)
    sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (unsigned i = 0; i < threadIdx.x; ++i)
    sum += sums[i];
  for (long long i = first; i < end; ++i) {
    const int count = counts[i];
    counts[i] = sum;
    sum += count;
  }
  if (threadIdx.x == kLibraryThreads - 1)
    counts[n] = sum;
}

} // namespace vx

#endif // VX_RUNTIME_LIBRARIES_COMMON_LAUNCH_H
