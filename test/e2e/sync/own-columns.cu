// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 -Rvx-lower %s -o %t 2>&1 | FileCheck %s
// RUN: env VX_LOWERING=prefer-hw %shapes %t flat && %shapes --lower=sw %t flat && %shapes %t flat rows
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=16,core.num_threads=32 %run %t around
// RUN: not env VX_LOWERING=hw %run %t rows 2>&1 | FileCheck --check-prefix=ROWS %s
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0 flat rows
// RUN: %vxcc -O3 --vx-xlen=32 %s -o %t.32 && %shapes --few --xlen=32 %t.32 flat rows
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host flat rows
//
// Threads that wait where no other thread of their warp writes, as in a radix sort in one pass: each
// has its column of a table. That is so in blocks of one dimension; in others, rows of threads have
// the same column, and the hw variant is not for them.

#include <cstdio>
#include <cstring>

constexpr int kColumns = 64, kBlocks = 5;

__device__ volatile int table[kBlocks * kColumns];

// Adds up what the blocks before have in the thread's column, and hands the sum to the next.
// CHECK-NOT: lookBack{{.*}}in hw they continue in rounds
__global__ void lookBack(int *sums) {
  int block = blockIdx.x, column = threadIdx.x, sum = column + block + 1, from;
  if (block > 0) {
    while ((from = table[(block - 1) * kColumns + column]) == 0)
      ;
    sum += from;
  }
  __threadfence();
  table[block * kColumns + column] = sum;
  int above = __shfl_up_sync(~0u, sum, 1);
  sums[block * kColumns + column] = sum - (column % 32 ? above : 0);
}

// A thread of one block waits for one of the other, which waits at a barrier for a neighbour, which
// waits for a neighbour of the first.
// CHECK: aroundTheOther{{.*}}in hw they continue in rounds
__global__ void aroundTheOther(int *sums) {
  int block = blockIdx.x, column = threadIdx.x;
  if (column == block)
    while (table[(1 - block) * kColumns + column] == 0)
      ;
  if (block == 1)
    __syncthreads();
  table[block * kColumns + column] = 1;
  sums[column] = 1;
  if (__any_sync(~0u, sums[column] < 0))
    sums[column] = -1;
}

template <class T> void clear(T &variable) {
  void *where;
  cudaGetSymbolAddress(&where, variable);
  cudaMemset(where, 0, sizeof variable);
}

int *sums;
bool check(const char *what, int count, int (*expected)(int)) {
  cudaError_t error = cudaDeviceSynchronize();
  int bad = error ? count : 0;
  for (int i = 0; i < count && !error; ++i)
    bad += sums[i] != expected(i);
  printf("%s: %s, %d wrong\n", what, cudaGetErrorString(error), bad);
  memset(sums, 0, kBlocks * kColumns * sizeof *sums);
  clear(table);
  return bad == 0;
}

int main(int argc, char **argv) {
  cudaMallocManaged(&sums, kBlocks * kColumns * sizeof *sums);
  memset(sums, 0, kBlocks * kColumns * sizeof *sums);
  bool good = true;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "flat")) {
      lookBack<<<kBlocks, kColumns>>>(sums);
      good &= check("lookBack", kBlocks * kColumns, [](int i) {
        int block = i / kColumns, column = i % kColumns;
        int sum = (column + 1) * (block + 1) + block * (block + 1) / 2;
        return column % 32 ? block + 1 : sum;
      });
    } else if (!strcmp(argv[i], "around")) { // both blocks have to be resident
      aroundTheOther<<<2, kColumns>>>(sums);
      good &= check("aroundTheOther", kColumns, [](int) { return 1; });
    } else {
      lookBack<<<kBlocks, dim3(8, 4, 2)>>>(sums);
      // ROWS: error: kernel `lookBack(int*)`: its hw variant is for blocks of one dimension
      good &= check("lookBack in rows", 8, [](int) { return 1; });
    }
  }
  puts(good ? "PASS" : "FAIL");
  return !good;
}
