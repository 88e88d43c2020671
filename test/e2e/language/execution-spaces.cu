// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t && %shapes --few %t
// RUN: not %vxcc -DKERNEL -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not %vxcc -DHOST -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOST
//
// Definitions inherit __host__ and __device__ from the declarations before them: functions, members
// out of their classes, templates and their specializations, friends, defaulted functions. Members,
// and functions of namespaces, are also what their definitions say, for code before these, too.

#include "../Inputs/harness.h"

__device__ int onDevice(int x);
__host__ __device__ int onBoth(int x);
__device__ int madeBoth(int x);
int hostMadeBoth(int x);
extern "C" __device__ int withCName(int x);
namespace inner {
__device__ int add(int a, int b = 2);
}
// Overloads: each from its own.
__device__ int overloaded(int x);
int overloaded(double x);
__host__ __device__ int overloaded(char x);

int onDevice(int x) { __syncthreads(); return x + 1 + threadIdx.x; }
inline int onBoth(int x) { return x + 2; }
__host__ __device__ int madeBoth(int x) { return x + 3; }
__host__ __device__ int hostMadeBoth(int x) { return x + 4; }
extern "C" int withCName(int x) { return x + 5; }
int inner::add(int a, int b) { return a * b; }
int overloaded(int x) { return x * 10; }
int overloaded(double) { return std::vector<int>(4).size(); }
int overloaded(char x) { return x; }

struct Class {
  int k;
  __host__ __device__ Class(int k);
  template <class T> __host__ __device__ Class(T *of);
  __host__ __device__ Class(const Class &);
  __host__ __device__ ~Class();
  __device__ int get(int x) const;
  static __device__ int twice(int x);
  __host__ __device__ bool operator<(const Class &other) const;
  __device__ explicit operator int() const;
  __device__ virtual int dynamic() const;
  friend __device__ int friendOf(Class c);
  friend __host__ __device__ Class operator+(Class a, Class b);
};
Class::Class(int k) : k(k) {}
template <class T> Class::Class(T *of) : k(*of) {}
Class::Class(const Class &) = default;
Class::~Class() {}
int Class::get(int x) const { return onDevice(k) + x; }
int Class::twice(int x) { return x * 2; }
bool Class::operator<(const Class &other) const { return k < other.k; }
Class::operator int() const { return k; }
int Class::dynamic() const { return k + 7; }
int friendOf(Class c) { return c.k + 8; }
Class operator+(Class a, Class b) { return Class(a.k + b.k); }

template <class T> struct Of {
  T v;
  __host__ __device__ Of(T v);
  __device__ T add(T x);
  template <class U> __device__ U convert();
  struct Nested {
    static __device__ int size();
  };
};
template <class T> Of<T>::Of(T v) : v(v) {}
template <class T> T Of<T>::add(T x) { return v + x; }
template <> int Of<int>::add(int x) { return v - x; }
template <class T> template <class U> U Of<T>::convert() { return U(v); }
template <class T> int Of<T>::Nested::size() { return sizeof(T); }

template <class T> __device__ T primary(T x);
template <class T> T primary(T x) { return x * 3; }
template <> char primary(char x) { return x + threadIdx.x + 1; }
template <> long primary<long>(long x);
template <> long primary<long>(long x) { return x * 4; }

