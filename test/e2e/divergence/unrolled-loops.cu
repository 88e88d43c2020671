// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over strides and lengths that differ between threads, among them none, one, bounds near the
// ends of the type and unsigned ones, against the same loops on the host.
// RUN: %vxcc -O3 -I%S/../Inputs %s -o %t
// RUN: %shapes --few %t
// RUN: %vxcc -O3 --vx-xlen=32 -I%S/../Inputs %s -o %t.32
// RUN: env VX_SET=isa.xlen=32 %t.32
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane %t
// RUN: %vxcc -O3 --emit=elf %s -I%S/../Inputs -o %t.elf
// RUN: %vx_objdump --check-divergence %t.elf

#include <climits>
#include <cstdio>
#include <vector>

constexpr int kData = 256;

struct Case {
  int first, bound, stride;
};

__host__ __device__ unsigned mix(unsigned sum, unsigned value) {
  return sum * 31 + value;
}

__host__ __device__ unsigned run(const unsigned *data, Case c, int kind) {
  unsigned sum = 1;
  if (kind == 0)
    for (int i = c.first; i < c.bound; i += c.stride)
      sum = mix(sum, data[i & (kData - 1)]);
  if (kind == 1)
    for (unsigned i = c.first; i < unsigned(c.bound); i += unsigned(c.stride))
      sum = mix(sum, data[i & (kData - 1)]);
  if (kind == 2)
    for (int i = 0; i < c.bound % 40; ++i)
      sum = mix(sum, data[i]);
  if (kind == 3)
    for (long i = c.first; i < long(c.bound); i += c.stride)
      if (data[i & (kData - 1)] & 1)
        sum = mix(sum, unsigned(i));
  return sum;
}

__global__ void kernel(const unsigned *data, const Case *cases, unsigned *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  for (int kind = 0; kind < 4; ++kind)
    out[4 * t + kind] = run(data, cases[t], kind);
}

int main() {
  std::vector<unsigned> data(kData);
  unsigned seed = 7;
  auto next = [&] { return (seed = seed * 1664525 + 1013904223) >> 8; };
  for (unsigned &d : data)
    d = next();
  std::vector<Case> cases;
  for (int length = 0; length < 14; ++length)
    for (int stride : {1, 2, 3, 7, 100})
      cases.push_back({int(next() % 50) + 100, 0, stride}), cases.back().bound =
          cases.back().first + length * stride - int(next() % stride);
  // Each ends before the counter passes the end of its type.
  cases.push_back({INT_MAX - 10, INT_MAX - 3, 3});
  cases.push_back({INT_MAX - 12, INT_MAX - 2, 1});
  cases.push_back({0, INT_MAX - (1 << 29), 1 << 29});
  cases.push_back({0, 1 << 30, (1 << 30) + 5});
  cases.push_back({1, 0, 5});
  int n = int(cases.size());
  unsigned *deviceData, *deviceOut;
  Case *deviceCases;
  cudaMalloc(&deviceData, kData * 4);
  cudaMalloc(&deviceCases, n * sizeof(Case));
  cudaMalloc(&deviceOut, n * 16);
  cudaMemcpy(deviceData, data.data(), kData * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(deviceCases, cases.data(), n * sizeof(Case), cudaMemcpyHostToDevice);
  kernel<<<(n + 31) / 32, 32>>>(deviceData, deviceCases, deviceOut, n);
  std::vector<unsigned> out(4 * n);
  cudaMemcpy(out.data(), deviceOut, n * 16, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < n; ++t)
    for (int kind = 0; kind < 4; ++kind)
      if (out[4 * t + kind] != run(data.data(), cases[t], kind)) {
        std::printf("case %d (%d, %d, %d), loop %d\n", t, cases[t].first, cases[t].bound,
                    cases[t].stride, kind);
        ++wrong;
      }
  std::printf(wrong || cudaGetLastError() != cudaSuccess ? "FAIL\n" : "PASS\n");
  return wrong != 0;
}
