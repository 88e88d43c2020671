// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histogram of bytes. Each block counts into shared memory with atomics and then adds its counts to
// the global ones. The number of bins is a launch parameter: the shared array is dynamic.
// usage: histogram [bytes [bins]]

#include "../common/example.h"
#include <vector>

__global__ void histogram(const unsigned char *data, int n, unsigned *bins, int numBins) {
  extern __shared__ unsigned local[];
  for (int i = threadIdx.x; i < numBins; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&local[data[i] * numBins / 256], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < numBins; i += blockDim.x)
    if (local[i] != 0)
      atomicAdd(&bins[i], local[i]);
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 200000);
  const int numBins = sizeArgument(argc, argv, 2, 256);
  if (numBins > 256) {
    std::fprintf(stderr, "histogram: at most 256 bins\n");
    return 2;
  }
  Random random(4);
  std::vector<unsigned char> data(n);
  for (unsigned char &x : data)
    x = static_cast<unsigned char>((random.next() & random.next()) >> 24); // uneven on purpose

  unsigned char *deviceData;
  unsigned *deviceBins;
  CHECK(cudaMalloc(&deviceData, n));
  CHECK(cudaMalloc(&deviceBins, numBins * sizeof(unsigned)));
  CHECK(cudaMemcpy(deviceData, data.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(deviceBins, 0, numBins * sizeof(unsigned)));

  const int threads = 192, blocks = 8;
  DeviceTimer timer;
  histogram<<<blocks, threads, numBins * sizeof(unsigned)>>>(deviceData, n, deviceBins, numBins);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  std::vector<unsigned> bins(numBins), expected(numBins);
  CHECK(cudaMemcpy(bins.data(), deviceBins, numBins * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceData));
  CHECK(cudaFree(deviceBins));

  for (unsigned char x : data)
    ++expected[x * numBins / 256];
  long mismatches = 0;
  for (int i = 0; i < numBins; ++i)
    mismatches += bins[i] != expected[i];
  std::printf("histogram: %d bytes in %d bins, %.3f ms\n", n, numBins, milliseconds);
  return verdict(mismatches);
}
