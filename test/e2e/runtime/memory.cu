// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %run %t
//
// Copies of every kind, to and from the middle of allocations, rows of 2-D arrays, fills, and the
// device's own copies, seen by kernels.

#include "../Inputs/harness.h"

__global__ void invert(unsigned char *p, size_t n) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n)
    p[i] = static_cast<unsigned char>(~p[i]);
}

int main() {
  const size_t n = 1001;
  std::vector<unsigned char> host(n), back(n);
  for (size_t i = 0; i < n; ++i)
    host[i] = static_cast<unsigned char>(mixed(i));
  unsigned char *a, *b;
  CHECK(cudaMalloc(&a, n));
  CHECK(cudaMalloc(&b, n));
  CHECK(cudaMemcpy(a, host.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(b, 0x5a, n));
  CHECK(cudaMemcpy(b + 100, a + 3, 500, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(b + 700, host.data() + 11, 5, cudaMemcpyDefault));
  CHECK(cudaMemset(b + 900, 1, 7));
  invert<<<20, 64>>>(b, n);
  CHECK(cudaMemcpy(back.data() + 1, b + 1, n - 1, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(back.data(), b, 1, cudaMemcpyDefault));
  for (size_t i = 0; i < n; ++i) {
    unsigned char want = 0x5a;
    if (i >= 100 && i < 600)
      want = host[i - 97];
    if (i >= 700 && i < 705)
      want = host[i - 689];
    if (i >= 900 && i < 907)
      want = 1;
    expectEqual(back[i], static_cast<unsigned char>(~want), "bytes", i);
  }

  unsigned char *pitched;
  size_t pitch = 0;
  const size_t width = 37, height = 9;
  CHECK(cudaMallocPitch(&pitched, &pitch, width, height));
  expect(pitch >= width, "pitch");
  CHECK(cudaMemset2D(pitched, pitch, 9, width, height));
  CHECK(cudaMemcpy2D(pitched + pitch + 2, pitch, host.data(), 40, 30, 6, cudaMemcpyHostToDevice));
  std::vector<unsigned char> rows(width * height);
  CHECK(cudaMemcpy2D(rows.data(), width, pitched, pitch, width, height, cudaMemcpyDeviceToHost));
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) {
      bool inside = y >= 1 && y < 7 && x >= 2 && x < 32;
      expectEqual(rows[y * width + x],
                  inside ? host[(y - 1) * 40 + x - 2] : static_cast<unsigned char>(9), "rows",
                  y * 100 + x);
    }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(pitched));
  return finish();
}
