// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0
// RUN: %run %t.0 | FileCheck %s
// RUN: %vxcc -O3 %s -o %t.3
// RUN: %shapes --warp %t.3
// RUN: env VX_LOWERING=sw VX_SET=%no_warp_isa,core.num_warps=1,core.num_threads=1 %run %t.3 | FileCheck %s
// RUN: env VX_LOWERING=sw VX_SET=%no_warp_isa,core.num_warps=4,core.num_threads=8 %run %t.3 | FileCheck %s
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane %run %t.3 | FileCheck %s
// RUN: %vxcc -O3 --target=host %s -o %t.host
// RUN: %run %t.host | FileCheck %s
// CHECK: PASS
//
// Programs from before __syncwarp: threads of a warp exchange values through volatile shared memory
// and count on each other to be at the same instruction. The end of a reduction, a scan, a
// histogram whose counters carry the tag of the last writer, in whole warps and in parts of them.

#include "../Inputs/harness.h"

constexpr int kThreads = 128, kBlocks = 3, kWarp = 32, kBins = 16;

__device__ void sumWarp(volatile int *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[kThreads];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * kThreads + t];
  __syncthreads();
  for (int n = kThreads / 2; n > kWarp; n /= 2) {
    if (t < n)
      s[t] += s[t + n];
    __syncthreads();
  }
  if (t < kWarp)
    sumWarp(s, t);
  if (t == 0)
    out[blockIdx.x] = s[0];
}

// Each round is taken by fewer threads of the warp.
__global__ void reducePart(const int *in, int *out) {
  volatile __shared__ int s[kThreads];
  int t = threadIdx.x, lane = t % kWarp;
  s[t] = in[blockIdx.x * kThreads + t];
  for (int n = kWarp / 2; n > 0; n /= 2)
    if (lane < n)
      s[t] += s[t + n];
  if (lane == 0)
    out[(blockIdx.x * kThreads + t) / kWarp] = s[t];
}

__global__ void scan(const int *in, int *out) {
  extern __shared__ int memory[];
  volatile int *s = memory;
  int t = threadIdx.x, i = 2 * t - t % kWarp, own = blockIdx.x * kThreads + t;
  s[i] = 0;
  i += kWarp;
  s[i] = in[own];
  for (int n = 1; n < kWarp; n *= 2)
    s[i] += s[i - n];
  out[own] = s[i];
}

__device__ void count(volatile unsigned *bins, int bin, unsigned tag) {
  unsigned value;
  do {
    value = tag | ((bins[bin] & 0x07ffffff) + 1);
    bins[bin] = value;
  } while (bins[bin] != value);
}

__global__ void histogram(const int *in, int *out) {
  __shared__ unsigned bins[kThreads / kWarp][kBins];
  int t = threadIdx.x;
  if (t % kWarp < kBins)
    bins[t / kWarp][t % kWarp] = 0;
  __syncthreads();
  for (int k = 0; k < 3; ++k)
    count(bins[t / kWarp], (in[blockIdx.x * kThreads + t] >> k) % kBins, unsigned(t) << 27);
  __syncthreads();
  if (t < kBins)
    for (int w = 0; w < kThreads / kWarp; ++w)
      atomicAdd(&out[t], int(bins[w][t] & 0x07ffffff));
}

// The pointer comes from a function, from a structure that another function filled, through many
// calls, or is one of two.
__device__ int *dynamicShared() {
  extern __shared__ int memory[];
  return memory;
}

__global__ void reduceReturned(const int *in, int *out) {
  int t = threadIdx.x, *s = dynamicShared();
  s[t] = in[blockIdx.x * kThreads + t];
  __syncthreads();
  volatile int *v = s;
  if (t < kWarp)
    for (int n = kThreads - kWarp; n > 0; n -= kWarp)
      v[t] += v[t + n];
  if (t < kWarp)
    for (int n = kWarp / 2; n > 0; n /= 2)
      v[t] += v[t + n];
  if (t == 0)
    out[blockIdx.x] = s[0];
}

