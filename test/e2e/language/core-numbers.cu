// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// %smid and %nsmid, as PTX and as functions of clang: all threads of a block see one core, its number
// is below the number of cores, which is that of the device's multiprocessors. Counters of each core
// add up to the number of blocks.
//
// RUN: %vxcc %s -o %t && %shapes --few %t
// RUN: %vxcc --lower=sw %s -o %t.sw && %shapes --few %t.sw
// RUN: %vxcc --target=host %s -o %t.host && %t.host

#include "../Inputs/harness.h"

constexpr int kBlocks = 40, kThreads = 48, kMostCores = 64;

__device__ unsigned core() {
  unsigned number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

__device__ unsigned cores() {
  unsigned number;
  asm("mov.u32 %0, %%nsmid;" : "=r"(number));
  return number;
}

__global__ void look(unsigned *seen, unsigned *count, unsigned *blocksOn) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  seen[at] = core() == __nvvm_read_ptx_sreg_smid() ? core() : ~0u;
  count[at] = cores() == __nvvm_read_ptx_sreg_nsmid() ? cores() : ~0u;
  if (threadIdx.x == 0)
    atomicAdd(&blocksOn[core()], 1u);
}

int main() {
  DeviceArray<unsigned> seen(kBlocks * kThreads), count(kBlocks * kThreads), blocksOn(kMostCores);
  look<<<kBlocks, kThreads>>>(seen, count, blocksOn);
  std::vector<unsigned> places = seen.host(), counts = count.host(), blocks = blocksOn.host();
  int number = 0;
  CHECK(cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, 0));
  for (int i = 0; i < kBlocks * kThreads; ++i) {
    expectEqual(places[i], places[i / kThreads * kThreads], "core of the block", i);
    expectEqual(counts[i], unsigned(number), "number of cores", i);
    EXPECT(places[i] < unsigned(number));
  }
  unsigned sum = 0;
  for (int i = 0; i < number; ++i)
    sum += blocks[i];
  expectEqual(sum, unsigned(kBlocks), "blocks on all cores");
  return finish();
}
