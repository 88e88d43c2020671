// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts an array in runs of 32: a warp holds one value in each lane and compares with
// __shfl_xor_sync, 15 exchanges in all, without touching memory in between.
// usage: bitonic_sort [values [threads of a block]]

#include "../common/example.h"
#include <algorithm>
#include <climits>

__global__ void sortRuns(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  int value = i < n ? in[i] : INT_MAX;
#pragma unroll
  for (int step = 1; step <= 5; ++step)
#pragma unroll
    for (int bit = step - 1; bit >= 0; --bit) {
      int other = __shfl_xor_sync(0xffffffffu, value, 1 << bit);
      // The lane of a pair without the bit keeps the smaller value where the run goes up.
      bool up = (lane >> step & 1) == 0, lower = (lane >> bit & 1) == 0;
      value = up == lower ? min(value, other) : max(value, other);
    }
  if (i < n)
    out[i] = value;
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 20000);
  const int threads = blockArgument(argc, argv, 2, 128);
  Random random(19);
  std::vector<int> values(n);
  for (int &x : values)
    x = int(random.next());
  DeviceBuffer<int> in(values), out(n);

  DeviceTimer timer;
  sortRuns<<<(n + threads - 1) / threads, threads>>>(in, out, n);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  std::vector<int> sorted = out.host();
  long mismatches = 0;
  for (int first = 0; first < n; first += 32) {
    int last = std::min(first + 32, n);
    std::sort(values.begin() + first, values.begin() + last);
    for (int i = first; i < last; ++i)
      mismatches += sorted[i] != values[i];
  }
  std::printf("bitonic_sort: %d values in runs of 32, %.3f ms\n", n, milliseconds);
  return verdict(mismatches);
}
