// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions that are called through pointers: of functions and members, virtual, in structures and
// nvstd::function, found in every kind of memory, one for the block, for each warp and for each thread.
// Compared with fibers on the host in hardware, in all mappings of the software, and as code of the host.
// RUN: %vxcc -O3 -std=c++17 -I%inputs %s -o %t
// RUN: env VX_LOWERING=hw %shapes --warp %t
// RUN: env VX_SW_MAPPING=warps-per-lane %shapes --few --lower=sw %t
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --few --lower=sw %t
// RUN: env VX_SW_MAPPING=thread-per-lane %shapes --few --lower=sw %t
// RUN: %vxcc -O0 -std=c++17 -I%inputs %s -o %t.0
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: env VX_LOWERING=sw VX_SET=%no_warp_isa,core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: %vxcc -O3 -std=c++17 --target=host -I%inputs %s -o %t.host
// RUN: env VX_HOST_THREADS=2 %run %t.host

#include "shapes.h"
#include <nvfunctional>

#define BOTH __host__ __device__

// --- what is called; plain() and twice() have no warp function. Few of one type: each call has a copy of all ---

BOTH unsigned total(unsigned x) {
  return reduceAdd(presentLanes(), x & 0xffff);
}
BOTH __noinline__ unsigned most(unsigned x) {
  return reduceMax(presentLanes(), x);
}
BOTH unsigned odd(unsigned x) {
  return bitsOf(ballot(presentLanes(), x & 1)) + x;
}
BOTH unsigned plain(unsigned x) {
  return x * 3 + 1;
}
__attribute__((const)) BOTH unsigned twice(unsigned x, char) {
  return 2 * x;
}
/// Through another function, out of line.
BOTH __noinline__ unsigned next(unsigned x) {
  return most(x) + shuffle<Down>(presentLanes(), presentLanes(), x, 1);
}

typedef unsigned (*Step)(unsigned);
__device__ Step inMemory[5] = {total, plain, most, odd, next};
static Step onHost[5] = {total, plain, most, odd, next};
__constant__ Step inConstants[5] = {total, plain, most, odd, next};
__device__ Step found = nullptr;
static Step foundOnHost = nullptr;

BOTH Step step(unsigned k) {
#ifdef __CUDA_ARCH__
  return k & 8 ? inConstants[k % 8 % 5] : inMemory[k % 8 % 5];
#else
  return onHost[k % 8 % 5];
#endif
}

BOTH unsigned input(const unsigned *in) {
  return in[linearThread() % 256] % 1000;
}

// --- one target for the block ---

SHAPE(uniformTarget) { *out = step(n % 5)(input(in)); }

template <unsigned Bit> BOTH unsigned votesOn(unsigned x, char) {
  return ballot(presentLanes(), x >> Bit & 1);
}
SHAPE(lambdasAndTemplates) {
  unsigned (*steps[4])(unsigned, char) = {votesOn<0>, [](unsigned x, char c) { return total(x) + c; },
                                          twice, votesOn<3>};
  unsigned x = input(in);
  *out = steps[n % 4](x, 1) + steps[(n + warpId()) % 4](x, 2);
}

SHAPE(sharedTarget) {
  Step *p = reinterpret_cast<Step *>(&s.a[16]);
  if (linearThread() == 0)
    *p = step(n % 5 + linearBlock() % 2);
  sync();
  *out = (*p)(input(in)) + n;
}

SHAPE(oneAfterTheOther) {
  unsigned x = input(in);
  for (unsigned k = 0; k < n % 3 + 3; ++k)
    x = (step(k % 5)(x) ^ k) & 0xfffff;
  *out = x;
}

// --- one for each warp ---

SHAPE(targetOfWarp) { *out = step(8 + (warpId() + n) % 5)(input(in)) * 7; }

SHAPE(targetOfVote) {
  unsigned x = input(in), bits = bitsOf(ballot(presentLanes(), x & 2));
  *out = step(bits % 5)(x) + bits;
}

// --- one for each thread: those of a warp with the same target name each other ---

