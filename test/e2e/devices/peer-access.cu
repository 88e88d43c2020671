// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && env VX_DEVICES=2 %run %t
// RUN: env VX_DEVICES=2 VX_LOWERING=sw %run %t
// RUN: env VX_DEVICES=2 VX_MODE=timing %run %t
// RUN: env VX_DEVICES=2 not %run %t without 2>&1 | FileCheck %s
// RUN: env VX_DEVICES=2 not %run %t after 2>&1 | FileCheck %s
// RUN: %vxcc -O3 --vx-xlen=32 %s -o %t.32 && env VX_DEVICES=2 VX_SET=isa.xlen=32 %run %t.32
// RUN: %vxcc -O3 --target=host %s -o %t.host && env VX_DEVICES=2 %run %t.host
//
// Kernels of one device work on the memory of another one, at the same time as kernels of that one,
// where access was enabled; elsewhere they are stopped.
//
// CHECK: kernel `add(int*, int, int)` stopped: illegal memory access
// CHECK: cudaErrorIllegalAddress

#include "../Inputs/harness.h"
#include <cstring>

__global__ void add(int *p, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += value;
}

__global__ void count(unsigned *counter, int times) {
  for (int i = 0; i < times; ++i)
    atomicAdd_system(counter, 1u);
}

/// Waits for device 0 and answers.
__global__ void answer(volatile int *flag) {
  while (flag[0] != 1) {
  }
  flag[1] = 2;
  __threadfence_system();
  flag[0] = 2;
}
__global__ void ask(volatile int *flag) {
  flag[0] = 1;
  __threadfence_system();
  while (flag[0] != 2) {
  }
  flag[2] = flag[1] + 1;
}

constexpr int n = 3000;

static void checkMemory(const int *memory, int value) {
  std::vector<int> back(n);
  CHECK(cudaMemcpy(back.data(), memory, n * sizeof(int), cudaMemcpyDefault));
  for (int i = 0; i < n; ++i)
    EXPECT(back[i] == i + value);
}

static int useWithoutAccess(int *memory) {
  add<<<12, 256>>>(memory, n, 1);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 1;
}

int main(int argc, char **argv) {
  int can = 0;
  CHECK(cudaDeviceCanAccessPeer(&can, 1, 0));
  EXPECT(can == 1);
  CHECK(cudaDeviceCanAccessPeer(&can, 1, 1));
  EXPECT(can == 0);
  int value = -1;
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  EXPECT(value == 1);
  EXPECT(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 1, 1) ==
         cudaErrorInvalidDevice);

  std::vector<int> initial(n);
  for (int i = 0; i < n; ++i)
    initial[i] = i;
  int *early = nullptr, *late = nullptr;
  CHECK(cudaMalloc(&early, n * sizeof(int)));
  CHECK(cudaMemcpy(early, initial.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaSetDevice(1));
  if (argc > 1 && !std::strcmp(argv[1], "without"))
    return useWithoutAccess(early);

  EXPECT(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessUnsupported);
  EXPECT(cudaDeviceEnablePeerAccess(2, 0) == cudaErrorInvalidDevice);
  EXPECT(cudaDeviceEnablePeerAccess(0, 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceEnablePeerAccess(0, 0));
  EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessAlreadyEnabled);
  (void)cudaGetLastError();
  add<<<12, 256>>>(early, n, 10);
  CHECK(cudaDeviceSynchronize());
  checkMemory(early, 10);

  // Memory that came later, freed and allocated again.
  for (int round = 0; round < 3; ++round) {
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&late, n * sizeof(int)));
    CHECK(cudaMemcpy(late, initial.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaSetDevice(1));
    add<<<12, 256>>>(late, n, round);
    CHECK(cudaDeviceSynchronize());
    checkMemory(late, round);
    CHECK(cudaFree(late)); // from the other device
  }

  // Both at the same time: nothing is lost, and they hear of each other.
  CHECK(cudaSetDevice(0));
  unsigned *counter = nullptr, sum = 0;
  int *flag = nullptr, flags[3];
  CHECK(cudaMalloc(&counter, sizeof *counter));
  CHECK(cudaMemset(counter, 0, sizeof *counter));
  CHECK(cudaMalloc(&flag, sizeof flags));
  CHECK(cudaMemset(flag, 0, sizeof flags));
  CHECK(cudaDeviceSynchronize());
  for (int device = 0; device < 2; ++device) {
    CHECK(cudaSetDevice(device));
    count<<<4, 32>>>(counter, 50);
  }
  for (int device = 0; device < 2; ++device) {
    CHECK(cudaSetDevice(device));
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaMemcpy(&sum, counter, sizeof sum, cudaMemcpyDefault));
  EXPECT(sum == 2 * 4 * 32 * 50);
  CHECK(cudaSetDevice(1));
  answer<<<1, 1>>>(flag);
  CHECK(cudaSetDevice(0));
  ask<<<1, 1>>>(flag);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(1));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(flags, flag, sizeof flags, cudaMemcpyDefault));
  EXPECT(flags[0] == 2 && flags[1] == 2 && flags[2] == 3);

  CHECK(cudaDeviceDisablePeerAccess(0));
  if (argc > 1 && !std::strcmp(argv[1], "after"))
    return useWithoutAccess(early);
  return finish();
}
