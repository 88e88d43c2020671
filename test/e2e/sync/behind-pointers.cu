// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers that are called through pointers: of functions and members, virtual, in structures and
// nvstd::function, found in every kind of memory; some of the functions have none. Compared with fibers on
// the host in hardware, in the mappings of the software, and as code of the host.
// RUN: %vxcc -O3 -std=c++17 -I%inputs %s -o %t
// RUN: env VX_LOWERING=hw %shapes --few %t
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

BOTH unsigned size() {
  return blockSize().x * blockSize().y * blockSize().z;
}
BOTH unsigned input(const unsigned *in) {
  return in[linearThread() % 256] % 1000;
}

// --- what is called; keep() has no barrier ---

BOTH unsigned rotate(Shared &s, unsigned x) {
  s.a[linearThread()] = x;
  sync();
  x = s.a[(linearThread() + 3) % size()];
  sync();
  return x;
}
BOTH __noinline__ unsigned flip(Shared &s, unsigned x) {
  s.b[linearThread()] = x;
  sync();
  x = s.b[size() - 1 - linearThread()];
  sync();
  return x;
}
BOTH unsigned keep(Shared &, unsigned x) {
  return x + 1;
}
/// Through another function, out of line.
BOTH __noinline__ unsigned both(Shared &s, unsigned x) {
  return rotate(s, flip(s, x) * 2);
}

typedef unsigned (*Step)(Shared &, unsigned);
__device__ Step inMemory[4] = {rotate, keep, flip, both};
__constant__ Step inConstants[4] = {rotate, keep, flip, both};
static Step onHost[4] = {rotate, keep, flip, both};
__device__ Step found = nullptr;
static Step foundOnHost = nullptr;

BOTH Step step(unsigned k) {
#ifdef __CUDA_ARCH__
  return k & 4 ? inConstants[k % 4] : inMemory[k % 4];
#else
  return onHost[k % 4];
#endif
}

SHAPE(uniformTarget) { *out = step(n % 4)(s, input(in)) + step(4 + (n + 1) % 4)(s, n); }

SHAPE(selectedTarget) {
  Step f = n & 2 ? flip : keep;
  *out = f(s, input(in));
}

SHAPE(sharedTarget) {
  Step *p = reinterpret_cast<Step *>(&s.a[1000]);
  if (linearThread() == 0)
    *p = step(n + linearBlock());
  sync();
  *out = (*p)(s, input(in)) + n;
}

SHAPE(oneAfterTheOther) {
  unsigned x = input(in);
  for (unsigned k = 0; k < n % 3 + 4; ++k)
    x = step(k)(s, x) ^ k;
  *out = x;
}

// All threads have come to the same pointer by different ways.
SHAPE(targetFromLoad) {
  unsigned k = in[n % 256] % 4, x = input(in);
  if (linearThread() % 3 == 0)
    x *= 2;
  *out = step(k)(s, x);
}

// --- structures, members, virtual functions ---

struct Phase {
  Step f, g;
  BOTH unsigned go(Shared &s, unsigned x) const { return f(s, x) + (g ? g(s, x) : 5); }
};
SHAPE(callbacksInStructure) {
  Phase phase{step(n), n & 4 ? nullptr : step(n + 1)};
  *out = phase.go(s, input(in));
}

struct Stage {
  unsigned by = 2;
  BOTH virtual ~Stage() {}
  BOTH virtual unsigned run(Shared &s, unsigned x) const = 0;
  BOTH unsigned twice(Shared &s, unsigned x) const { return rotate(s, x) * by; }
  BOTH unsigned none(Shared &, unsigned x) const { return x * by; }
};
struct Rotate : virtual Stage {
  BOTH unsigned run(Shared &s, unsigned x) const override { return rotate(s, x + by); }
};
struct Scale : virtual Stage {
  BOTH unsigned run(Shared &, unsigned x) const override { return x * by; }
};
struct Diamond : Rotate, Scale {
  BOTH unsigned run(Shared &s, unsigned x) const override { return Rotate::run(s, x) ^ Scale::run(s, x); }
};
SHAPE(virtualFunctions) {
  Rotate rotate;
  Scale scale;
  Diamond diamond;
  const Stage *stages[3] = {&rotate, &scale, &diamond};
  *out = stages[n % 3]->run(s, stages[(n + 1) % 3]->run(s, input(in)));
}
SHAPE(memberPointers) {
  Rotate rotate;
  const Stage &stage = rotate;
  unsigned (Stage::*members[3])(Shared &, unsigned) const = {&Stage::twice, &Stage::none, &Stage::run};
  *out = (stage.*members[n % 3])(s, input(in)) + (stage.*members[(n + 1) % 3])(s, n);
}

