// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust as Debian has it: device_vector, copies, transform, reduce, scan, an iterator, a policy.
// RUN: %vxcc -O1 -I%inputs %s -o %t
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t

#include "harness.h"
#include <algorithm>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

struct Sum {
  __host__ __device__ int operator()(int x, int y) const { return x + y; }
};

int main() {
  constexpr int kCount = 1000;
  thrust::host_vector<int> numbers(kCount);
  for (int i = 0; i < kCount; ++i)
    numbers[i] = mixed(i) % 1000;
  thrust::device_vector<int> device = numbers, result(kCount);
  expectEqual(thrust::reduce(device.begin(), device.end()),
              std::accumulate(numbers.begin(), numbers.end(), 0), "reduce");

  thrust::inclusive_scan(device.begin(), device.end(), result.begin());
  thrust::host_vector<int> got = result, want(kCount);
  std::partial_sum(numbers.begin(), numbers.end(), want.begin());
  expect(std::equal(want.begin(), want.end(), got.begin()), "inclusive_scan");

  auto first = thrust::make_counting_iterator(1);
  thrust::transform(thrust::device, device.begin(), device.end(), first, result.begin(), Sum());
  got = result;
  for (int i = 0; i < kCount; ++i)
    expectEqual(got[i], numbers[i] + i + 1, "transform", i);
  device[3] = -7;
  expectEqual(int(device[3]), -7, "element");
  return finish();
}
