// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's algorithms called by kernels: with thrust::device, too, the calling thread does the work.
// RUN: %vxcc -O2 -I%inputs %s -o %t 2>&1 | count 0
// RUN: %shapes --warp %t

#include "harness.h"
#include <algorithm>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

constexpr int kThreads = 40, kItems = 30;

template <class Policy> __global__ void work(Policy policy, int *items, int *sums) {
  int i = threadIdx.x;
  int *own = items + i * kItems;
  thrust::sort(policy, own, own + kItems);
  sums[3 * i] = thrust::reduce(policy, own, own + kItems, 7);
  sums[3 * i + 1] = int(thrust::count(policy, own, own + kItems, own[kItems / 2]));
  thrust::inclusive_scan(policy, own, own + kItems / 2, own);
  sums[3 * i + 2] = own[kItems / 2 - 1];
}

int main() {
  std::vector<int> items(kThreads * kItems), expected;
  for (int i = 0; i < kThreads * kItems; ++i)
    items[i] = int(mixed(i) % 100);
  DeviceArray<int> first(items), second(items), sums(3 * kThreads), others(3 * kThreads);
  work<<<1, kThreads>>>(thrust::device, first, sums);
  work<<<1, kThreads>>>(thrust::seq, second, others);
  for (int i = 0; i < kThreads; ++i) {
    auto begin = items.begin() + i * kItems, end = begin + kItems;
    std::sort(begin, end);
    expected.push_back(7);
    for (auto p = begin; p != end; ++p)
      expected.back() += *p;
    expected.push_back(int(std::count(begin, end, begin[kItems / 2])));
    for (int k = 1; k < kItems / 2; ++k)
      begin[k] += begin[k - 1];
    expected.push_back(begin[kItems / 2 - 1]);
  }
  EXPECT(first.host() == items && second.host() == items);
  EXPECT(sums.host() == expected && others.host() == expected);
  return finish();
}
