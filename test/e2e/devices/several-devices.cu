// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && env VX_DEVICES=3 %run %t
// RUN: env VX_DEVICES=2 VX_LOWERING=sw %run %t
// RUN: %vxcc -O3 --vx-xlen=32 %s -o %t.32 && env VX_DEVICES=3 VX_SET=isa.xlen=32 %run %t.32
// RUN: %vxcc -O3 --target=host %s -o %t.host && env VX_DEVICES=3 %run %t.host
// RUN: env VX_DEVICES=0 not %run %t 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: env VX_DEVICES=two not %run %t 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: env VX_DEVICES=2 VX_STATS=text %run %t 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: rm -f %t.*.json && env VX_DEVICES=2 VX_STATS=json:%t.stats.json %run %t
// RUN: FileCheck %s --check-prefix=JSON < %t.stats.device1.json
//
// COUNT: vxrt: VX_DEVICES=0: it is a number from 1 to 64
// WORD: vxrt: VX_DEVICES=two: it is a number from 1 to 64
// STATS-DAG: {{^}}device 0
// STATS-DAG: {{^}}device 1
// JSON: "device": "device 1"
//
// Devices with variables, memory, streams, limits and clocks of their own, used by one host thread
// and by one thread each; copies between them; what belongs to which device.

#include "../Inputs/harness.h"
#include <thread>

__device__ int total = 5;
__constant__ int factor = 1;

__global__ void work(int *p, int n, int add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i] = p[i] * factor + add + i;
    atomicAdd(&total, 1);
  }
}

constexpr int n = 1000;

struct One {
  int *memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
};

static bool isDevice(const void *pointer, int device) {
  cudaPointerAttributes attributes;
  return cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess &&
         attributes.type == cudaMemoryTypeDevice && attributes.device == device;
}

static void useDevice(int device, One &one) {
  CHECK(cudaSetDevice(device));
  CHECK(cudaMalloc(&one.memory, n * sizeof(int)));
  CHECK(cudaMemset(one.memory, 0, n * sizeof(int)));
  CHECK(cudaStreamCreate(&one.stream));
  CHECK(cudaEventCreate(&one.event));
  int own = device + 2;
  CHECK(cudaMemcpyToSymbol(factor, &own, sizeof own));
  for (int i = 0; i < 3; ++i)
    work<<<8, 128, 0, one.stream>>>(one.memory, n, 100 * device);
  CHECK(cudaEventRecord(one.event, one.stream));
}

