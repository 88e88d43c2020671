// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <nv/target>: code for one side only; with and without libcu++'s header.
//
// RUN: %vxcc %s -o %t && %run %t
// RUN: mkdir -p %t.own/nv && sed 's/__has_include_next(<nv.target>)/0/' %root/include/nv/target > %t.own/nv/target
// RUN: %vxcc -I %t.own %s -o %t.2 && %run %t.2

#include <cstdio>
#include <nv/target>

__host__ __device__ int side() {
  NV_IF_TARGET(NV_IS_DEVICE, (return 1;), (return 2;))
}

__host__ __device__ int parts() {
  int sum = 0;
  NV_IF_TARGET(NV_PROVIDES_SM_70, (sum += 10;))
  NV_IF_ELSE_TARGET(NV_IS_HOST, (sum += 100;), (sum += 1000;))
  return sum;
}

__global__ void run(int *out) {
  out[0] = side();
  out[1] = parts();
}

int main() {
  int *out;
  cudaMallocManaged(&out, 2 * sizeof(int));
  run<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  bool good = out[0] == 1 && out[1] == 1010 && side() == 2 && parts() == 100;
  std::printf("%s\n", good ? "PASS" : "FAIL");
  return !good;
}