namespace inner {
int plain(int x);
struct Plain {
  int v;
  Plain();
  Plain(const Plain &);
  Plain(int v);
  ~Plain();
  int get() const;
  static int of(int x);
  int operator+(int x) const;
  operator int() const;
  __host__ int both();
  struct Nested {
    template <class T> T convert(T x);
  };
};
template <class T> struct PlainOf {
  T v;
  T get();
  template <class U> U convert(U x);
  T special();
};
} // namespace inner
// Needs what only the definitions below say.
__device__ int usedBefore() {
  inner::Plain one, three(3);
  inner::PlainOf<int> of{4};
  return one.get() + inner::Plain::of(2) * 100 + (three + 2) * 1000 + inner::Plain::Nested().convert(5) +
         of.get() + of.convert(6) + three.both() + inner::plain(1);
}
__host__ __device__ int usedBeforeByBoth() { return inner::Plain(3).v; }
__device__ int inner::plain(int x) { return x - threadIdx.y; }
__device__ inner::Plain::Plain() : v(int(blockDim.y)) {}
__device__ inner::Plain::Plain(const Plain &) = default;
__host__ __device__ inner::Plain::Plain(int v) : v(v) {}
__host__ __device__ inner::Plain::~Plain() {}
__device__ int inner::Plain::get() const { return v + threadIdx.y; }
__device__ int inner::Plain::of(int x) { return x + threadIdx.y; }
__device__ int inner::Plain::operator+(int x) const { return v * x + threadIdx.y; }
__device__ inner::Plain::operator int() const { return v * 7 + threadIdx.y; }
__device__ int inner::Plain::both() { return v + 5; }
template <class T> __device__ T inner::Plain::Nested::convert(T x) { return x + threadIdx.y; }
template <class T> __device__ T inner::PlainOf<T>::get() { return v + threadIdx.y; }
template <class T> template <class U> __device__ U inner::PlainOf<T>::convert(U x) {
  return U(v) + x + threadIdx.y;
}
template <class T> T inner::PlainOf<T>::special() { return v; }
template <> __device__ int inner::PlainOf<int>::special() { return v * 2 + threadIdx.y; }

__device__ int definedOutside() {
  inner::Plain one, same(one), three(3);
  inner::PlainOf<int> of{4};
  return one.get() + same.v * 10 + inner::Plain::of(2) * 100 + (three + 2) * 1000 + int(three) * 10000 +
         inner::Plain::Nested().convert(5) + of.get() + of.convert(6) + of.special() + three.both() +
         inner::plain(1);
}

__global__ void kernel(int *out) {
  int i = threadIdx.x, at = 0;
  Class c(4);
  Of<int> ofInt(5);
  Of<short> ofShort(&i ? 6 : 0);
  int results[] = {onDevice(1) - i, onBoth(1), madeBoth(1), hostMadeBoth(1), withCName(1), inner::add(3),
                   overloaded(2), overloaded('a'), c.get(1) - i, Class::twice(3), c < Class(9),
                   int(c), c.dynamic(), friendOf(c), (c + Class(&i)).k - i, ofInt.add(1),
                   ofShort.add(1), int(ofShort.convert<double>()), Of<char>::Nested::size(), primary(2),
                   primary('a') - i, int(primary(2L)), definedOutside(), usedBefore(), usedBeforeByBoth()};
  if (i == 3)
    for (int result : results)
      out[at++] = result;
}

#ifdef KERNEL
__global__ void later(int *out);
void later(int *out) { *out = 1; }
// KERNEL: error: {{.*}}'later' cannot overload __global__ function 'later'
#endif
#ifdef HOST
// HOST: [[#@LINE+1]]:{{.*}}error: {{.*}}'onDevice'
int host() { return onDevice(1); }
#endif

int main() {
  const std::vector<int> expected = {2, 3, 4, 5, 6, 6, 20, 'a', 6, 6, 1, 4, 11, 12, 4, 4, 7, 6, 1, 6, 'b', 8, 216247, 6229, 3};
  DeviceArray<int> out(expected.size());
  kernel<<<1, 4>>>(static_cast<int *>(out));
  std::vector<int> got = out.host();
  for (size_t i = 0; i < expected.size(); ++i)
    expectEqual(got[i], expected[i], "result", int(i));
  inner::PlainOf<char> ofChar{9};
  expectEqual(inner::Plain(4).both() + ofChar.special(), 18, "members on the host", 0);
  expectEqual(onBoth(1) + madeBoth(1) + hostMadeBoth(1) + overloaded(1.0) + (Class(1) < Class(2)), 17,
              "host", 0);
  return finish();
}
