// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t && %run %t
//
// Memory that host and device both use: managed memory with pointers in it, mapped and page-locked
// host memory, device variables by symbol and by address, and shared memory larger than a core's
// local memory.

#include "../Inputs/harness.h"

struct Node {
  int value;
  Node *next;
};

__global__ void doubleAll(Node *node) {
  for (; node; node = node->next)
    node->value *= 2;
}

__global__ void addTo(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += a[i];
}

__device__ int counter;

__global__ void count() { atomicAdd(&counter, 1); }

__global__ void reversedSum(int *out, int n) {
  extern __shared__ int numbers[];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    numbers[i] = i * (int(blockIdx.x) + 1);
  __syncthreads();
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += numbers[n - 1 - i];
  atomicAdd(out + blockIdx.x, sum);
}

static void managed() {
  Node *list;
  CHECK(cudaMallocManaged(&list, 3 * sizeof(Node)));
  for (int i = 0; i < 3; ++i)
    list[i] = {i + 1, i < 2 ? list + i + 1 : nullptr};
  doubleAll<<<1, 1>>>(list);
  CHECK(cudaDeviceSynchronize());
  list[1].value += 10; // and back again
  doubleAll<<<1, 1>>>(list);
  CHECK(cudaDeviceSynchronize());
  expectEqual(list[0].value, 4, "first");
  expectEqual(list[1].value, 28, "second");
  expectEqual(list[2].value, 12, "third");
  CHECK(cudaFree(list));
}

static void mapped() {
  const int n = 100;
  float *host, *device, *pinned;
  CHECK(cudaHostAlloc(&host, n * sizeof(float), cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&device, host, 0));
  CHECK(cudaMallocHost(&pinned, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    host[i] = float(i), pinned[i] = 1000;
  addTo<<<4, 32>>>(device, pinned, n);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    expectEqual(pinned[i], 1000.0f + i, "page-locked", i);
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(pinned));
}

static void variables() {
  int value = 0;
  count<<<7, 33>>>();
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  expectEqual(value, 7 * 33, "symbol");
  void *address;
  CHECK(cudaGetSymbolAddress(&address, counter));
  value = 5;
  CHECK(cudaMemcpy(address, &value, sizeof value, cudaMemcpyHostToDevice));
  count<<<1, 1>>>();
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  expectEqual(value, 6, "address of a symbol");
}

static void largeShared() {
  const int n = 10000, blocks = 4;
  DeviceArray<int> out(blocks);
  reversedSum<<<blocks, 128, n * sizeof(int)>>>(out, n);
  std::vector<int> sums = out.host();
  for (int b = 0; b < blocks; ++b)
    expectEqual(sums[b], (b + 1) * (n / 2 * (n - 1)), "sum", b);
}

int main() {
  managed();
  mapped();
  variables();
  largeShared();
  return finish();
}
