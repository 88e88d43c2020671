// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB as Debian has it: block and warp functions with vote and shuffle PTX, and a reduction of a
// whole array, against the host's algorithms.
// RUN: %vxcc -O2 -I%inputs %s -o %t
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t

#include "harness.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>

constexpr int kThreads = 64, kItems = 4, kBlocks = 3, kCount = kThreads * kItems * kBlocks;

__global__ void blocks(const int *in, int *sums, int *scan, int *sorted, int *warps) {
  typedef cub::BlockReduce<int, kThreads> Reduce;
  typedef cub::BlockScan<int, kThreads> Scan;
  typedef cub::BlockRadixSort<int, kThreads, kItems> Sort;
  typedef cub::WarpReduce<int> WarpMax;
  __shared__ union {
    Reduce::TempStorage reduce;
    Scan::TempStorage scan;
    Sort::TempStorage sort;
    WarpMax::TempStorage warps[kThreads / 32];
  } storage;
  int thread = blockIdx.x * kThreads + threadIdx.x, values[kItems], sumsSoFar[kItems];
  cub::LoadDirectBlocked(threadIdx.x, in + blockIdx.x * kThreads * kItems, values);
  int sum = Reduce(storage.reduce).Sum(values);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
  __syncthreads();
  int largest = WarpMax(storage.warps[threadIdx.x / 32]).Reduce(values[0], cub::Max());
  if (threadIdx.x % 32 == 0)
    warps[thread / 32] = largest;
  __syncthreads();
  Scan(storage.scan).InclusiveSum(values, sumsSoFar);
  __syncthreads();
  Sort(storage.sort).Sort(values);
  for (int i = 0; i < kItems; ++i) {
    scan[thread * kItems + i] = sumsSoFar[i];
    sorted[thread * kItems + i] = values[i];
  }
}

int main() {
  std::vector<int> in(kCount);
  for (int i = 0; i < kCount; ++i)
    in[i] = int(mixed(i) % 20000) - 10000;
  DeviceArray<int> input(in), sums(kBlocks), scan(kCount), sorted(kCount);
  DeviceArray<int> warps(kBlocks * kThreads / 32), total(1);
  blocks<<<kBlocks, kThreads>>>(input, sums, scan, sorted, warps);
  std::vector<int> gotSums = sums.host(), gotScan = scan.host(), gotSorted = sorted.host(),
                   gotWarps = warps.host();
  for (int b = 0; b < kBlocks; ++b) {
    int first = b * kThreads * kItems;
    std::vector<int> part(in.begin() + first, in.begin() + first + kThreads * kItems), sum(part);
    std::partial_sum(part.begin(), part.end(), sum.begin());
    expectEqual(gotSums[b], sum.back(), "BlockReduce", b);
    expect(std::equal(sum.begin(), sum.end(), gotScan.begin() + first), "BlockScan", b);
    for (int w = 0; w < kThreads / 32; ++w) {
      int largest = part[w * 32 * kItems];
      for (int lane = 0; lane < 32; ++lane)
        largest = std::max(largest, part[(w * 32 + lane) * kItems]);
      expectEqual(gotWarps[b * kThreads / 32 + w], largest, "WarpReduce", b * 100 + w);
    }
    std::sort(part.begin(), part.end());
    expect(std::equal(part.begin(), part.end(), gotSorted.begin() + first), "BlockRadixSort", b);
  }
  size_t bytes = 0;
  CHECK(cub::DeviceReduce::Sum(nullptr, bytes, (int *)input, (int *)total, kCount));
  DeviceArray<char> space(bytes);
  CHECK(cub::DeviceReduce::Sum((char *)space, bytes, (int *)input, (int *)total, kCount));
  expectEqual(total.host()[0], std::accumulate(in.begin(), in.end(), 0), "DeviceReduce");
  return finish();
}
