// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
//
// Threads that have returned do not take part in later barriers: whole warps, parts of warps and
// all but one thread leave before the others synchronise. (Threads that exited count as arrived.)

#include "../Inputs/harness.h"
#include <algorithm>

__global__ void leaveThenSync(int *out, int stay) {
  __shared__ int values[1024];
  const int t = threadIdx.x;
  values[t] = t;
  __syncthreads();
  if (t >= stay)
    return;
  int sum = values[(t + 1) % stay];
  __syncthreads();
  values[t] = sum * 2;
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = values[stay - 1 - t];
}

__global__ void guardedTile(const int *in, int *out, int n) {
  __shared__ int tile[96];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int last = min(static_cast<int>(blockDim.x), n - static_cast<int>(blockIdx.x * blockDim.x)) - 1;
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = in[i] + round;
    __syncthreads();
    out[i] += tile[last - threadIdx.x];
    __syncthreads();
  }
}

__global__ void leaveInLoop(int *out) {
  __shared__ int alive;
  const int t = threadIdx.x;
  if (t == 0)
    alive = 0;
  __syncthreads();
  for (int round = 0; round < 8; ++round) {
    if (t >= static_cast<int>(blockDim.x) >> round && t > 0)
      return;
    atomicAdd(&alive, 1);
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = alive;
    __syncthreads();
  }
}

int main() {
  for (int threads : {40, 128, 1000})
    for (int stay : {1, 3, 32, 33}) {
      DeviceArray<int> out(threads * 2);
      leaveThenSync<<<2, threads>>>(out, stay);
      CHECK(cudaGetLastError());
      std::vector<int> got = out.host();
      for (int i = 0; i < threads * 2; ++i) {
        int t = i % threads, other = stay - 1 - t;
        expectEqual(got[i], t < stay ? (other + 1) % stay * 2 : 0, "leaveThenSync", i);
      }
    }

  const int n = 300;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = static_cast<int>(mixed(i) % 1000);
  DeviceArray<int> deviceIn(in), deviceOut(n);
  guardedTile<<<(n + 95) / 96, 96>>>(deviceIn, deviceOut, n);
  CHECK(cudaGetLastError());
  std::vector<int> got = deviceOut.host();
  for (int i = 0; i < n; ++i) {
    int base = i / 96 * 96, last = std::min(96, n - base) - 1;
    expectEqual(got[i], in[base + last - (i - base)] * 3 + 3, "guardedTile", i);
  }

  const int threads = 200;
  DeviceArray<int> alive(threads * 3);
  leaveInLoop<<<3, threads>>>(alive);
  CHECK(cudaGetLastError());
  got = alive.host();
  for (int i = 0; i < threads * 3; ++i) {
    int t = i % threads, sum = 0;
    for (int round = 0; round < 8 && (t < threads >> round || t == 0); ++round)
      sum += std::max(threads >> round, 1);
    expectEqual(got[i], sum, "leaveInLoop", i);
  }
  return finish();
}
