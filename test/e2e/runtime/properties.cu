// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t
// RUN: env VX_SET=num_cores=3,core.num_warps=8,core.num_threads=16 %run %t 3
// RUN: env VX_SET=num_cores=1,core.num_warps=4,core.num_threads=8 VX_LOWERING=hw %run %t 1
// RUN: env VX_SET=num_cores=1,core.num_warps=4,core.num_threads=8 VX_LOWERING=sw %run %t 1
// RUN: env VX_SET=num_cores=1,core.num_warps=64,core.num_threads=32 %run %t 1
// RUN: %vxcc --target=host -O3 %s -o %t.host && %run %t.host
//
// Device queries: real values that follow the configuration where they should, CUDA's where
// programs rely on them; function attributes. Programs divide properties by attributes to find how many blocks
// a multiprocessor holds: nothing that may be launched is too much by that, and the runtime's answer is not more.

#include "../Inputs/harness.h"
#include <algorithm>
#include <string>

__global__ void __launch_bounds__(128) attributed(double *out) {
  __shared__ double tile[96];
  if (threadIdx.x < 96)
    tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 96] + warpSize;
}

template <int Shared> __global__ void occupying(int *out) {
  __shared__ int values[Shared / sizeof(int)];
  values[threadIdx.x % (Shared / sizeof(int))] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] += values[0];
}

/// Returns how many blocks of SIZE threads with SHARED bytes each a program works out.
static int blocksByProperties(const cudaDeviceProp &p, const cudaFuncAttributes &a, int size, size_t shared) {
  int threads = (size + p.warpSize - 1) / p.warpSize * p.warpSize;
  int registers = (a.numRegs + 7) / 8 * 8 * threads;
  int blocks = std::min(p.maxThreadsPerMultiProcessor / threads, p.maxBlocksPerMultiProcessor);
  blocks = registers > p.regsPerBlock ? 0 : std::min(blocks, p.regsPerMultiprocessor / registers);
  size_t bytes = a.sharedSizeBytes + shared;
  if (bytes > 0)
    blocks = std::min(blocks, int(p.sharedMemPerMultiprocessor / (bytes + p.reservedSharedMemPerBlock)));
  return blocks;
}

template <typename K> static void checkOccupancy(const cudaDeviceProp &p, K *kernel) {
  cudaFuncAttributes a;
  CHECK(cudaFuncGetAttributes(&a, kernel));
  expect(a.sharedSizeBytes + a.maxDynamicSharedSizeBytes <= p.sharedMemPerBlockOptin, "shared memory of a block");
  for (int size : {1, 8, 31, 32, 33, 64, 100, 128, 256, 512, 1000, 1024}) {
    if (size > a.maxThreadsPerBlock)
      continue;
    for (size_t shared : {size_t(0), size_t(a.maxDynamicSharedSizeBytes / 9), size_t(a.maxDynamicSharedSizeBytes)}) {
      int blocks = 0, most = blocksByProperties(p, a, size, shared);
      CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, shared));
      if (blocks < 1 || blocks > most)
        std::printf("occupancy of %d threads, %zu + %zu bytes: %d of %d\n", size, a.sharedSizeBytes, shared, blocks,
                    most);
      expect(blocks >= 1 && blocks <= most, "occupancy");
      if (shared)
        continue;
      size_t left = 0;
      int again = 0;
      CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&left, kernel, blocks, size));
      CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&again, kernel, size, left));
      expect(again >= blocks, "as many blocks with the shared memory that is available");
      CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&again, kernel, size, 512));
      expect(again < blocks || left >= 512, "what as many blocks may have is available");
      expect(cudaOccupancyAvailableDynamicSMemPerBlock(&left, kernel, most + 1, size) == cudaErrorInvalidValue,
             "more blocks than fit");
      (void)cudaGetLastError();
    }
  }
  int grid = 0, size = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, kernel));
  expect(size >= 1 && size <= a.maxThreadsPerBlock, "block size");
  expect(grid >= 1 && grid <= p.multiProcessorCount * blocksByProperties(p, a, size, 0), "grid size");
}

int main(int argc, char **argv) {
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
  expect(argc < 2 || properties.multiProcessorCount == std::atoi(argv[1]), "one multiprocessor a core");
  expect(properties.maxThreadsPerMultiProcessor >= properties.maxThreadsPerBlock, "threads");
  expect(properties.regsPerMultiprocessor >= properties.regsPerBlock, "registers");
  expect(properties.sharedMemPerBlockOptin >= properties.sharedMemPerBlock, "shared memory by request");
  expect(properties.sharedMemPerMultiprocessor >= properties.sharedMemPerBlockOptin, "shared memory");
  checkOccupancy(properties, attributed);
  checkOccupancy(properties, occupying<4>);
  checkOccupancy(properties, occupying<5000>);
  checkOccupancy(properties, occupying<48 * 1024>);
  CHECK(cudaFuncSetAttribute(occupying<8>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
  checkOccupancy(properties, occupying<8>);
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