static int expected(int device, int i) {
  int value = 0;
  for (int k = 0; k < 3; ++k)
    value = value * (device + 2) + 100 * device + i;
  return value;
}

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess)
    return 1;
  std::vector<One> all(count);
  std::vector<std::thread> threads;
  for (int d = 0; d < count; ++d)
    threads.emplace_back([&, d] {
      useDevice(d, all[d]);
      int now = -1;
      CHECK(cudaGetDevice(&now));
      EXPECT(now == d);
    });
  for (std::thread &thread : threads)
    thread.join();
  int now = -1;
  CHECK(cudaGetDevice(&now));
  EXPECT(now == 0); // of this thread

  std::vector<int> back(n);
  for (int d = 0; d < count; ++d) {
    CHECK(cudaEventSynchronize(all[d].event)); // of any device
    CHECK(cudaStreamSynchronize(all[d].stream));
    EXPECT(isDevice(all[d].memory, d));
    CHECK(cudaMemcpy(back.data(), all[d].memory, n * sizeof(int), cudaMemcpyDefault));
    for (int i = 0; i < n; ++i)
      EXPECT(back[i] == expected(d, i));
    CHECK(cudaSetDevice(d));
    int sum = 0;
    CHECK(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
    EXPECT(sum == 5 + 3 * n);
    void *variable = nullptr;
    CHECK(cudaGetSymbolAddress(&variable, total));
    EXPECT(isDevice(variable, d));
    char id[16];
    int found = -1;
    CHECK(cudaDeviceGetPCIBusId(id, sizeof id, d));
    CHECK(cudaDeviceGetByPCIBusId(&found, id));
    EXPECT(found == d);
  }
  EXPECT(cudaSetDevice(count) == cudaErrorInvalidDevice);
  (void)cudaGetLastError();

  // Limits are a device's own.
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  CHECK(cudaSetDevice(1));
  size_t heap = 0;
  CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  EXPECT(heap == 8 << 20);

  // Device 0 waits for device 1's work and takes its results.
  CHECK(cudaSetDevice(1));
  work<<<8, 128, 0, all[1].stream>>>(all[1].memory, n, 7);
  CHECK(cudaEventRecord(all[1].event, all[1].stream));
  CHECK(cudaSetDevice(0));
  CHECK(cudaStreamWaitEvent(all[0].stream, all[1].event));
  CHECK(cudaMemcpyPeerAsync(all[0].memory, 0, all[1].memory, 1, n * sizeof(int), all[0].stream));
  CHECK(cudaMemcpyAsync(back.data(), all[0].memory, n * sizeof(int), cudaMemcpyDeviceToHost,
                        all[0].stream));
  CHECK(cudaStreamSynchronize(all[0].stream));
  for (int i = 0; i < n; ++i)
    EXPECT(back[i] == expected(1, i) * 3 + 7 + i);

  // A box: 5 x 4 x 3 bytes out of pitched memory of one device into that of another.
  cudaPitchedPtr from, to;
  CHECK(cudaSetDevice(1));
  CHECK(cudaMalloc3D(&from, make_cudaExtent(16, 8, 4)));
  CHECK(cudaMemset3D(from, 0x21, make_cudaExtent(16, 8, 4)));
  CHECK(cudaSetDevice(0));
  CHECK(cudaMalloc3D(&to, make_cudaExtent(32, 8, 4)));
  CHECK(cudaMemset3D(to, 0, make_cudaExtent(32, 8, 4)));
  cudaMemcpy3DPeerParms box = {};
  box.srcPtr = from;
  box.srcDevice = 1;
  box.dstPtr = to;
  box.dstPos = make_cudaPos(3, 2, 1);
  box.extent = make_cudaExtent(5, 4, 3);
  CHECK(cudaMemcpy3DPeer(&box));
  std::vector<unsigned char> bytes(32 * 8 * 4);
  cudaMemcpy3DParms down = {};
  down.srcPtr = to;
  down.dstPtr = make_cudaPitchedPtr(bytes.data(), 32, 32, 8);
  down.extent = make_cudaExtent(32, 8, 4);
  down.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&down));
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 32; ++x) {
        bool inside = x >= 3 && x < 8 && y >= 2 && y < 6 && z >= 1;
        EXPECT(bytes[(z * 8 + y) * 32 + x] == (inside ? 0x21 : 0));
      }

  // Both directions at the same time do not block each other.
  std::thread other([&] {
    CHECK(cudaSetDevice(1));
    for (int i = 0; i < 50; ++i)
      CHECK(cudaMemcpyPeer(all[1].memory, 1, all[0].memory, 0, n * sizeof(int)));
  });
  for (int i = 0; i < 50; ++i)
    CHECK(cudaMemcpyPeer(all[0].memory, 0, all[1].memory, 1, n * sizeof(int)));
  other.join();

  // Objects that belong to another device.
  work<<<1, 32, 0, all[1].stream>>>(all[0].memory, n, 0);
  EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  EXPECT(cudaEventRecord(all[0].event, all[1].stream) == cudaErrorInvalidResourceHandle);
  float ms;
  EXPECT(cudaEventElapsedTime(&ms, all[0].event, all[1].event) == cudaErrorInvalidResourceHandle);
  EXPECT(cudaMemcpyPeer(all[0].memory, 0, all[1].memory, count, 4) == cudaErrorInvalidDevice);
  EXPECT(cudaMemcpyPeer(all[1].memory, 0, all[1].memory, 1, 4) == cudaErrorInvalidValue);
  (void)cudaGetLastError();

  // The end of one device's context is not the other's.
  CHECK(cudaSetDevice(1));
  CHECK(cudaDeviceReset());
  CHECK(cudaSetDevice(0));
  EXPECT(cudaStreamSynchronize(all[1].stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMemset(all[0].memory, 0, n * sizeof(int)));
  work<<<8, 128, 0, all[0].stream>>>(all[0].memory, n, 1);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(all[0].memory));
  return finish();
}
