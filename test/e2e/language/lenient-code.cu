// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates that nvcc's front end and g++ accept without the keywords that the standard asks for, as in cuCollections;
// in a source and a header, for the device and the host. Other errors stay errors, at their lines.
// RUN: %vxcc -O2 -std=c++17 -I%inputs -I%S/Inputs %s -o %t 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: %run %t
// RUN: %vxcc -O2 -std=c++17 --target=host -w -I%inputs -I%S/Inputs %s -o %t.host
// RUN: %run %t.host
// RUN: %vxcc -c -std=c++17 -w -MD -MF %t.d -I%inputs -I%S/Inputs %s -o %t.o
// RUN: FileCheck %s --check-prefix=RULE --input-file=%t.d
// RUN: not %vxcc -c -DWRONG -w -std=c++17 -I%inputs -I%S/Inputs %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WRONG
// RULE: lenient-templates.h

#include "harness.h"
#include "lenient-templates.h"

// No `template` before a template of a dependent type, no `typename` before a dependent type.
template <class R> struct Sets : Holder<R> {
  using Holder<R>::held;
  using Inner = typename R::Scoped<3>;
  static constexpr bool isLast() { return true; }

  __host__ __device__ int add(int x) { return held.add<isLast()>(x) + held.operator()<2>(x); }
  __host__ __device__ int scope() { return Inner::value; }
  // A member of a base that is not known yet.
  __host__ __device__ int inherited(int x) { return fromBase(*this, x); }
};
template <class R> __host__ __device__ int convert(long x) {
  auto result = R::Index(x);
  return result;
}

// A constant by way of `this`.
template <class K, class V> struct Slots {
  static constexpr auto isPair = sizeof(K) != sizeof(V);
  __host__ __device__ constexpr K keyOf(const V &v) const noexcept {
    if constexpr (this->isPair)
      return v.key;
    else
      return v;
  }
};

// Code that cannot be constant in a function that says it is.
template <class T> struct Totals {
  constexpr T sumOf(int n) {
    std::vector<T> all(n, T(2));
    T sum = 0;
    for (T x : all)
      sum += x;
    return sum;
  }
};

__global__ void run(int *out, size_t n) {
  Sets<Ref> sets;
  out[0] = sets.add(10) * 100 + sets.scope();
  out[1] = convert<Ref>(7);
  Slots<int, int> numbers;
  Slots<int, Couple> couples;
  out[2] = numbers.keyOf(3) * 10 + couples.keyOf(Couple{4, 5});
  int narrow[] = {n};
// WARNING-NOT: error
// WARNING: lenient-code.cu:[[# @LINE - 2]]:19: warning: non-constant-expression cannot be narrowed
// WARNING-NOT: error
  out[3] = narrow[0];
  out[4] = sets.inherited(5);
}

// Members of types that are complete when the template is instantiated.
union Slot;
struct Node;
template <int N> __device__ int wordOf(Slot *slot) { return slot->word + N; }
template <class T> __host__ __device__ int sumOf(const Node *node, T add) {
  int sum = 0;
  for (; node; node = node->next)
    sum += node->value + add;
  return sum;
}
union Slot {
  int word;
  char bytes[4];
};
struct Node {
  int value;
  const Node *next;
};
__global__ void useIncomplete(int *out) {
  Slot slot{40};
  Node last{5, nullptr}, first{7, &last};
  *out = wordOf<2>(&slot) * 100 + sumOf(&first, 1);
}

int main() {
  DeviceArray<int> out(5), incomplete(1);
  run<<<1, 1>>>(out, 6);
  useIncomplete<<<1, 1>>>(incomplete);
  Node node{5, nullptr};
  EXPECT(incomplete.host()[0] == 4214 && sumOf(&node, 2) == 7);
  std::vector<int> got = out.host(), wanted = {(11 + 20) * 100 + 3, 7, 34, 6, 105};
  for (int i = 0; i < 5; ++i)
    expectEqual(got[i], wanted[i], "device", i);
  Sets<Ref> sets;
  EXPECT(sets.add(10) == 31 && sets.scope() == 3 && sets.inherited(5) == 105 && scopeOf(Ref()) == 8);
  EXPECT(Totals<int>().sumOf(4) == 8);
#ifdef WRONG
  undeclared();
// WRONG-NOT: error
// WRONG: lenient-code.cu:[[# @LINE - 2]]:3: error: use of undeclared identifier 'undeclared'
// WRONG-NOT: error:
// WRONG: 1 error generated
#endif
  return finish();
}
