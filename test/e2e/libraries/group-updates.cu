// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of groups into atomics of libcu++.
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: %shapes --warp --lower=hw %t
// RUN: %shapes --few --lower=sw %t

#include "harness.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

constexpr int kThreads = 96;

struct Sums {
  cuda::atomic<int, cuda::thread_scope_device> sum, product;
  cuda::atomic<unsigned, cuda::thread_scope_device> most, inclusive, exclusive, odd;
  float stored[kThreads / 8];
};

__host__ __device__ inline unsigned valueOf(int thread) {
  return mixed(thread + 3) % 1000;
}

__global__ void update(Sums *sums, unsigned *inclusive, unsigned *exclusive) {
  int t = threadIdx.x;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  cg::reduce_update_async(tile, sums->sum, (int)valueOf(t), cg::plus<int>());
  cg::reduce_update_async(tile, sums->most, valueOf(t), cg::greater<unsigned>());
  cg::reduce_update_async(tile, sums->product, t % 8 == 3 ? 2 : 1,
                          [](int a, int b) { return a * b; });
  cg::reduce_store_async(tile, &sums->stored[t / 8], (float)valueOf(t), cg::less<float>());
  auto half = cg::binary_partition<8>(tile, t % 2);
  cg::reduce_update_async(half, sums->odd, t % 2 ? valueOf(t) : 0u, cg::plus<unsigned>());
  // Tiles come in any order, but each takes the next part of the whole.
  auto warp = cg::tiled_partition<32>(block);
  inclusive[t] = cg::inclusive_scan_update(warp, sums->inclusive, valueOf(t));
  exclusive[t] = cg::exclusive_scan_update(warp, sums->exclusive, valueOf(t), cg::plus<unsigned>());
}

/// The parts of the warps, by what each begins with, are one after the other.
static void checkScan(const std::vector<unsigned> &got, bool isInclusive, const char *name) {
  unsigned total = 0, starts = 0, wanted = 0;
  std::vector<std::pair<unsigned, unsigned>> parts;
  for (int first = 0; first < kThreads; first += 32) {
    unsigned start = got[first] - (isInclusive ? valueOf(first) : 0), sum = start;
    for (int t = first; t < first + 32; ++t) {
      expectEqual(got[t], sum + (isInclusive ? valueOf(t) : 0), name, t);
      sum += valueOf(t);
    }
    parts.push_back({start, sum});
    total += sum - start;
  }
  for (auto [start, end] : parts) {
    starts += start == 0;
    for (auto [other, otherEnd] : parts)
      wanted += other == end;
    wanted += end == total;
  }
  EXPECT(starts == 1 && wanted == parts.size());
}

int main() {
  Sums *sums;
  CHECK(cudaMallocManaged(&sums, sizeof *sums));
  new (sums) Sums();
  sums->product = 1;
  DeviceArray<unsigned> inclusive(kThreads), exclusive(kThreads);
  update<<<1, kThreads>>>(sums, inclusive, exclusive);
  CHECK(cudaDeviceSynchronize());
  int sum = 0;
  unsigned most = 0, odd = 0;
  for (int t = 0; t < kThreads; ++t) {
    sum += valueOf(t);
    most = most < valueOf(t) ? valueOf(t) : most;
    odd += t % 2 ? valueOf(t) : 0;
    float least = 1000;
    for (int i = t & ~7; i <= (t | 7); ++i)
      least = least < valueOf(i) ? least : valueOf(i);
    expectEqual(sums->stored[t / 8], least, "stored", t);
  }
  EXPECT(sums->sum == sum && sums->most == most && sums->odd == odd);
  EXPECT(sums->product == 1 << kThreads / 8);
  checkScan(inclusive.host(), true, "inclusive");
  checkScan(exclusive.host(), false, "exclusive");
  return finish();
}
