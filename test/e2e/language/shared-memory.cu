// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Static shared arrays (several, also in templates and device functions), dynamic shared memory
// under two names, both at once, and launch bounds.

#include "../Inputs/harness.h"

template <class T> __device__ T *scratch() {
  __shared__ T storage[128];
  return storage;
}

template <class T> __global__ void reverseStatic(T *data, int n) {
  T *tile = scratch<T>();
  __shared__ int length;
  if (threadIdx.x == 0)
    length = n;
  if (threadIdx.x < n)
    tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n)
    data[threadIdx.x] = tile[length - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(256, 2) rotateDynamic(int *data, int by) {
  extern __shared__ int values[];
  __shared__ int pad[5];
  if (threadIdx.x < 5)
    pad[threadIdx.x] = 1000 * threadIdx.x;
  values[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] =
      values[(threadIdx.x + by) % blockDim.x] + pad[threadIdx.x % 5];
}

__global__ void splitDynamic(double *out) {
  extern __shared__ double doubles[];
  float *floats = reinterpret_cast<float *>(doubles + blockDim.x);
  doubles[threadIdx.x] = threadIdx.x * 0.5;
  floats[threadIdx.x] = threadIdx.x * 2.0f;
  __syncthreads();
  unsigned other = blockDim.x - 1 - threadIdx.x;
  out[threadIdx.x] = doubles[other] + floats[other];
}

/// Over-aligned variables are aligned in every block that is resident on a core.
__global__ void alignment(unsigned *offsets) {
  __shared__ char odd;
  __shared__ __align__(128) unsigned char line[200];
  odd = 1;
  __syncthreads();
  line[threadIdx.x] = odd;
  __syncthreads();
  offsets[blockIdx.x] = static_cast<unsigned>(reinterpret_cast<size_t>(line) % 128);
}

int main() {
  std::vector<short> shorts(100);
  std::vector<double> doubles(128);
  for (int i = 0; i < 128; ++i) {
    if (i < 100)
      shorts[i] = static_cast<short>(i);
    doubles[i] = i * 1.25;
  }
  DeviceArray<short> deviceShorts(shorts);
  DeviceArray<double> deviceDoubles(doubles);
  reverseStatic<<<1, 128>>>(static_cast<short *>(deviceShorts), 100);
  reverseStatic<<<1, 128>>>(static_cast<double *>(deviceDoubles), 128);
  std::vector<short> gotShorts = deviceShorts.host();
  std::vector<double> gotDoubles = deviceDoubles.host();
  for (int i = 0; i < 128; ++i) {
    if (i < 100)
      expectEqual(gotShorts[i], shorts[99 - i], "reverse shorts", i);
    expectEqual(gotDoubles[i], doubles[127 - i], "reverse doubles", i);
  }

  const int threads = 150, blocks = 4;
  std::vector<int> numbers(threads * blocks);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int>(mixed(i) >> 8);
  DeviceArray<int> deviceNumbers(numbers);
  rotateDynamic<<<blocks, threads, threads * sizeof(int)>>>(deviceNumbers, 11);
  std::vector<int> got = deviceNumbers.host();
  for (int i = 0; i < threads * blocks; ++i) {
    int t = i % threads;
    expectEqual(got[i], numbers[i - t + (t + 11) % threads] + 1000 * (t % 5), "rotate", i);
  }

  DeviceArray<double> sums(77);
  splitDynamic<<<1, 77, 77 * (sizeof(double) + sizeof(float))>>>(sums);
  std::vector<double> gotSums = sums.host();
  for (int i = 0; i < 77; ++i)
    expectEqual(gotSums[i], (76 - i) * 2.5, "split", i);

  DeviceArray<unsigned> offsets(16);
  alignment<<<16, 8>>>(offsets);
  std::vector<unsigned> gotOffsets = offsets.host();
  for (int i = 0; i < 16; ++i)
    expectEqual(gotOffsets[i], 0u, "alignment", i);
  return finish();
}