struct Scope {
  Shared &s;
  unsigned *to;
  BOTH Scope(Shared &s, unsigned *to) : s(s), to(to) {}
  BOTH virtual ~Scope() { *to += 1; }
};
struct WaitingScope : Scope {
  using Scope::Scope;
  BOTH ~WaitingScope() override { *to = flip(s, *to); }
};
SHAPE(virtualDestructors) {
  unsigned r = input(in);
  Scope *scope = n & 2 ? new Scope(s, &r) : new WaitingScope(s, &r);
  delete scope;
  *out = r;
}

// --- callables ---

SHAPE(functionObjects) {
  unsigned t = linearThread();
  nvstd::function<unsigned(unsigned)> f = [](unsigned x) { return x; };
  if (n & 2)
    f = [&s, t](unsigned x) {
      s.a[t] = x;
      sync();
      return s.a[t ^ (size() > (t ^ 1))];
    };
  *out = f ? f(input(in)) : 0;
}

template <unsigned By> BOTH unsigned shifted(Shared *s, unsigned x) {
  return rotate(*s, x << By);
}
SHAPE(lambdasAndTemplates) {
  unsigned (*steps[3])(Shared *, unsigned) = {
      shifted<1>, [](Shared *s, unsigned x) { return flip(*s, x) + 1; }, shifted<4>};
  *out = steps[n % 3](&s, input(in));
}

BOTH unsigned onceMore(Step f, Shared &s, unsigned x) { return f(s, f(s, x)); }
BOTH unsigned once(Step f, Shared &s, unsigned x) { return f(s, x); }
SHAPE(callbacksOfCallbacks) {
  unsigned (*apply)(Step, Shared &, unsigned) = n & 4 ? onceMore : once;
  *out = apply(step(n), s, input(in));
}

BOTH unsigned publish(unsigned *to, Shared &s, unsigned x) { return *to = flip(s, x); }
BOTH unsigned store(unsigned *to, Shared &, unsigned x) { return *to = x; }
SHAPE(castTypes) {
  typedef void (*Procedure)(unsigned *, Shared &, unsigned);
  reinterpret_cast<Procedure>(n & 2 ? publish : store)(out, s, input(in));
}

SHAPE(nullOrNot) {
#ifdef __CUDA_ARCH__
  Step f = found;
#else
  Step f = foundOnHost;
#endif
  unsigned x = input(in);
  if (f)
    x = f(s, x);
  *out = f == flip ? x * 2 : x;
}

struct Large {
  unsigned words[9];
};
BOTH Large fold(Shared &s, Large l) {
  for (unsigned i = 0; i < 2; ++i)
    l.words[i] = rotate(s, l.words[i]);
  return l;
}
BOTH Large pass(Shared &, Large l) { return l; }
SHAPE(largeOperands) {
  Large l;
  for (unsigned i = 0; i < 9; ++i)
    l.words[i] = input(in) + i * n;
  Large (*f)(Shared &, Large) = n & 2 ? fold : pass;
  *out = f(s, l).words[1] + l.words[0];
}

// Some threads have ended.
SHAPE(afterEnd) {
  *out = 1;
  if (linearThread() % 4 == 1)
    return;
  step(n)(s, input(in));
  *out = 2;
}

int main() {
  for (Step f : {Step(nullptr), Step(flip)}) {
    foundOnHost = f;
    if (f)
      CHECK(cudaMemcpyFromSymbol(&f, inMemory, sizeof f, 2 * sizeof f));
    CHECK(cudaMemcpyToSymbol(found, &f, sizeof f));
    COMPARE_SHAPE(nullOrNot, 1);
  }
  COMPARE_SHAPE(uniformTarget, 1);
  COMPARE_SHAPE(selectedTarget, 1);
  COMPARE_SHAPE(sharedTarget, 1);
  COMPARE_SHAPE(oneAfterTheOther, 1);
  COMPARE_SHAPE(targetFromLoad, 1);
  COMPARE_SHAPE(callbacksInStructure, 1);
  COMPARE_SHAPE(virtualFunctions, 1);
  COMPARE_SHAPE(memberPointers, 1);
  COMPARE_SHAPE(virtualDestructors, 1);
  COMPARE_SHAPE(functionObjects, 1);
  COMPARE_SHAPE(lambdasAndTemplates, 1);
  COMPARE_SHAPE(callbacksOfCallbacks, 1);
  COMPARE_SHAPE(castTypes, 1);
  COMPARE_SHAPE(largeOperands, 1);
  COMPARE_SHAPE(afterEnd, 1);
  return finish();
}
