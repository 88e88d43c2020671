// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every shuffle, with and without _sync, for every type: member masks, widths and distances that
// are known at run time and constant ones, whole and partial warps, more threads than lanes.
// RUN: %vxcc -O3 --lower=hw -Wno-deprecated-declarations -I%inputs %s -o %t
// RUN: %shapes --warp %t

#include "warp.h"

struct Case {
  unsigned mask;
  int width, distance;
};

/// Four results, in this order, of each thread for each case.
enum Kind { Idx, Up, Down, Xor, Kinds };

/// Returns the lane that LANE reads; itself if the one it asks for is outside its segment.
static int sourceLane(Kind kind, int lane, int width, int distance) {
  int first = lane & ~(width - 1), last = first + width - 1, source = lane;
  if (kind == Idx)
    return first + (distance & (width - 1));
  source = kind == Up ? lane - distance : kind == Down ? lane + distance : lane ^ distance;
  return kind == Up ? (source < first ? lane : source) : (source > last ? lane : source);
}

/// With idx, each lane asks for another one.
__host__ __device__ inline int askedLane(int distance, unsigned lane) {
  return distance + (int)(lane * 7 >> 1);
}

template <class T> __device__ void store(T *out, int i, T idx, T up, T down, T bfly) {
  T *to = out + ((size_t)(i * gridDim.x + blockIdx.x) * threadsInBlock() + rankInBlock()) * Kinds;
  to[Idx] = idx;
  to[Up] = up;
  to[Down] = down;
  to[Xor] = bfly;
}

template <class T> __global__ void synchronous(const Case *cases, int n, T *out) {
  unsigned lane = rankInBlock() % 32;
  T v = valueOf<T>(blockIdx.x, rankInBlock());
  for (int i = 0; i < n; ++i) {
    Case c = cases[i];
    if (c.mask >> lane & 1)
      store(out, i, __shfl_sync(c.mask, v, askedLane(c.distance, lane), c.width),
            __shfl_up_sync(c.mask, v, c.distance, c.width),
            __shfl_down_sync(c.mask, v, c.distance, c.width),
            __shfl_xor_sync(c.mask, v, c.distance, c.width));
  }
}

// Without a mask: those that are here. Only types that CUDA has these forms for.
template <class T> __global__ void legacy(const Case *cases, int n, T *out) {
  unsigned lane = rankInBlock() % 32;
  T v = valueOf<T>(blockIdx.x, rankInBlock());
  for (int i = 0; i < n; ++i) {
    Case c = cases[i];
    if (c.mask >> lane & 1)
      store(out, i, __shfl(v, askedLane(c.distance, lane), c.width),
            __shfl_up(v, c.distance, c.width), __shfl_down(v, c.distance, c.width),
            __shfl_xor(v, c.distance, c.width));
  }
}

// The full mask and constants, as most programs have them.
template <class T, int Width, int Distance> __global__ void constants(T *out) {
  unsigned lane = rankInBlock() % 32;
  T v = valueOf<T>(blockIdx.x, rankInBlock());
  store(out, 0, __shfl_sync(0xffffffffu, v, askedLane(Distance, lane), Width),
        __shfl_up_sync(0xffffffffu, v, Distance, Width),
        __shfl_down_sync(0xffffffffu, v, Distance, Width),
        __shfl_xor_sync(0xffffffffu, v, Distance, Width));
}

template <class T>
static void check(const std::vector<T> &out, const std::vector<Case> &cases, dim3 block,
                  const char *name) {
  size_t at = 0;
  for (const Case &c : cases)
    forThreads(block, [&](unsigned b, unsigned rank, unsigned first, unsigned lane, unsigned here) {
      unsigned members = c.mask & here;
      for (int kind = 0; kind < Kinds; ++kind, ++at) {
        int distance = kind == Idx ? askedLane(c.distance, lane) : c.distance;
        int source = sourceLane(Kind(kind), lane, c.width, distance);
        // What a lane gets that asks one that does not take part is open.
        if (members >> lane & 1 && members >> source & 1 &&
            !expect(sameBits(out[at], valueOf<T>(b, first + source)), name, at))
          std::printf("  kind %d, block of %d, thread %u, mask %#x, width %d, distance %d\n", kind,
                      threadsOf(block), rank, c.mask, c.width, c.distance);
      }
    });
}

static std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (unsigned mask : kMasks)
    for (int width : {1, 2, 4, 8, 16, 32})
      for (int distance : {0, 1, 5, 16, 31})
        if (distance < 2 * width)
          cases.push_back({mask, width, distance});
  return cases;
}

template <class T, int Width, int Distance> static void checkConstants(const char *name) {
  for (dim3 block : kBlocks) {
    DeviceArray<T> out((size_t)kGrid * threadsOf(block) * Kinds);
    constants<T, Width, Distance><<<kGrid, block>>>(out);
    check(out.host(), {{0xffffffffu, Width, Distance}}, block, name);
  }
}

template <class T, class Kernel> static void checkKernel(Kernel kernel, const char *name) {
  std::vector<Case> cases = allCases();
  DeviceArray<Case> deviceCases(cases);
  for (dim3 block : kBlocks) {
    DeviceArray<T> out(cases.size() * kGrid * threadsOf(block) * Kinds);
    kernel<<<kGrid, block>>>(deviceCases, (int)cases.size(), out);
    check(out.host(), cases, block, name);
  }
}

template <class T> static void checkType(const char *name) {
  checkKernel<T>(synchronous<T>, name);
  checkConstants<T, 32, 1>(name);
  checkConstants<T, 8, 3>(name);
}
template <class T> static void checkTypeWithLegacy(const char *name) {
  checkType<T>(name);
#ifndef PATHS // there, nothing says that the lanes that are here are those of the mask
  checkKernel<T>(legacy<T>, name);
#endif
}

int main() {
  checkTypeWithLegacy<int>("int");
  checkTypeWithLegacy<unsigned>("unsigned");
  checkTypeWithLegacy<long>("long");
  checkTypeWithLegacy<unsigned long>("unsigned long");
  checkTypeWithLegacy<long long>("long long");
  checkTypeWithLegacy<unsigned long long>("unsigned long long");
  checkTypeWithLegacy<float>("float");
  checkTypeWithLegacy<double>("double");
  checkType<__half>("half");
  checkType<__half2>("half2");
  checkType<__nv_bfloat16>("bfloat16");
  checkType<__nv_bfloat162>("bfloat162");
  checkConstants<int, 1, 1>("width 1");
  checkConstants<double, 16, 8>("width 16");
  checkConstants<float, 4, 7>("width 4");
  checkConstants<int, 32, 31>("distance 31");
  return finish();
}
