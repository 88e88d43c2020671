// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's shfl with a clamp and a segment mask of each lane's own, and its predicate, which no CUDA
// function gives: CUB's scans by key bound `up` by the first lane of the run of equal keys.
// RUN: %vxcc -O3 --vx-mapping-budget=0 -I%inputs %s -o %t
// RUN: %shapes --warp --lower=hw %t
// RUN: env VX_HW_MAPPING=coarsened %shapes --warp --lower=hw %t
// RUN: %shapes --warp --lower=sw %t
// RUN: env VX_SW_MAPPING=thread-per-lane %shapes --warp --lower=sw %t
// RUN: %vxcc -O0 -I%inputs %s -o %t.O0
// RUN: %shapes --warp --lower=hw %t.O0

#include "warp.h"

enum Kind { Idx, Up, Down, Xor, Kinds };

struct Result {
  unsigned value, inside;
};

/// Returns PTX's operand c: the clamp in bits 0 to 4, the segment mask in bits 8 to 12.
__host__ __device__ inline unsigned boundOf(int test, unsigned lane) {
  switch (test) {
  case 0:
    return 0;
  case 1:
    return 31;
  case 2:
    return lane / 5 * 5; // the first lane of a run of five
  case 3:
    return lane * 13 % 32;
  case 4:
    return lane * 5 % 8 | 24 << 8; // in segments of eight lanes
  default:
    return lane * 7 % 32 | (lane % 3 * 8 + 7) << 8; // masks that are not a segment's
  }
}
constexpr int kTests = 6;

constexpr int kDistances = 4;
__host__ __device__ inline unsigned distanceOf(int distance, unsigned lane) {
  return distance == 3 ? lane * 11 % 32 : 1u + 3 * distance;
}

#define SHUFFLE(TO, MODE, VALUE, DISTANCE, BOUND, MEMBERS)                                         \
  asm volatile("{ .reg .pred p; shfl.sync." MODE ".b32 %0|p, %2, %3, %4, %5;\n"                    \
               "  selp.u32 %1, 1, 0, p; }"                                                         \
               : "=r"((TO).value), "=r"((TO).inside)                                               \
               : "r"(VALUE), "r"(DISTANCE), "r"(BOUND), "r"(MEMBERS))

__device__ void store(Result *to, unsigned value, unsigned distance, unsigned bound,
                      unsigned members) {
  SHUFFLE(to[Idx], "idx", value, distance, bound, members);
  SHUFFLE(to[Up], "up", value, distance, bound, members);
  SHUFFLE(to[Down], "down", value, distance, bound, members);
  SHUFFLE(to[Xor], "bfly", value, distance, bound, members);
}

__global__ void variable(Result *out, unsigned members) {
  unsigned lane = rankInBlock() % 32, value = valueOf<unsigned>(blockIdx.x, rankInBlock());
  members &= presentLanes(rankInBlock(), threadsInBlock());
  if (!(members >> lane & 1))
    return;
  for (int test = 0; test < kTests; ++test)
    for (int i = 0; i < kDistances; ++i) {
      size_t at = (size_t)(test * kDistances + i) * gridDim.x + blockIdx.x;
      store(out + (at * threadsInBlock() + rankInBlock()) * Kinds, value, distanceOf(i, lane),
            boundOf(test, lane), members);
    }
}

/// Shuffles by a distance that the compiler knows.
template <unsigned Distance> __global__ void near(Result *out, unsigned) {
  unsigned lane = rankInBlock() % 32;
  for (int test = 0; test < kTests; ++test)
    store(out + ((test * gridDim.x + blockIdx.x) * threadsInBlock() + rankInBlock()) * Kinds,
          valueOf<unsigned>(blockIdx.x, rankInBlock()), Distance, boundOf(test, lane), ~0u);
}