BOTH unsigned totalIn(unsigned mask, unsigned x) {
  return reduceAdd(mask, x);
}
BOTH unsigned firstIn(unsigned mask, unsigned x) {
  return shuffle<Idx>(mask, mask, x, lowest(mask)) + bitsOf(mask);
}
BOTH unsigned plainIn(unsigned mask, unsigned x) {
  return bitsOf(mask) * x;
}
SHAPE(targetOfThread) {
  unsigned x = input(in), kind = x % 3;
  unsigned (*steps[3])(unsigned, unsigned) = {totalIn, firstIn, plainIn};
  unsigned mask = matchAny(presentLanes(), kind);
  *out = steps[kind](mask, x) + ballot(presentLanes(), x & 4);
}
SHAPE(targetInLoop) {
  unsigned x = input(in), r = 0;
  unsigned (*steps[3])(unsigned, unsigned) = {firstIn, plainIn, totalIn};
  unsigned mask = presentLanes();
  for (unsigned i = 0; i < 4; ++i) {
    unsigned kind = (x >> i) % 3, same = matchAny(mask, kind);
    r = r * 5 + steps[kind](same, x + i);
    syncLanes(mask);
  }
  *out = r;
}

// --- structures, members, virtual functions ---

struct Team {
  Step f, g;
  BOTH unsigned go(unsigned x) const { return f(x) + (g ? g(x) : 5); }
};
SHAPE(callbacksInStructure) {
  Team team{step(warpId() % 5), warpId() & 1 ? nullptr : step(n % 5)};
  *out = team.go(input(in));
}

struct Ops {
  unsigned bias;
  BOTH unsigned sum(unsigned x) const { return total(x) + bias; }
  BOTH unsigned add(unsigned x) const { return x + bias; }
  BOTH virtual unsigned vote(unsigned x) const { return odd(x) * bias; }
  BOTH virtual ~Ops() {}
};
struct MoreOps : Ops {
  BOTH MoreOps(unsigned b) : Ops{} { bias = b; }
  BOTH unsigned vote(unsigned x) const override { return most(x) - bias; }
};
SHAPE(memberPointers) {
  MoreOps more(n % 9);
  Ops base;
  base.bias = n % 7;
  const Ops &ops = warpId() & 1 ? static_cast<const Ops &>(more) : base;
  unsigned (Ops::*members[3])(unsigned) const = {&Ops::sum, &Ops::add, &Ops::vote};
  unsigned x = input(in);
  x = (ops.*members[(n + warpId()) % 3])(x);
  *out = x + (ops.*members[2])(x & 255);
}

struct Node {
  BOTH virtual ~Node() {}
  BOTH virtual unsigned eval(unsigned x) const = 0;
};
struct Sum : virtual Node {
  BOTH unsigned eval(unsigned x) const override { return total(x); }
};
struct Affine : virtual Node {
  unsigned a = 3;
  BOTH unsigned eval(unsigned x) const override { return a * x + 1; }
};
struct Diamond : Sum, Affine {
  BOTH unsigned eval(unsigned x) const override { return Sum::eval(x) ^ Affine::eval(x); }
};
SHAPE(virtualBases) {
  Sum sum;
  Affine affine;
  Diamond diamond;
  const Node *nodes[3] = {&sum, &affine, &diamond};
  unsigned x = input(in);
  *out = nodes[n % 3]->eval(x) + nodes[warpId() % 3]->eval(x + 7);
}

struct Report {
  unsigned *to, x;
  BOTH Report(unsigned *to, unsigned x) : to(to), x(x) {}
  BOTH virtual ~Report() { *to += x; }
};
struct VotingReport : Report {
  using Report::Report;
  BOTH ~VotingReport() override { *to += ballot(presentLanes(), x & 1); }
};
SHAPE(virtualDestructors) {
  unsigned r = 0, x = input(in);
  Report *report = warpId() & 1 ? new Report(&r, x) : new VotingReport(&r, x);
  delete report;
  *out = r;
}

struct Sink {
  BOTH virtual void put(unsigned *to, unsigned x, double weight) const { *to = unsigned(x * weight); }
};
struct VotingSink : Sink {
  BOTH void put(unsigned *to, unsigned x, double weight) const override {
    *to = ballot(presentLanes(), x * weight > 500);
  }
};
SHAPE(severalOperands) {
  Sink plain;
  VotingSink voting;
  const Sink *sinks[2] = {&plain, &voting};
  sinks[(warpId() + n) % 2]->put(out, input(in), 0.5 * (n % 4 + 1));
}

struct Large {
  unsigned words[12];
};
BOTH unsigned foldLarge(Large l) {
  for (unsigned &w : l.words)
    w = total(w & 255);
  return l.words[3] + l.words[11];
}
BOTH unsigned pickLarge(Large l) { return l.words[5] * 2; }
SHAPE(largeOperands) {
  Large l;
  for (unsigned i = 0; i < 12; ++i)
    l.words[i] = input(in) + i * n;
  unsigned (*f)(Large) = (warpId() + n) & 1 ? foldLarge : pickLarge;
  *out = f(l) + l.words[2];
}

