// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
//
// Integer atomics of every kind and width on global and shared memory, with and without use of the
// old value, uniform and diverged, from all threads of several blocks.

#include "../Inputs/harness.h"
#include <algorithm>

template <class T> struct Cells {
  T add, sub, min, max, conjunction, disjunction, exclusive, exchange, compare;
};

/// Applies every operation once per thread. The result does not depend on the order.
template <class T> __device__ void applyAll(Cells<T> *cells, T value, unsigned thread) {
  atomicAdd(&cells->add, value);
  atomicMin(&cells->min, value);
  atomicMax(&cells->max, value);
  atomicAnd(&cells->conjunction, static_cast<T>(~(T(1) << thread % 31)));
  atomicOr(&cells->disjunction, static_cast<T>(T(1) << thread % 29));
  if (thread % 3 == 1)
    atomicXor(&cells->exclusive, value);
  T old = cells->compare, seen;
  do { // a multiply-free accumulation by compare-and-swap
    seen = old;
    old = atomicCAS(&cells->compare, seen, static_cast<T>(seen + value));
  } while (old != seen);
}

template <class T> __global__ void onGlobal(Cells<T> *cells, const T *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    applyAll(cells, values[i], i);
}

template <class T> __global__ void onShared(Cells<T> *cells, const T *values, int n) {
  __shared__ Cells<T> local;
  if (threadIdx.x == 0)
    local = cells[1];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    applyAll(&local, values[i], i);
  __syncthreads();
  if (threadIdx.x == 0)
    cells[1 + blockIdx.x] = local;
}

template <class T> static Cells<T> wanted(const std::vector<T> &values, Cells<T> cells) {
  for (size_t i = 0; i < values.size(); ++i) {
    T value = values[i];
    cells.add += value;
    cells.compare += value;
    cells.min = std::min(cells.min, value);
    cells.max = std::max(cells.max, value);
    cells.conjunction &= static_cast<T>(~(T(1) << i % 31));
    cells.disjunction |= static_cast<T>(T(1) << i % 29);
    if (i % 3 == 1)
      cells.exclusive ^= value;
  }
  return cells;
}

template <class T> static void check(const char *name) {
  const int n = 150;
  std::vector<T> values(n);
  for (int i = 0; i < n; ++i)
    values[i] =
        static_cast<T>(static_cast<unsigned long long>(mixed(i)) * mixed(i + 1000) >> (i % 40));
  Cells<T> start = {1, 2, 3, 4, static_cast<T>(~T(0)), 0, 5, 6, 7};
  std::vector<Cells<T>> cells = {start, start, start};
  DeviceArray<Cells<T>> device(cells);
  DeviceArray<T> deviceValues(values);
  onGlobal<T><<<4, 45>>>(device, deviceValues, n);
  CHECK(cudaGetLastError());
  onShared<T><<<1, 50>>>(device, deviceValues, n);
  CHECK(cudaGetLastError());
  Cells<T> want = wanted(values, start);
  std::vector<Cells<T>> got = device.host();
  for (int where = 0; where < 2; ++where) {
    expectEqual(got[where].add, want.add, name, where * 10 + 0);
    expectEqual(got[where].min, want.min, name, where * 10 + 1);
    expectEqual(got[where].max, want.max, name, where * 10 + 2);
    expectEqual(got[where].conjunction, want.conjunction, name, where * 10 + 3);
    expectEqual(got[where].disjunction, want.disjunction, name, where * 10 + 4);
    expectEqual(got[where].exclusive, want.exclusive, name, where * 10 + 5);
    expectEqual(got[where].compare, want.compare, name, where * 10 + 6);
  }
}

/// atomicInc and atomicDec wrap; the old values of one counter are all different.
__global__ void counters(unsigned *cells, int *tickets, unsigned *seen, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicInc(&cells[0], 6);
  atomicDec(&cells[1], 4);
  atomicSub(&cells[2], 3u);
  int ticket = atomicAdd(reinterpret_cast<int *>(&cells[3]), 1);
  tickets[ticket] += i;
  if (i % 2)
    atomicInc(&cells[4], ~0u);
  seen[i] = atomicExch(&cells[5], static_cast<unsigned>(i) + 1);
}

static void checkCounters() {
  const unsigned n = 130;
  DeviceArray<unsigned> cells(6), seen(n);
  DeviceArray<int> tickets(n);
  counters<<<3, 50>>>(cells, tickets, seen, n);
  CHECK(cudaGetLastError());
  std::vector<unsigned> got = cells.host(), chain = seen.host();
  unsigned up = 0, down = 0;
  for (unsigned i = 0; i < n; ++i) {
    up = up >= 6 ? 0 : up + 1;
    down = down == 0 || down > 4 ? 4 : down - 1;
  }
  expectEqual(got[0], up, "atomicInc");
  expectEqual(got[1], down, "atomicDec");
  expectEqual(got[2], 0u - 3 * n, "atomicSub");
  expectEqual(got[3], n, "tickets");
  expectEqual(got[4], n / 2, "atomicInc without a limit");
  std::vector<int> order = tickets.host();
  std::sort(order.begin(), order.end());
  for (unsigned i = 0; i < n; ++i)
    expectEqual(order[i], static_cast<int>(i), "tickets", i);
  chain.push_back(got[5]); // every value was exchanged in and came out once
  std::sort(chain.begin(), chain.end());
  for (unsigned i = 0; i <= n; ++i)
    expectEqual(chain[i], i, "atomicExch", i);
}

int main() {
  check<int>("int");
  check<unsigned>("unsigned");
  check<unsigned long long>("unsigned long long");
  checkCounters();
  return finish();
}