/// Nothing but exchanges within pairs: no lane needs a group of more.
__global__ void pairs(Result *out, unsigned) {
  unsigned lane = rankInBlock() % 32, value = valueOf<unsigned>(blockIdx.x, rankInBlock());
  for (int test = 0; test < kTests; ++test) {
    Result *to = out + ((test * gridDim.x + blockIdx.x) * threadsInBlock() + rankInBlock()) * Kinds;
    SHUFFLE(to[Xor], "bfly", value, 1, boundOf(test, lane), ~0u);
  }
}

/// All is the same in every lane and known to the compiler.
template <unsigned Bound> __global__ void constant(Result *out, unsigned) {
  unsigned rank = blockIdx.x * threadsInBlock() + rankInBlock();
  store(out + rank * Kinds, valueOf<unsigned>(blockIdx.x, rankInBlock()), 3u, Bound, ~0u);
}

/// Returns the lane that LANE reads, and whether the predicate is set: PTX's definition.
static unsigned sourceOf(int kind, unsigned lane, unsigned distance, unsigned bound, bool &inside) {
  unsigned mask = bound >> 8 & 31;
  int low = lane & mask, high = low | (bound & 31 & ~mask);
  int source = kind == Idx    ? low | (distance & ~mask)
               : kind == Up   ? (int)(lane - distance)
               : kind == Down ? lane + distance
                              : lane ^ distance;
  inside = kind == Up ? source >= high : source <= high;
  return inside ? source : lane;
}

template <class Distance, class Bound>
static void check(void (*kernel)(Result *, unsigned), unsigned members, int cases,
                  Distance distanceIn, Bound boundIn, const char *name, int firstKind = 0) {
  for (dim3 block : kBlocks) {
    DeviceArray<Result> out((size_t)cases * kGrid * threadsOf(block) * Kinds);
    kernel<<<kGrid, block>>>(out, members);
    std::vector<Result> got = out.host();
    size_t at = 0;
    for (int i = 0; i < cases; ++i)
      forThreads(
          block, [&](unsigned b, unsigned rank, unsigned first, unsigned lane, unsigned here) {
            at += firstKind;
            for (int kind = firstKind; kind < Kinds; ++kind, ++at) {
              bool inside;
              unsigned source = sourceOf(kind, lane, distanceIn(i, lane), boundIn(i, lane), inside);
              // What a lane gets that asks one that does not take part is open.
              if (!(members & here & 1u << lane) || !(members & here & 1u << source))
                continue;
              bool good = got[at].value == valueOf<unsigned>(b, first + source) &&
                          got[at].inside == (unsigned)inside;
              if (!expect(good, name, at))
                std::printf("  kind %d, case %d, block of %d, thread %u, members %#x\n", kind, i,
                            threadsOf(block), rank, members);
            }
          });
  }
}

template <unsigned Distance> static void checkNear() {
  auto distance = [](int, unsigned) { return Distance; };
  check(near<Distance>, ~0u, kTests, distance, boundOf, "near");
}

template <unsigned Bound> static void checkConstant() {
  auto three = [](int, unsigned) { return 3u; };
  auto bound = [](int, unsigned) { return Bound; };
  check(constant<Bound>, ~0u, 1, three, bound, "constant");
}

int main() {
  auto distance = [](int i, unsigned lane) { return distanceOf(i % kDistances, lane); };
  auto bound = [](int i, unsigned lane) { return boundOf(i / kDistances, lane); };
  for (unsigned members : kMasks)
    check(variable, members, kTests * kDistances, distance, bound, "variable");
  auto one = [](int, unsigned) { return 1u; };
  check(pairs, ~0u, kTests, one, boundOf, "pairs", Xor);
  checkNear<1>();
  checkNear<6>();
  checkNear<16>();
  checkConstant<0>();
  checkConstant<31>();
  checkConstant<9>();
  checkConstant<24 << 8 | 2>(); // the third lane of each eight
  checkConstant<28 << 8 | 1>(); // in tiles of four
  checkConstant<0x1f00>();      // each lane alone
  return finish();
}
