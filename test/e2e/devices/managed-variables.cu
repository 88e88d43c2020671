// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s %S/Inputs/managed-other.cu -o %t && %run %t
// RUN: env VX_LOWERING=sw %run %t
// RUN: env VX_DEVICES=2 %run %t
// RUN: %vxcc -O3 --vx-xlen=32,64 %s %S/Inputs/managed-other.cu -o %t.both
// RUN: env VX_SET=isa.xlen=32 VX_DEVICES=2 %run %t.both
// RUN: env VX_SET=isa.xlen=64 %run %t.both
// RUN: %vxcc -O3 --target=host %s %S/Inputs/managed-other.cu -o %t.host && %run %t.host
//
// __managed__ variables: numbers, arrays, structures, with and without initial values, of files and
// of classes, used by the host before and after kernels, and by all devices; and managed memory that
// they point to.

#include "../Inputs/harness.h"

struct Node {
  int value;
  Node *next;
};

struct Table {
  double scale;
  int numbers[4];
  Node *list;
};

__managed__ int counter = 7;
__managed__ int zeros[3000];
__device__ __managed__ Table table = {1.5, {1, 2, 3}, nullptr};
static __managed__ float hidden = 0.25f;
namespace inner {
__managed__ unsigned char small = 200;
}
struct Holder {
  static __managed__ long long held;
};
__managed__ long long Holder::held = -5;

// Before main.
static int *take(int value) {
  zeros[20] = value;
  return &zeros[20];
}
static int early = counter + 1;
static int *earlyPointer = take(4);

// managed-other.cu
int otherValue(int device);

__global__ void work(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    zeros[i] += i;
  atomicAdd(&counter, 1);
  if (i == 0) {
    table.scale *= 2;
    table.numbers[3] = table.numbers[0] + table.numbers[2];
    int sum = 0;
    for (Node *node = table.list; node; node = node->next)
      sum += node->value;
    table.numbers[0] = sum;
    hidden += 1;
    inner::small += 100;
    Holder::held *= 3;
    table.list = table.list ? table.list->next : nullptr;
  }
}

__global__ void addTo(int *p, int value) { atomicAdd(p, value); }

/// The address that kernels see.
__global__ void store(int **where) { *where = &counter; }

int main() {
  // Before anything else of the runtime.
  EXPECT(counter == 7 && zeros[2999] == 0 && table.scale == 1.5 && table.numbers[1] == 2);
  EXPECT(hidden == 0.25f && inner::small == 200 && Holder::held == -5);
  EXPECT(early == 8 && earlyPointer == &zeros[20] && zeros[20] == 4);
  counter = 100;
  zeros[10] = 1000;
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  double scale = 1.5;
  float expectedHidden = 0.25f;
  for (int device = 0; device < devices; ++device) {
    CHECK(cudaSetDevice(device));
    Node *nodes = nullptr;
    CHECK(cudaMallocManaged(&nodes, 3 * sizeof(Node)));
    for (int i = 0; i < 3; ++i)
      nodes[i] = {10 + i, i < 2 ? nodes + i + 1 : nullptr};
    table.list = nodes;
    table.numbers[0] = 1;
    inner::small = 200;
    Holder::held = -5;
    int before = counter;
    work<<<12, 256>>>(3000);
    CHECK(cudaDeviceSynchronize());
    EXPECT(counter == before + 12 * 256);
    scale *= 2;
    expectedHidden += 1;
    EXPECT(table.scale == scale && table.numbers[3] == 4 && table.numbers[0] == 33);
    EXPECT(hidden == expectedHidden && inner::small == 44 && Holder::held == -15);
    EXPECT(table.list == nodes + 1 && table.list->value == 11);
    EXPECT(zeros[2999] == 2999 * (device + 1) && zeros[10] == 1000 + 10 * (device + 1));
    EXPECT(otherValue(device) == 42 + device);

    // One address for both sides.
    int **where = nullptr;
    CHECK(cudaMallocManaged(&where, sizeof *where));
    store<<<1, 1>>>(where);
    addTo<<<1, 32>>>(&counter, 2);
    CHECK(cudaDeviceSynchronize());
    EXPECT(*where == &counter);
    EXPECT(counter == before + 12 * 256 + 64);
    CHECK(cudaFree(where));
    CHECK(cudaFree(nodes));
  }

  int copy = 0, five = 5;
  void *address = nullptr;
  size_t size = 0;
  CHECK(cudaMemcpyFromSymbol(&copy, counter, sizeof copy));
  EXPECT(copy == counter);
  CHECK(cudaMemcpyToSymbol(counter, &five, sizeof five));
  EXPECT(counter == 5);
  CHECK(cudaGetSymbolAddress(&address, counter));
  EXPECT(address == &counter);
  CHECK(cudaGetSymbolSize(&size, zeros));
  EXPECT(size == sizeof zeros);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, &counter));
  EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == &counter);
  EXPECT(cudaFree(&counter) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  return finish();
}
