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

int main() {
  float *f, hf[40];
  int *n, hn[40], wrong = 0;
  cudaMalloc(&f, sizeof(hf));
  cudaMalloc(&n, sizeof(hn));
  shapes<<<1, 40>>>(f);
  lists<<<1, 40>>>(n);
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
