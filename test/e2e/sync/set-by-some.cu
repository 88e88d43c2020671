// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that only some threads set, from memory that is the same for all, and use after a
// barrier, as CUB's predecessors of tiles: what the others have is open, and they do not use it,
// but may test it.
// RUN: %vxcc -O0 -Wno-uninitialized -Wno-sometimes-uninitialized -I%inputs %s -o %t
// RUN: %shapes --warp --lower=hw %t
// RUN: %shapes --lower=sw %t
// RUN: %vxcc -O3 -Wno-uninitialized -Wno-sometimes-uninitialized -I%inputs %s -o %t
// RUN: %shapes --warp --lower=hw %t
// RUN: env VX_SW_MAPPING=thread-per-lane %shapes --lower=sw %t
// RUN: env VX_SW_MAPPING=warps-per-lane %shapes --lower=sw %t
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --lower=sw %t

#include "harness.h"

constexpr int kBlocks = 3, kThreads = 160;

struct Item {
  long long key;
  int number;
  float weight;
};

__host__ __device__ inline bool setsIt(int who, int thread) {
  return who == 0 ? thread == 0 : who == 1 ? thread == kThreads - 1 : thread / 32 == 1;
}

__device__ void store(int *out, int value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <int Who> __global__ void carried(const Item *in, int *out) {
  int t = threadIdx.x, value = t;
  Item item;
  if (setsIt(Who, t))
    item = in[blockIdx.x];
  __syncthreads();
  if (setsIt(Who, t))
    value = (int)item.key + item.number + (int)item.weight;
  store(out, value);
}

/// The value of the variable or another one, as code with a select has it.
template <int Who> __global__ void chosen(const Item *in, int *out) {
  __shared__ long long last[kThreads];
  int t = threadIdx.x;
  long long key;
  if (setsIt(Who, t))
    key = in[blockIdx.x].key;
  last[t] = t;
  __syncthreads();
  long long before = last[(t + kThreads - 1) % kThreads];
  store(out, (int)(setsIt(Who, t) ? key : before));
}

template <int Who> __global__ void tested(const Item *in, int *out) {
  int t = threadIdx.x, value = t;
  bool large;
  if (setsIt(Who, t))
    large = in[blockIdx.x].number > 3;
  __syncthreads();
  if (large && setsIt(Who, t))
    value = -1;
  __syncthreads();
  store(out, value);
}

/// Set before one of several barriers in a loop, used after the next one.
template <int Who> __global__ void inLoop(const Item *in, int *out) {
  int t = threadIdx.x, value = t, number;
  for (int i = 0; i < kBlocks; ++i) {
    if (setsIt(Who, t))
      number = in[i].number + i;
    __syncthreads();
    if (setsIt(Who, t))
      value = value * 3 + number;
    __syncthreads();
  }
  store(out, value);
}

/// Across the exchanges of a warp.
template <int Who> __global__ void amongWarp(const Item *in, int *out) {
  int t = threadIdx.x, number;
  if (setsIt(Who, t))
    number = in[blockIdx.x].number;
  int value = __popc(__ballot_sync(0xffffffffu, t % 3));
  if (setsIt(Who, t))
    value += number;
  value += __shfl_xor_sync(0xffffffffu, t, 1);
  if (setsIt(Who, t))
    value *= number;
  store(out, value);
}

/// From a parameter, which is found to be the same for all threads after the optimizer has run.
template <int Who> __global__ void fromParameter(Item item, int n, int *out) {
  int t = threadIdx.x, value = t;
  unsigned long long wide;
  bool known = false;
  if (setsIt(Who, t)) {
    wide = (unsigned)(item.number ^ n) * 0x100000001ull;
    known = true;
  }
  if (n % 2) {
    value += __any_sync(0xffffffffu, t % 32 == 3);
    value ^= known ? (int)wide : 3;
  }
  value += __any_sync(0xffffffffu, t % 32 == 5);
  store(out, value);
}

static std::vector<Item> makeItems() {
  std::vector<Item> items;
  for (int i = 0; i < kBlocks; ++i)
    items.push_back({1000 + i, 2 * i, 7.0f * i});
  return items;
}

template <class Wanted>
static void check(void (*kernel)(const Item *, int *), Wanted wanted, const char *name) {
  DeviceArray<Item> items(makeItems());
  DeviceArray<int> out(kBlocks * kThreads);
  kernel<<<kBlocks, kThreads>>>(items, out);
  std::vector<int> got = out.host();
  for (int b = 0; b < kBlocks; ++b)
    for (int t = 0; t < kThreads; ++t)
      expectEqual(got[b * kThreads + t], wanted(b, t), name, b * kThreads + t);
}

template <int Who> static void checkParameter() {
  DeviceArray<int> out(kBlocks * kThreads);
  fromParameter<Who><<<kBlocks, kThreads>>>({1, 1234, 5}, 77, out);
  std::vector<int> got = out.host();
  for (int i = 0; i < kBlocks * kThreads; ++i) {
    int t = i % kThreads;
    expectEqual(got[i], ((t + 1) ^ (setsIt(Who, t) ? 1234 ^ 77 : 3)) + 1, "fromParameter", i);
  }
}

template <int Who> static void checkAll() {
  checkParameter<Who>();
  std::vector<Item> items = makeItems();
  check(
      carried<Who>,
      [&](int b, int t) {
        return setsIt(Who, t) ? (int)items[b].key + items[b].number + (int)items[b].weight : t;
      },
      "carried");
  check(
      chosen<Who>,
      [&](int b, int t) {
        return setsIt(Who, t) ? (int)items[b].key : (t + kThreads - 1) % kThreads;
      },
      "chosen");
  check(
      tested<Who>, [&](int b, int t) { return setsIt(Who, t) && items[b].number > 3 ? -1 : t; },
      "tested");
  check(
      inLoop<Who>,
      [&](int, int t) {
        int value = t;
        for (int i = 0; i < kBlocks && setsIt(Who, t); ++i)
          value = value * 3 + items[i].number + i;
        return value;
      },
      "inLoop");
  check(
      amongWarp<Who>,
      [&](int b, int t) {
        int value = 0, number = setsIt(Who, t) ? items[b].number : 0;
        for (int i = t & ~31; i <= (t | 31); ++i)
          value += i % 3 != 0;
        value += number + (t ^ 1);
        return setsIt(Who, t) ? value * number : value;
      },
      "amongWarp");
}

int main() {
  checkAll<0>();
  checkAll<1>();
  checkAll<2>();
  return finish();
}
