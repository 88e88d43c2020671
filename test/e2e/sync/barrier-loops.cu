// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
//
// __syncthreads in straight code, in loops, in nested loops with uniform breaks, in uniform
// branches and in device functions, with values that live across barriers; blocks up to 1024.

#include "../Inputs/harness.h"

__global__ void prefixSum(const int *in, int *out) {
  extern __shared__ int values[];
  const int t = threadIdx.x, n = blockDim.x, base = blockIdx.x * n;
  values[t] = in[base + t];
  __syncthreads();
  for (int distance = 1; distance < n; distance *= 2) {
    int add = t >= distance ? values[t - distance] : 0;
    __syncthreads();
    values[t] += add;
    __syncthreads();
  }
  out[base + t] = values[t];
}

__device__ int blockSum(int value, int *scratch) {
  const int t = threadIdx.x;
  scratch[t] = value;
  __syncthreads();
  int n = blockDim.x;
  while (n > 1) {
    int half = (n + 1) / 2;
    if (t + half < n)
      scratch[t] += scratch[t + half];
    __syncthreads();
    n = half;
  }
  int sum = scratch[0];
  __syncthreads();
  return sum;
}

__global__ void repeatedSums(int *out, int rounds) {
  extern __shared__ int values[];
  int mine = threadIdx.x % 7, history[4] = {};
  for (int round = 0; round < rounds; ++round) {
    for (int inner = 0;; ++inner) {
      int sum = blockSum(mine, values);
      history[(round + inner) % 4] ^= sum;
      mine = (mine * 3 + sum + static_cast<int>(threadIdx.x)) % 11;
      if (inner == round % 3)
        break;
    }
    if (round % 2 == 0) {
      values[threadIdx.x] = mine;
      __syncthreads();
      mine = values[(threadIdx.x + 5) % blockDim.x];
      __syncthreads();
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      mine * 1000 + history[0] + history[1] * 3 + history[3];
}

static void repeatedSumsHost(std::vector<int> &out, int base, int threads, int rounds) {
  std::vector<int> mine(threads), history(threads * 4);
  for (int t = 0; t < threads; ++t)
    mine[t] = t % 7;
  for (int round = 0; round < rounds; ++round) {
    for (int inner = 0; inner <= round % 3; ++inner) {
      int sum = 0;
      for (int value : mine)
        sum += value;
      for (int t = 0; t < threads; ++t) {
        history[t * 4 + (round + inner) % 4] ^= sum;
        mine[t] = (mine[t] * 3 + sum + t) % 11;
      }
    }
    if (round % 2 == 0) {
      std::vector<int> old = mine;
      for (int t = 0; t < threads; ++t)
        mine[t] = old[(t + 5) % threads];
    }
  }
  for (int t = 0; t < threads; ++t)
    out[base + t] = mine[t] * 1000 + history[t * 4] + history[t * 4 + 1] * 3 + history[t * 4 + 3];
}

/// A value per thread in every class: integer, float, double, pointer, array; all needed later.
__global__ void liveAcross(double *out, int *shared2) {
  __shared__ double tile[1024];
  const unsigned t = threadIdx.x, next = (t + 1) % blockDim.x;
  int i = t * 3;
  float f = t * 0.5f;
  double d = t * 0.125;
  int *pointer = shared2 + blockIdx.x * blockDim.x + t;
  short small[3] = {static_cast<short>(t), static_cast<short>(t + 1), static_cast<short>(t * 2)};
  tile[t] = d;
  __syncthreads();
  d += tile[next];
  __syncthreads();
  tile[t] = f;
  *pointer = i;
  __syncthreads();
  f += static_cast<float>(tile[next]);
  out[blockIdx.x * blockDim.x + t] = i + f + d + small[t % 3] + *pointer;
}

static void check(int threads, int blocks) {
  const int n = threads * blocks;
  std::vector<int> in(n), want(n);
  for (int i = 0; i < n; ++i)
    in[i] = static_cast<int>(mixed(i) % 100);
  DeviceArray<int> deviceIn(in), deviceOut(n);
  prefixSum<<<blocks, threads, threads * sizeof(int)>>>(deviceIn, deviceOut);
  CHECK(cudaGetLastError());
  std::vector<int> got = deviceOut.host();
  for (int i = 0, sum = 0; i < n; ++i) {
    sum = i % threads == 0 ? in[i] : sum + in[i];
    expectEqual(got[i], sum, "prefixSum", i);
  }

  const int rounds = 5;
  repeatedSums<<<blocks, threads, threads * sizeof(int)>>>(deviceOut, rounds);
  CHECK(cudaGetLastError());
  got = deviceOut.host();
  for (int b = 0; b < blocks; ++b)
    repeatedSumsHost(want, b * threads, threads, rounds);
  for (int i = 0; i < n; ++i)
    expectEqual(got[i], want[i], "repeatedSums", i);

  DeviceArray<double> deviceDoubles(n);
  liveAcross<<<blocks, threads>>>(deviceDoubles, deviceIn);
  CHECK(cudaGetLastError());
  std::vector<double> doubles = deviceDoubles.host();
  for (int i = 0; i < n; ++i) {
    int t = i % threads, next = (t + 1) % threads;
    int small[3] = {t, t + 1, t * 2};
    double wantDouble = t * 3 + (t + next) * 0.5 + (t + next) * 0.125 + small[t % 3] + t * 3;
    expectEqual(doubles[i], wantDouble, "liveAcross", i);
  }
}

int main() {
  check(1, 2);
  check(40, 3);
  check(100, 2);
  check(256, 2);
  check(1000, 1);
  check(1024, 2);
  return finish();
}
