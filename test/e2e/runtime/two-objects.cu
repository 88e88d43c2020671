// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s %S/Inputs/other-object.cu -o %t && %run %t
//
// Two objects with kernels and variables of the same names: each keeps its own, both are on the
// device at the same time, and each may be given pointers into the other. A variable that holds an
// address holds the right one.

#include "../Inputs/harness.h"

int *cellOfOtherObject();
void stepOfOtherObject(int *theirs);

__device__ int cell = 1;
__device__ int *whereCellIs = &cell;
__constant__ int amount = 10;

static __global__ void step(int *theirs) {
  *whereCellIs += amount;
  *theirs += 100000;
}

static int read(const int *device) {
  int value = 0;
  CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

int main() {
  void *address;
  CHECK(cudaGetSymbolAddress(&address, cell));
  int *mine = static_cast<int *>(address), *theirs = cellOfOtherObject();
  expect(mine != theirs, "two places");
  for (int i = 0; i < 3; ++i) {
    step<<<1, 1>>>(theirs);
    stepOfOtherObject(mine);
  }
  CHECK(cudaDeviceSynchronize());
  expectEqual(read(mine), 1 + 3 * 10 + 3 * 1000, "this object's cell");
  expectEqual(read(theirs), 5 + 3 * 1 + 3 * 100000, "the other object's cell");
  int more = 20;
  CHECK(cudaMemcpyToSymbol(amount, &more, sizeof more));
  step<<<1, 1>>>(theirs);
  CHECK(cudaDeviceSynchronize());
  expectEqual(read(mine), 3051, "with another constant");
  return finish();
}
