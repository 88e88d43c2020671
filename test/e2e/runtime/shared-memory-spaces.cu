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

struct Job {
  int *in, *out;
  int n;
};

__constant__ int *table;
__device__ Job kept;
__managed__ Job managedJob;

__device__ void work(const Job &job) {
  for (int i = threadIdx.x; i < job.n; i += blockDim.x)
    job.out[i] = job.in[i] * 2 + table[i & 1];
}

__global__ void byValue(Job job) { work(job); }
__global__ void byPointer(const Job *job) { work(*job); }
__global__ void bySymbol() { work(kept); }
__global__ void byManaged() { work(managedJob); }

/// Host memory whose address a kernel has from somewhere else than its arguments.
static void pinnedAnywhere() {
  const int n = 70;
  std::vector<int> registered(n);
  int *in, *out, *values;
  CHECK(cudaMallocHost(&in, n * sizeof(int)));
  CHECK(cudaHostAlloc(&out, n * sizeof(int), cudaHostAllocDefault));
  CHECK(cudaHostAlloc(&values, 2 * sizeof(int), cudaHostAllocPortable));
  CHECK(cudaHostRegister(registered.data(), n * sizeof(int), cudaHostRegisterDefault));
  values[0] = 100, values[1] = 200;
  CHECK(cudaMemcpyToSymbol(table, &values, sizeof values));
  Job job{in, out, n}, other{registered.data(), registered.data(), n};
  DeviceArray<Job> onDevice(1);
  for (int round = 0; round < 8; ++round) {
    const Job &used = round & 1 ? other : job;
    for (int i = 0; i < n; ++i)
      used.out[i] = -1, used.in[i] = i * round;
    CHECK(cudaMemcpy(onDevice, &used, sizeof used, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(kept, &used, sizeof used));
    managedJob = used;
    if (round / 2 == 0)
      byPointer<<<1, 32>>>(onDevice);
    else if (round / 2 == 1)
      bySymbol<<<1, 32>>>();
    else if (round / 2 == 2)
      byManaged<<<1, 32>>>();
    else
      byValue<<<1, 32>>>(used);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i)
      expectEqual(used.out[i], i * round * 2 + values[i & 1], "memory of the host", round * 100 + i);
  }
  CHECK(cudaHostUnregister(registered.data()));
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  byPointer<<<1, 32>>>(onDevice); // its memory is the host's alone again
  expect(cudaDeviceSynchronize() == cudaErrorIllegalAddress, "unregistered memory");
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
