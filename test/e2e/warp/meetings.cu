// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: env VX_LOWERING=hw %shapes --warp %t
// RUN: %shapes --few --lower=sw %t
// RUN: %vxcc -O0 -I%inputs %s -o %t.0
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: env VX_LOWERING=sw VX_SET=core.num_warps=2,core.num_threads=4 %run %t.0
// RUN: %vxcc --vx-isa=paths -I%inputs %s -o %t.paths
// RUN: env VX_SET=core.divergence=paths,core.num_warps=4,core.num_threads=8 %run %t.paths
// RUN: env VX_SET=core.divergence=paths,core.num_warps=2,core.num_threads=32 %run %t.paths
// RUN: %vxcc --target=host -I%inputs %s -o %t.host && %run %t.host
//
// Lanes that a member mask names meet at the same warp function wherever each of them comes from:
// arms of branches, cases, functions, iterations of loops, other places of the code.

#include "harness.h"
#include <algorithm>
#include "meeting-warp.h"

#define BODY template <class W> static __host__ __device__ int run(W &w, int lane, int warp)
constexpr unsigned kAll = ~0u;

struct Arms {
  BODY {
    int v = lane * 3 + warp, s;
    if (lane < 16) {
      v += 1;
      s = w.shflXor(kAll, v, 16) + 1000;
    } else {
      v += 2;
      s = w.shflXor(kAll, v, 16) + 2000;
    }
    return s;
  }
};

struct Cases {
  BODY {
    unsigned b;
    switch (lane & 3) {
    case 0:
      b = w.ballot(kAll, lane < 8);
      break;
    case 1:
      b = w.ballot(kAll, lane >= 24) + 1;
      break;
    case 2:
      b = w.ballot(kAll, warp) + 2;
      break;
    default:
      b = w.ballot(kAll, false) + 3;
    }
    return b;
  }
};

/// A reduction in each arm.
struct Reductions {
  BODY {
    int v = lane * lane + warp;
    if (lane & 1)
      for (int by = 16; by; by /= 2)
        v += w.shflXor(kAll, v, by);
    else
      for (int by = 1; by < 32; by *= 2)
        v += w.shflXor(kAll, v, 16 / by);
    return v;
  }
};

/// The numbers of iterations are those of the thread, and the same for all together.
struct Loops {
  BODY {
    int s = 0;
    if (lane < 10)
      for (int i = 0; i < 4 + warp; ++i)
        s += w.add(kAll, lane + i);
    else
      for (int i = 4 + warp; i > 0; --i)
        s += 2 * w.add(kAll, i);
    return s;
  }
};

/// The second call of the upper lanes meets that after the join of the lower ones.
struct AfterJoin {
  BODY {
    int s = 0;
    if (lane >= 16)
      s = w.shflXor(kAll, lane * 5, 16);
    s += 100;
    if (lane < 16)
      s += w.shflXor(kAll, lane * 7 + warp, 16);
    return s;
  }
};

/// Iterations of which each lane skips another one.
struct Skipped {
  BODY {
    int s = 0;
    for (int i = 0; i < 5; ++i) {
      if (i == lane % 5)
        continue;
      s = s * 3 + __popcOnBoth(w.ballot(kAll, (lane + i) & 1)) + i;
    }
    return s;
  }
  static __host__ __device__ int __popcOnBoth(unsigned v) {
    int n = 0;
    for (; v; v &= v - 1)
      ++n;
    return n;
  }
};

/// A loop that some leave earlier; they come to a call after it.
struct LeftEarly {
  BODY {
    int s = 0, n = lane < 7 ? 2 : 5;
    for (int i = 0; i < n; ++i)
      s += w.add(kAll, lane * i + 1);
    if (lane < 7)
      for (int i = 0; i < 3; ++i)
        s += 10 * w.add(kAll, lane + 2);
    return s;
  }
};

template <class W> __host__ __device__ __attribute__((noinline)) int sumOf(W &w, int v) {
  for (int by = 16; by; by /= 2)
    v += w.shflXor(kAll, v, by);
  return v;
}

struct Functions {
  BODY {
    if (lane % 3 == 0)
      return sumOf(w, lane) + 1;
    int v = sumOf(w, lane * 2 + warp);
    return v * 2;
  }
};

/// Half warps in arms that are not theirs, with a mask each.
struct Halves {
  BODY {
    unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
    int s;
    if (lane & 2)
      s = w.add(half, lane);
    else
      s = w.add(half, lane * 10) + 1;
    return s;
  }
};

