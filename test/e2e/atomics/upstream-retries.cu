// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It is about profile `upstream`.
// UNSUPPORTED: paths
// In Vortex's profile a failed store-conditional is followed by a wait (vx-expand-atomics): the loops of
// compare-and-swap and of what is made of it still count right, and lanes may disagree in them.
// RUN: %vxcc -O2 --vx-isa=upstream %s -o %t
// RUN: %shapes --few --isa=upstream %t
// RUN: %shapes --few --isa=upstream --lower=sw %t
// RUN: %vxcc -O2 --vx-isa=upstream --emit=elf %s -o %t.elf && vx-objdump --check-divergence %t.elf

#include <cstdio>

__global__ void count(unsigned *words, float *sum) {
  unsigned *word = &words[threadIdx.x % 3];
  for (unsigned seen = *word, old; (old = atomicCAS(word, seen, seen + 1)) != seen; seen = old)
    ;
  if (threadIdx.x % 2)
    atomicAdd(sum, 1.0f);
  else
    atomicExch(&words[3 + threadIdx.x], atomicCAS(&words[threadIdx.x + 3], 0, 1) + 7);
}

int main() {
  constexpr unsigned kThreads = 64, kBlocks = 2;
  unsigned *words, values[3 + kThreads];
  float *sum, total;
  cudaMalloc(&words, sizeof values);
  cudaMalloc(&sum, sizeof total);
  cudaMemset(words, 0, sizeof values);
  cudaMemset(sum, 0, sizeof total);
  count<<<kBlocks, kThreads>>>(words, sum);
  cudaMemcpy(values, words, sizeof values, cudaMemcpyDeviceToHost);
  cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
  bool right = values[0] == 22 * kBlocks && values[1] == 21 * kBlocks && values[2] == 21 * kBlocks &&
               total == kThreads / 2 * kBlocks;
  for (unsigned i = 0; i < kThreads; i += 2)
    right &= values[3 + i] >= 7;
  std::printf(right ? "PASS\n" : "FAIL\n");
  return !right;
}