struct Scratch {
  long size;
  volatile int *memory;
  __device__ int get(int i) const { return memory[i]; }
  __device__ void set(int i, int v) const { memory[i] = v; }
};

__device__ __noinline__ void fill(Scratch &scratch, int *memory) {
  scratch.size = kThreads;
  scratch.memory = memory;
}

__global__ void reduceKept(const int *in, int *out) {
  __shared__ int s[kThreads];
  Scratch scratch;
  fill(scratch, s);
  int t = threadIdx.x, lane = t % kWarp;
  scratch.set(t, in[blockIdx.x * kThreads + t]);
  for (int n = kWarp / 2; n > 0; n /= 2)
    if (lane < n)
      scratch.set(t, scratch.get(t) + scratch.get(t + n));
  if (lane == 0)
    out[(blockIdx.x * kThreads + t) / kWarp] = scratch.get(t);
}

__device__ int scan0(int v, volatile int *s, int i) {
  s[i] = 0;
  i += kWarp;
  s[i] = v;
  for (int n = 1; n < kWarp; n *= 2)
    s[i] += s[i - n];
  return s[i];
}
__device__ int scan1(int v, volatile int *s, int i) {
  return scan0(v, s, i) - v;
}
__device__ int scan2(int v, volatile int *s, int i) {
  return scan1(v, s, i) + v;
}
__device__ int scan3(int v, volatile int *s, int i) {
  return scan2(v, s, i) - v;
}
__device__ int scan4(int v, volatile int *s, int i) {
  return scan3(v, s, i) + v;
}

__global__ void scanDeep(const int *in, int *out, bool second) {
  __shared__ int a[2 * kThreads], b[2 * kThreads];
  int t = threadIdx.x, own = blockIdx.x * kThreads + t;
  out[own] = scan4(in[own], second ? b : a, 2 * t - t % kWarp);
}

int main() {
  std::vector<int> values(kThreads * kBlocks);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = int(i * 2654435761u >> 20);
  DeviceArray<int> in(values), sums(kBlocks), parts(values.size() / kWarp), prefixes(values.size()),
      bins(kBins), sumsReturned(kBlocks), partsKept(values.size() / kWarp),
      prefixesDeep(values.size());
  reduce<<<kBlocks, kThreads>>>(in, sums);
  reducePart<<<kBlocks, kThreads>>>(in, parts);
  scan<<<kBlocks, kThreads, 2 * kThreads * sizeof(int)>>>(in, prefixes);
  histogram<<<kBlocks, kThreads>>>(in, bins);
  reduceReturned<<<kBlocks, kThreads, kThreads * sizeof(int)>>>(in, sumsReturned);
  reduceKept<<<kBlocks, kThreads>>>(in, partsKept);
  scanDeep<<<kBlocks, kThreads>>>(in, prefixesDeep, true);

  std::vector<int> sumsWanted(kBlocks), partsWanted(values.size() / kWarp), binsWanted(kBins);
  auto gotPrefixes = prefixes.host(), gotDeep = prefixesDeep.host();
  for (size_t i = 0; i < values.size(); ++i) {
    sumsWanted[i / kThreads] += values[i];
    partsWanted[i / kWarp] += values[i];
    expectEqual(gotPrefixes[i], partsWanted[i / kWarp], "scan", i);
    expectEqual(gotDeep[i], partsWanted[i / kWarp], "scan below five calls", i);
    for (int k = 0; k < 3; ++k)
      ++binsWanted[(values[i] >> k) % kBins];
  }
  expect(sums.host() == sumsWanted, "reduce");
  expect(parts.host() == partsWanted, "reduce, fewer threads each round");
  expect(bins.host() == binsWanted, "histogram");
  expect(sumsReturned.host() == sumsWanted, "reduce, pointer from a function");
  expect(partsKept.host() == partsWanted, "reduce, pointer in a structure");
  return finish();
}
