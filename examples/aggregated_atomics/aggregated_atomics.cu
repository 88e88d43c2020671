// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects the positive values of an array. The lanes of a warp that have found one form a coalesced
// group, and one of them asks for room for all: one atomic operation instead of up to 32.
// usage: aggregated_atomics [values [threads of a block]]

#include "../common/example.h"
#include <algorithm>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

/// Returns what atomicAdd(counter, 1) by every caller would.
__device__ int nextPlace(int *counter) {
  cg::coalesced_group here = cg::coalesced_threads();
  int first = 0;
  if (here.thread_rank() == 0)
    first = atomicAdd(counter, int(here.size()));
  return here.shfl(first, 0) + int(here.thread_rank());
}

__global__ void selectPositive(const int *in, int *out, int *counter, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    if (in[i] > 0)
      out[nextPlace(counter)] = in[i];
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 30000);
  const int threads = sizeArgument(argc, argv, 2, 256);
  Random random(18);
  std::vector<int> in(n), expected;
  for (int &x : in) {
    x = int(random.next() >> 8) - (1 << 23);
    if (x > 0)
      expected.push_back(x);
  }
  DeviceBuffer<int> deviceIn(in), deviceOut(n), counter(1);

  DeviceTimer timer;
  const int blocks = (n + 4 * threads - 1) / (4 * threads);
  selectPositive<<<blocks, threads>>>(deviceIn, deviceOut, counter, n);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();

  const int found = counter.host()[0];
  std::vector<int> out = deviceOut.host();
  long mismatches = found != int(expected.size());
  // The order among groups is open: both sides are compared sorted.
  out.resize(std::min(size_t(std::max(found, 0)), expected.size()));
  std::sort(out.begin(), out.end());
  std::sort(expected.begin(), expected.end());
  for (size_t i = 0; i < out.size(); ++i)
    mismatches += out[i] != expected[i];
  std::printf("aggregated_atomics: %d of %d values are positive, %.3f ms\n", found, n,
              milliseconds);
  return verdict(mismatches);
}
