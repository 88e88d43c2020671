// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// new, delete and malloc in divergent device code: the heap's lock is taken by lanes of one warp
// that wait for each other; objects with virtual functions live there.
// RUN: %vxcc %s -o %t && %run %t | FileCheck %s
// RUN: %vxcc -O0 %s -o %t && %run %t | FileCheck %s

#include <cstdio>

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
struct Box : Shape {
  float a, b;
  __device__ Box(float a, float b) : a(a), b(b) {}
  __device__ float area() const override { return a * b; }
};

__global__ void shapes(float *out) {
  int i = threadIdx.x;
  Shape *shape = nullptr;
  if (i % 3 == 0)
    shape = new Square(i);
  else if (i % 3 == 1)
    shape = new Box(i, 10);
  out[i] = shape ? shape->area() : -1.0f;
  delete shape;
}

__global__ void lists(int *out) {
  int *all[4];
  for (int round = 0; round < 4; ++round) {
    all[round] = (int *)malloc((threadIdx.x + 1) * sizeof(int));
    if (all[round])
      all[round][threadIdx.x] = threadIdx.x * 10 + round;
  }
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    sum += all[round] ? all[round][threadIdx.x] : -1000;
    free(all[round]);
  }
  out[threadIdx.x] = sum;
}

struct alignas(64) Line {
  int count[16];
  int *ended;
  __device__ explicit Line(int *ended = nullptr) : count{1, 2, 3}, ended(ended) {}
  __device__ ~Line() {
    if (ended)
      atomicAdd(ended, count[2]);
  }
};
struct alignas(256) Page {
  char bytes[256];
};
template <class T> __device__ bool isAligned(const T *p) {
  return p && reinterpret_cast<size_t>(p) % alignof(T) == 0;
}

/// Types with more alignment than malloc gives.
__global__ void aligned(int *ended, int *misplaced) {
  for (int round = 0; round < 3; ++round) {
    Line *one = new Line(ended);
    Line *lines = new Line[3];
    Page *page = new Page();
    Page *pages = new Page[2];
    lines[2].ended = ended;
    page->bytes[255] = 7;
    pages[1].bytes[255] = 9;
    bool areRight = isAligned(one) && isAligned(lines) && isAligned(page) && isAligned(pages) &&
                    one->count[2] == 3 && lines[1].count[1] == 2 && page->bytes[254] == 0;
    if (!areRight)
      atomicAdd(misplaced, 1);
    delete one;
    delete[] lines;
    delete page;
    delete[] pages;
    delete static_cast<Line *>(nullptr);
  }
}

int main() {
  float *f, hf[40];
  int *n, hn[40], wrong = 0;
  cudaMalloc(&f, sizeof(hf));
  cudaMalloc(&n, sizeof(hn));
  shapes<<<1, 40>>>(f);
  lists<<<1, 40>>>(n);
  int *counts, hc[2];
  cudaMalloc(&counts, sizeof(hc));
  cudaMemset(counts, 0, sizeof(hc));
  aligned<<<1, 40>>>(counts, counts + 1);
  cudaMemcpy(hc, counts, sizeof(hc), cudaMemcpyDeviceToHost);
  wrong += hc[0] != 40 * 3 * 6 || hc[1] != 0;
  cudaMemcpy(hf, f, sizeof(hf), cudaMemcpyDeviceToHost);
  cudaMemcpy(hn, n, sizeof(hn), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 40; ++i) {
    float area = i % 3 == 0 ? float(i * i) : i % 3 == 1 ? i * 10.0f : -1.0f;
    wrong += hf[i] != area;
    wrong += hn[i] != i * 40 + 6;
  }
  // CHECK: 0 wrong, no error
  printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
