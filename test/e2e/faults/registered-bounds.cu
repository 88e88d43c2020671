// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %run %t 2>&1 | FileCheck %s
//
// Memory of the program that a kernel may use ends to the byte where it was registered; its
// neighbours stay as they are.

#include "../Inputs/harness.h"

__global__ void set(char *p) { *p = 1; }

int main() {
  std::vector<char> bytes(10000);
  CHECK(cudaHostRegister(&bytes[5], 5000, cudaHostRegisterMapped));
  set<<<1, 1>>>(&bytes[5]);
  set<<<1, 1>>>(&bytes[5004]);
  CHECK(cudaDeviceSynchronize());
  expect(bytes[5] == 1 && bytes[5004] == 1, "inside");
  // The argument is inside, the access is not.
  set<<<1, 1>>>(&bytes[5004] + 1);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
  for (size_t i = 0; i < bytes.size(); ++i)
    expect(bytes[i] == (i == 5 || i == 5004), "outside", i);
  std::puts(wrongResults() ? "FAIL" : "PASS");
  return wrongResults() != 0;
}
// CHECK: kernel `set(char*)` stopped: illegal memory access, writing 1 bytes at
// CHECK: cudaErrorIllegalAddress
// CHECK: PASS