/// Different functions one after the other, in another order of the code.
struct Sequences {
  BODY {
    int s;
    if (lane & 4) {
      s = w.add(kAll, lane);
      s += w.ballot(kAll, lane & 1) & 0xff;
      s += w.shfl(kAll, s, 9);
    } else {
      s = w.add(kAll, 2) * 2;
      s -= w.ballot(kAll, lane & 8) & 0xff;
      s ^= w.shfl(kAll, s + 1, 4);
    }
    return s;
  }
};

/// Some lanes end in an arm.
struct Ends {
  BODY {
    int s = 0;
    if (lane >= 20) {
      s = w.add(kAll, lane);
      return s;
    }
    s = w.add(kAll, 1);
    s += w.add(kAll, 3);
    return s + w.any(0xfffff, lane == 3);
  }
};

/// Three levels of branches.
struct Nested {
  BODY {
    int s;
    if (lane & 1) {
      if (lane & 2)
        s = w.add(kAll, 1);
      else if (lane & 4)
        s = w.add(kAll, 10);
      else
        s = w.add(kAll, 100) + 5;
    } else {
      s = -w.add(kAll, 1000);
    }
    return s;
  }
};

/// A loop around branches; what a lane does depends on what it found.
struct Alternating {
  BODY {
    int s = lane + warp;
    for (int i = 0; i < 6; ++i) {
      if ((s >> (i & 1)) & 1)
        s += w.shfl(kAll, s, i * 5);
      else
        s -= w.shfl(kAll, s * 2, 31 - i) + 1;
    }
    return s;
  }
};

/// goto out of and into the middle of code.
struct Gotos {
  BODY {
    int s = lane;
    if (lane % 5 == 0)
      goto middle;
    s = w.add(kAll, s);
    if (lane % 5 == 1)
      goto out;
    s += 3;
    goto end;
  middle:
    s = w.add(kAll, s + 100);
  out:
    s *= 2;
  end:
    return s + w.all(kAll, s > 0);
  }
};

/// Values of a loop that each lane leaves at another time, with a mask that says who is left.
struct Shrinking {
  BODY {
    int s = 0;
    unsigned mask = kAll;
    for (int i = 0; mask >> lane & 1; ++i) {
      mask = w.ballot(mask, i < lane % 6);
      if (!(mask >> lane & 1))
        break;
      s += w.add(mask, 1) * (i + 1);
    }
    return s;
  }
};

/// Lanes that synchronize in different arms see what the others stored before.
struct Syncs {
  BODY {
    int v = w.shfl(kAll, lane, 0);
    if (lane < 11) {
      w.sync(kAll);
      v += w.shfl(kAll, lane, 30);
    } else {
      v -= 7;
      w.sync(kAll);
      v += w.shfl(kAll, lane + 1, 29);
    }
    return v;
  }
};

/// Unrolled by hand: the kth call of one is the (k+1)th of the other in the source.
struct Shifted {
  BODY {
    int s = 0, first = lane < 16 ? 0 : 1, last = lane < 16 ? 3 : 4;
    if (0 >= first && 0 < last)
      s += w.shflXor(kAll, lane + 1, 16);
    if (1 >= first && 1 < last)
      s += w.shflXor(kAll, lane * 3, 16);
    if (2 >= first && 2 < last)
      s += w.shflXor(kAll, lane * 5, 16);
    if (3 >= first && 3 < last)
      s += w.shflXor(kAll, lane * 7, 16);
    return s;
  }
};

/// Two functions that lanes come to in turn, in loops of their own.
struct TwoLoops {
  BODY {
    int s = warp;
    if (lane < 12) {
      for (int i = 0; i < 3; ++i) {
        s += w.add(kAll, s & 15);
        s += w.any(kAll, s & 1);
      }
    } else {
      int i = 0;
      do {
        s ^= w.add(kAll, i + 1);
        s += w.any(kAll, i == lane);
      } while (++i < 3);
    }
    return s;
  }
};

template <class Body> void check(const char *name) {
  for (int threads : {32, 64, 96}) {
    std::vector<int> want = expectBody<Body>(threads);
    DeviceArray<int> out(threads);
    runBody<Body><<<1, threads>>>(out, threads);
    CHECK(cudaDeviceSynchronize());
    std::vector<int> got = out.host();
    for (int t = 0; t < threads; ++t)
      expectEqual(got[t], want[t], name, threads * 1000 + t);
  }
}

int main() {
#define TRY(B) check<B>(#B)
  TRY(Arms);
  TRY(Cases);
  TRY(Reductions);
  TRY(Loops);
  TRY(AfterJoin);
  TRY(Skipped);
  TRY(LeftEarly);
  TRY(Functions);
  TRY(Halves);
  TRY(Sequences);
  TRY(Ends);
  TRY(Nested);
  TRY(Alternating);
  TRY(Gotos);
  TRY(Shrinking);
  TRY(Syncs);
  TRY(Shifted);
  TRY(TwoLoops);
  return finish();
}
