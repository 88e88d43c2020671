// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel for each shape that control flow around boundaries can have (test/passes/regions/shape-*
// has the structure that the sw lowering gives them), compared with fibers on the host: in hardware, in
// all mappings of the software, and as code of the host; for blocks with partial warps, of several
// dimensions, and of more threads than small cores have lanes.
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: env VX_LOWERING=hw %shapes --warp %t
// RUN: env VX_SW_MAPPING=warps-per-lane %shapes --warp --lower=sw %t
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --warp --lower=sw %t
// RUN: env VX_SW_MAPPING=thread-per-lane %shapes --warp --lower=sw %t
// RUN: %vxcc -O0 -I%inputs %s -o %t.0
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane VX_SET=%no_warp_isa,core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=thread-per-lane VX_SET=%no_warp_isa,core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: %vxcc -O3 --target=host -I%inputs %s -o %t.host
// RUN: env VX_HOST_THREADS=2 %run %t.host

#include "shapes.h"

// The paper's figure 3.
SHAPE(figure3) {
  unsigned t = linearThread(), value = in[t % 256] % 20;
  if (anyIn(tileOf<4>(), value > 17)) {
    if (rankIn(tileOf<4>()) % 2 == 0)
      value = value * 3 + 1;
    else
      value = value - 7;
  }
  syncIn(tileOf<4>());
  *out = value + shuffleIn<Xor>(tileOf<4>(), value, 1) * n;
}

// Votes in branches that some threads take, by masks that name them; one of all after them.
SHAPE(voteInIf) {
  unsigned lane = laneId(), present = presentLanes(), v = in[linearThread() % 256] % 5, r = v;
  if (lane < 8)
    r = allOf(present & 255, v != 0) * 2 + ballot(present & 255, v > 2);
  else if (lane % 2)
    r = 100 + anyOf(present & 0xaaaaaa00u, v == n % 5);
  unsigned any = anyOf(present, r == 2), odd = ballot(present, r & 1);
  if (odd >> lane & 1)
    r += reduceAdd(odd, v) * 7;
  if (any)
    r += ballot(present, v == 1); // all of the warp or none
  *out = r * 3 + any;
}

// The warp leaves together, when a vote says so; shuffles before and after the break.
SHAPE(breakTogether) {
  unsigned lane = laneId(), present = presentLanes(), x = in[linearThread() % 256] % 100, steps = 0;
  for (; steps < n % 9 + 3; ++steps) {
    x += shuffle<Down>(present, present, x, 1) & 63;
    if (steps == 1)
      continue;
    if (anyOf(present, x > 150 + in[warpId()] % 200))
      break;
    x ^= shuffle<Xor>(present, present, x, 1, 4) & 1;
  }
  *out = x * 31 + steps + lane;
}

// Each thread leaves on its own; those that are left name each other.
SHAPE(breakApart) {
  unsigned present = presentLanes(), mask = present, x = in[linearThread() % 256] % 50, iterations = 0;
  for (unsigned limit = 60 + n % 40;; ++iterations) {
    x += 3 + shuffle<Idx>(mask, mask, x, lowest(mask)) % 7;
    mask = ballot(mask, x < limit);
    if (x >= limit)
      break;
    unsigned odd = ballot(mask, x & 1);
    if (x & 1) {
      x += reduceMax(odd, x) % 5;
      continue;
    }
    x += bitsOf(ballot(mask & ~odd, x % 3 == 0));
  }
  *out = x * 64 + iterations * 3 + bitsOf(ballot(present, iterations > 2));
}

// Trip counts that differ between lanes, in a loop of the whole warp, with votes of those who are in.
SHAPE(laneTrips) {
  unsigned lane = laneId(), present = presentLanes(), x = in[linearThread() % 256], sum = 0;
  for (unsigned round = 0; round < 3; ++round) {
    unsigned trips = x >> 5 * round & 7;
    unsigned mask = ballot(present, trips > 0);
    for (unsigned i = 0; i < trips; ++i) {
      sum += reduceAdd(mask, lane + i) ^ matchAny(mask, i + trips % 2);
      mask = ballot(mask, i + 1 < trips);
    }
    syncLanes(present);
    sum += shuffle<Up>(present, present, sum, n % 5 + 1);
  }
  *out = sum;
}

// Barriers in an inner loop, with break and continue the block agrees on, and a vote with them.
SHAPE(barrierNestedLoop) {
  unsigned t = linearThread(), count = blockSize().x * blockSize().y * blockSize().z;
  unsigned present = presentLanes(), x = in[t % 256] % 1000;
  for (unsigned i = 0; i < n % 3 + 1; ++i) {
    for (unsigned j = 0; j < in[i] % 3 + 2; ++j) {
      s.a[t] = x;
      sync();
      x += s.a[(t + 33 * j + 1) % count] + ballot(present, x & 1) % 17;
      sync();
      if (in[i + j + 3] % 4 == 0)
        break;
      if (in[i + j + 9] % 3 == 0)
        continue;
      s.b[t] = x;
      sync();
      x ^= s.b[count - 1 - t];
    }
    x += anyOf(present, x % 64 == i) * 5;
  }
  *out = x;
}