BOTH Large spread(unsigned x) {
  Large l{};
  l.words[warpId() % 12] = most(x);
  return l;
}
BOTH Large fill(unsigned x) {
  Large l;
  for (unsigned i = 0; i < 12; ++i)
    l.words[i] = x + i;
  return l;
}
SHAPE(largeResults) {
  Large (*f)(unsigned) = n & 2 ? spread : fill;
  Large (*g)(unsigned) = warpId() & 1 ? spread : fill;
  *out = f(input(in)).words[warpId() % 12] + g(n).words[1];
}

// --- callables ---

SHAPE(functionObjects) {
  unsigned present = presentLanes();
  nvstd::function<unsigned(unsigned)> f, g = plain;
  if (warpId() % 3 == 0)
    f = [present, n](unsigned x) { return ballot(present, x > 500) + n; };
  else if (warpId() % 3 == 1)
    f = total;
  nvstd::function<unsigned(unsigned)> copy = f;
  unsigned x = input(in);
  *out = (f ? f(x) : 7) + (copy ? copy(x + 1) * 3 : 1) + g(x);
}

// Callbacks with callbacks, each of another type.
BOTH unsigned onceMore(Step f, unsigned x) { return f(x + 1) + most(x); }
BOTH unsigned once(Step f, unsigned x) { return f(x); }
SHAPE(callbacksOfCallbacks) {
  unsigned (*apply)(Step, unsigned) = (warpId() + n) & 1 ? onceMore : once;
  *out = apply(step(warpId() % 4), input(in));
}

// The result is not asked for, which makes the type another one.
BOTH unsigned publish(unsigned *to, unsigned x) { return *to = total(x); }
BOTH unsigned keep(unsigned *to, unsigned x) { return *to = x; }
SHAPE(castTypes) {
  typedef void (*Procedure)(unsigned *, unsigned);
  Procedure f = reinterpret_cast<Procedure>((n + warpId()) & 1 ? publish : keep);
  f(out, input(in));
}

// Found at run time, or not.
SHAPE(nullOrNot) {
#ifdef __CUDA_ARCH__
  Step f = found;
#else
  Step f = foundOnHost;
#endif
  unsigned x = input(in);
  if (f)
    x = f(x);
  *out = f == total ? x * 2 : x;
}

// Some threads have ended.
SHAPE(afterEnd) {
  unsigned x = input(in), rest = ballot(presentLanes(), x % 4 != 0);
  *out = 1;
  if (x % 4 == 0)
    return;
  unsigned (*f)(unsigned, unsigned) = (n + warpId()) & 1 ? totalIn : firstIn;
  *out = f(rest, x);
}

int main() {
  for (Step f : {Step(nullptr), Step(total)}) {
    foundOnHost = f;
    if (f)
      CHECK(cudaMemcpyFromSymbol(&f, inMemory, sizeof f));
    CHECK(cudaMemcpyToSymbol(found, &f, sizeof f));
    COMPARE_SHAPE(nullOrNot, 1);
  }
  COMPARE_SHAPE(uniformTarget, 1);
  COMPARE_SHAPE(sharedTarget, 1);
  COMPARE_SHAPE(oneAfterTheOther, 1);
  COMPARE_SHAPE(targetOfWarp, 1);
  COMPARE_SHAPE(targetOfVote, 1);
  COMPARE_SHAPE(targetOfThread, 1);
  COMPARE_SHAPE(targetInLoop, 1);
  COMPARE_SHAPE(callbacksInStructure, 1);
  COMPARE_SHAPE(memberPointers, 1);
  COMPARE_SHAPE(virtualBases, 1);
  COMPARE_SHAPE(virtualDestructors, 1);
  COMPARE_SHAPE(severalOperands, 1);
  COMPARE_SHAPE(largeOperands, 1);
  COMPARE_SHAPE(largeResults, 1);
  COMPARE_SHAPE(functionObjects, 1);
  COMPARE_SHAPE(lambdasAndTemplates, 1);
  COMPARE_SHAPE(callbacksOfCallbacks, 1);
  COMPARE_SHAPE(castTypes, 1);
  COMPARE_SHAPE(afterEnd, 1);
  return finish();
}
