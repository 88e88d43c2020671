// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spellings that nvcc's front end accepts: launches with blanks in <<< and >>>, and asm operands
// without a comma or with % before a register; macros that are pragmas; in a source, a header and macros. What looks alike
// and is C++ keeps its meaning.
// RUN: %vxcc -O3 -I%inputs -I%S/Inputs %s -o %t
// RUN: %run %t
// RUN: %vxcc -O3 --target=host -I%inputs -I%S/Inputs %s -o %t.host
// RUN: %run %t.host
// RUN: %vxcc -E -I%inputs -I%S/Inputs %s | FileCheck %s --check-prefix=TEXT
// RUN: not %vxcc -c -DWRONG -I%inputs -I%S/Inputs %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: %vxcc -MM -I%inputs -I%S/Inputs %s | FileCheck %s --check-prefix=RULE
// RULE: nvcc-spellings.o: {{.*}}nvcc-spellings.cu
// RULE: spaced-launch.h

#include "harness.h"
#include "spaced-launch.h"
#include <iostream>
#include <sstream>
#include <string>

#define TEXT_OF(x) #x

// clang-format off
#define UNROLL #pragma unroll
#define UNROLL_BY_4  # pragma unroll 4 // not more
  #define QUIETLY \
    #pragma message "a \"quoted\" word"
#define HASHED(x) #x
// clang-format on

template <int N> struct Number {
  static constexpr int value = N;
};
template <class T> constexpr int numberOf = T::value;
template <class T> constexpr bool isMany = T::value > 3;

// A function whose name is followed by template arguments.
struct Stream {
  std::string text;
};
template <class T> Stream &operator<< (Stream &s, const T &x) {
  s.text += std::to_string(x);
  return s;
}

__global__ void sum(unsigned *p) {
  unsigned r, s, lane;
  // clang-format off
  asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(p[threadIdx.x]) "r"(threadIdx.x));
  asm volatile("{ add.u32 %0, %2, %3;\n add.u32 %1, %2, %4; }"
               : "=r"(r) "=r"(s)
               : "r"(r)"r"(1)
                 [other] "n"(40)
               : "memory");
  asm("{ .reg .u32 %t; mov.u32 %t, %laneid;" " sub.u32 %0, %t, %%tid.x; }" : "=r"(lane));
  // clang-format on
  unsigned turns = 0;
  UNROLL for (int i = 0; i < 5; ++i) turns += i;
  UNROLL_BY_4
  for (unsigned i = 0; i < lane; ++i)
    turns += i;
  p[threadIdx.x] = r + s + lane + turns - 10 - lane * (lane - 1) / 2;
}

int main() {
  DeviceArray<int> a(32);
  DeviceArray<unsigned> b(32);
  int *p = a;
  unsigned *q = b;
  // clang-format off
  addTo << <1, 32 >> > (p, 1);
  addTo<int> << <dim3(1), (64 >> 1) >> > (p, 10);
  addTo<<<1, 32 >> >(p, 100);
  addTo << <numberOf<Number<1>>, 32>>>(p, numberOf<Number<3>> > (2) ? 0 : 5);
  addTo<<<isMany<Number<2>> > (0) ? 1 : 1, 32>>>(p, 0);
  LAUNCH_TWICE(addTo, p, 20000);
  addTo<<<{1, 1}, {32}>>>(p, 2000000);
  addTo << <dim3{1, 1}, {16, 2, 1}, 0, 0>> >(p, 0);
  fromHeader(p); addTo <<
     <1,
      32 >>
      > (p, 300000);
  sum << <1, 32 >> > (q);
  std::string text = TEXT_OF(x << <1 >> > y), plain = "k << <1, 1 >> > (p)"; // k << <1, 1 >> > (p)
  Stream s;
  operator<< <int>(s, 12);
  operator << <long>(s, 34l);
  // clang-format on
  CHECK(cudaDeviceSynchronize());
  std::vector<int> got = a.host();
  std::vector<unsigned> sums = b.host();
  for (unsigned i = 0; i < 32; i++) {
    expectEqual(got[i], 1 + 10 + 100 + 40000 + 1000 + 300000 + 2000000, "launches", i);
    expectEqual(sums[i], (i + 1) + (i + 40), "asm operands", i);
  }
  expect(text == "x << <1 >> > y", "text of a macro argument");
  expect(std::string(HASHED(pragma unroll)) == "pragma unroll", "text that is like a pragma");
  expect(plain == "k << <1, 1 >> > (p)", "text of a string");
  expect(s.text == "1234", "operator<< with template arguments");
#ifdef WRONG
  // clang-format off
  addTo << <1, 32 >> > (p, undeclared);
// PLACE: nvcc-spellings.cu:[[@LINE-1]]:28: error: use of undeclared identifier 'undeclared'
#endif
  // clang-format off
  QUIETLY
// TEXT: #pragma unroll{{$}}
// TEXT: #pragma unroll 4{{$}}
// TEXT: addTo <<< 1, 32 >>> (p, 1);
// TEXT: operator<< <int>(s, 12);
  return finish();
}
