// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histogram with few and uneven bins. Lanes of a warp that count into the same bin find each other
// with __match_any_sync, and the first of them adds for all.
// usage: match_histogram [values [threads of a block [bins]]]

#include "../common/example.h"

__global__ void matchHistogram(const unsigned *data, unsigned *bins, int n, unsigned numBins) {
  const unsigned lane = threadIdx.x % 32;
  const int stride = blockDim.x * gridDim.x;
  // All lanes of a warp stay in the loop as long as one has a value left.
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - int(lane) < n; i += stride) {
    const unsigned here = __ballot_sync(0xffffffffu, i < n);
    if (i < n) {
      const unsigned bin = data[i] % numBins;
      const unsigned same = __match_any_sync(here, bin);
      if (lane == unsigned(__ffs(same) - 1))
        atomicAdd(&bins[bin], unsigned(__popc(same)));
    }
  }
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 20000);
  const int threads = blockArgument(argc, argv, 2, 256);
  const unsigned numBins = sizeArgument(argc, argv, 3, 10);
  Random random(20);
  std::vector<unsigned> data(n), expected(numBins);
  for (unsigned &x : data) {
    x = random.next() & random.next() & random.next(); // uneven on purpose
    ++expected[x % numBins];
  }
  DeviceBuffer<unsigned> deviceData(data), deviceBins(numBins);

  DeviceTimer timer;
  const int blocks = (n + 4 * threads - 1) / (4 * threads);
  matchHistogram<<<blocks, threads>>>(deviceData, deviceBins, n, numBins);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  std::vector<unsigned> bins = deviceBins.host();
  long mismatches = 0;
  for (unsigned bin = 0; bin < numBins; ++bin)
    mismatches += bins[bin] != expected[bin];
  std::printf("match_histogram: %d values in %u bins, %.3f ms\n", n, numBins, milliseconds);
  return verdict(mismatches);
}
