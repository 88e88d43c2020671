// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t
// RUN: env VX_SET=num_cores=3,core.num_warps=8,core.num_threads=16 %run %t 3
// RUN: env VX_SET=num_cores=1,core.num_warps=4,core.num_threads=8 %run %t 1
//
// Device queries: real values that follow the configuration where they should, CUDA's where
// programs rely on them; function attributes.

#include "../Inputs/harness.h"
#include <string>

__global__ void __launch_bounds__(128) attributed(double *out) {
  __shared__ double tile[96];
  if (threadIdx.x < 96)
    tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 96] + warpSize;
}

int main(int, char **argv) {
  int count = 0, device = -1, value = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaGetDevice(&device));
  expect(count == 1 && device == 0, "one device");
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  expect(properties.warpSize == 32, "warpSize");
  expect(properties.maxThreadsPerBlock == 1024, "maxThreadsPerBlock");
  expect(properties.maxThreadsDim[0] == 1024 && properties.maxThreadsDim[2] == 64, "block limits");
  expect(properties.maxGridSize[0] == 0x7fffffff && properties.maxGridSize[1] == 65535,
         "grid limits");
  expect(properties.multiProcessorCount == std::atoi(argv[1]), "one multiprocessor a core");
  expect(properties.sharedMemPerBlock >= 16 * 1024, "sharedMemPerBlock");
  expect(properties.totalGlobalMem >= size_t(1) << 28, "totalGlobalMem");
  expect(properties.major == 8 && properties.minor == 0, "compute capability");
  expect(std::string(properties.name).size() > 3, "name");
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  expect(value == properties.multiProcessorCount, "attribute");
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  expect(value == 32, "warp size attribute");

  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, attributed));
  expect(attributes.maxThreadsPerBlock == 128, "launch bounds");
  expect(attributes.sharedSizeBytes >= 96 * sizeof(double), "shared bytes");
  expect(attributes.numRegs > 0 && attributes.numRegs <= 64, "registers");
  size_t freeBytes = 0, totalBytes = 0;
  CHECK(cudaMemGetInfo(&freeBytes, &totalBytes));
  expect(freeBytes <= totalBytes && freeBytes > 0, "memory");

  DeviceArray<double> out(100);
  attributed<<<1, 100>>>(out);
  std::vector<double> got = out.host();
  expect(got[5] == 6 + 32, "kernel");
  return finish();
}