// Tiles of four and of sixteen; branches and loops that whole tiles of the one or the other take.
SHAPE(twoTileSizes) {
  unsigned t = linearThread(), x = in[t % 256] % 64;
  x += shuffleIn<Down>(tileOf<4>(), x, 1);
  if (anyIn(tileOf<16>(), x > 118 + n % 8)) {
    x += sumIn(tileOf<4>(), x & 15);
    for (unsigned i = 0; i < numberOf(tileOf<16>()) % 3 + 1; ++i) {
      x ^= shuffleIn<Xor>(tileOf<16>(), x, 5) & 31;
      if (allIn(tileOf<4>(), x % 2)) {
        x += 3 + ballotIn(tileOf<4>(), x & 2);
        continue;
      }
      x += matchIn(tileOf<4>(), x % 3);
    }
  } else if (numberOf(tileOf<4>()) % 2) {
    x = x * 2 + anyIn(tileOf<4>(), x & 1);
  }
  *out = x + sumIn(tileOf<16>(), x) * 3;
}

// A switch with tile-level code in its cases, one of which falls through; tiles take their own paths.
SHAPE(switchTiles) {
  unsigned t = linearThread(), x = in[t % 256] % 200;
  for (unsigned i = 0; i < numberOf(tileOf<8>()) % 4 + 1; ++i) {
    switch ((numberOf(tileOf<8>()) + i + n) % 4) {
    case 0:
      x += shuffleIn<Up>(tileOf<8>(), x, 2);
      break;
    case 1:
      if (allIn(tileOf<8>(), x % 5 != 1))
        x += sumIn(tileOf<8>(), x & 7);
      // falls through
    case 2:
      x ^= ballotIn(tileOf<8>(), x & 1) * 3;
      if (rankIn(tileOf<8>()) < 3)
        x += 1;
      syncIn(tileOf<8>());
      break;
    default:
      if (anyIn(tileOf<8>(), x > 180))
        goto out;
      x += sumIn(partOf(tileOf<8>(), x & 1), x & 15) & 63;
    }
  }
out:
  *out = x + shuffleIn<Idx>(tileOf<8>(), x, n & 7);
}

// Threads return before the others of their warp synchronize and vote.
SHAPE(earlyReturn) {
  unsigned t = linearThread(), lane = laneId(), present = presentLanes(), x = in[t % 256] % 300;
  bool stays = t % 37 < n % 30 + 5 && x % 11 != 3;
  unsigned left = ballot(present, stays);
  *out = x;
  if (!stays)
    return;
  s.a[t] = x * 5;
  syncLanes(left);
  unsigned other = memberOr(left, lane ^ 1);
  x += s.a[t - lane + other];
  syncLanes(left);
  *out = x + reduceAdd(left, x & 31) * 2;
  left = ballot(left, x % 2 == 0);
  if (x % 2)
    return;
  *out += ballot(left, x % 4 == 0) % 1000;
}

// Values that live through three boundaries of the block and of the warp, and one set in between.
SHAPE(threeRegions) {
  unsigned t = linearThread(), count = blockSize().x * blockSize().y * blockSize().z;
  unsigned present = presentLanes(), lasts = in[t % 256] * 7;
  unsigned long long wide = static_cast<unsigned long long>(lasts) << 20 | t;
  s.a[t] = lasts;
  sync();
  unsigned first = s.a[(t * 7 + 3) % count];
  unsigned next = shuffle<Down>(present, present, first, 1);
  sync();
  s.a[t] = first + next;
  sync();
  unsigned second = s.a[(t + count / 2) % count];
  unsigned last = shuffle<Xor>(present, present, second, 1);
  syncLanes(present);
  s.b[t] = second ^ last;
  sync();
  *out = s.b[(t + 1) % count] + lasts * 3 + static_cast<unsigned>(wide >> 13) + n;
}

// One value for the block and one for the warp, through barriers, loops and divergent branches.
SHAPE(uniformValue) {
  unsigned t = linearThread(), count = blockSize().x * blockSize().y * blockSize().z;
  unsigned present = presentLanes(), ofBlock = in[n % 256] % 9 + 1, x = in[t % 256] % 70;
  unsigned ofWarp = ballot(present, x > 30);
  for (unsigned i = 0; i < ofBlock; ++i) {
    s.a[t] = x + i;
    sync();
    if (x % 3 == i % 3)
      x += s.a[(t + ofBlock) % count];
    sync();
    if (ofWarp & 1u << i)
      ofWarp ^= ballot(present, x & 1);
    ofBlock -= in[i] % 2;
  }
  sync();
  *out = x + ofWarp * 3 + ofBlock;
}

int main() {
  COMPARE_SHAPE(figure3, 4);
  COMPARE_SHAPE(voteInIf, 1);
  COMPARE_SHAPE(breakTogether, 1);
  COMPARE_SHAPE(breakApart, 1);
  COMPARE_SHAPE(laneTrips, 1);
  COMPARE_SHAPE(barrierNestedLoop, 1);
  COMPARE_SHAPE(twoTileSizes, 16);
  COMPARE_SHAPE(switchTiles, 8);
  COMPARE_SHAPE(earlyReturn, 1);
  COMPARE_SHAPE(threeRegions, 1);
  COMPARE_SHAPE(uniformValue, 1);
  return finish();
}
