// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ standard library together with CUDA, in both halves and in every standard from C++11 on.
// RUN: %vxcc -std=c++11 -c %s -o %t.o
// RUN: %vxcc -std=c++14 --emit=nvvm %s -o %t.ll
// RUN: %vxcc -c %s -o %t.o
// RUN: %vxcc -std=c++20 -c %s -o %t.o
// RUN: %vxcc -std=c++23 --emit=nvvm %s -o %t.ll

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <omp.h>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/time.h>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
__global__ void k(float *p, double *d, int *q) {
  p[0] = std::sqrt(p[1]) + std::abs(p[2]) + sqrt(p[3]) + abs(q[0]) + fabs(p[0]) +
         std::max(p[1], p[2]) + max(1, q[0]) + min(2u, 3u) + max(d[0], p[0]) + pow(p[0], 2) +
         powf(p[1], 2.f) + std::pow(d[0], 2.0) + fmaxf(p[0], 1) + rsqrt(d[0]) + rsqrtf(p[0]) +
         __powf(p[0], p[1]) + std::isnan(p[0]) + isinf(d[0]) + signbit(p[0]) +
         std::fmin(p[0], p[1]) + __popc(q[0]) + __ffs(q[0]) + __clz(q[0]) + __brev(q[0]) +
         __umulhi(3, q[0]) + __mul24(q[0], 3) + __sad(1, 2, q[0]) + __byte_perm(q[0], q[1], q[2]) +
         __funnelshift_l(q[0], q[1], 3) + sinpif(p[0]) + norm3d(d[0], d[1], d[2]) + round(d[0]) +
         lrint(d[0]) + lgamma(p[0]) + cbrt(p[0]) + hypot(p[0], p[1]) +
         fmod(p[0], p[1]) + ldexp(p[0], 3) + (float)clock() + (float)clock64() +
         __vadd4(q[0], q[1]) + copysign(p[0], p[1]) + llrint(d[0]) +
         std::numeric_limits<float>::max() + (1ull * q[0] < min(3ull, (unsigned long long)q[1])) +
         fdividef(p[0], p[1]) + __fdividef(p[0], p[1]) + __expf(p[0]) + __frcp_rn(p[0]) +
         __double2int_rn(d[0]) + __int_as_float(q[0]) + __hiloint2double(q[0], q[1]);
  float s, c;
  sincosf(p[0], &s, &c);
  sincos(d[0], &d[1], &d[2]);
  __sincosf(p[0], &s, &c);
  sincospi(d[0], d + 1, d + 2);
  modf(d[0], d + 1);
  frexp(d[0], q);
  remquo(d[0], d[1], q);
  p[4] = s + c;
  std::complex<float> z(p[0], p[1]);
  z = z * z;
  p[5] = z.real() + abs(z);
  assert(q[0] > 0);
  int *m = (int *)malloc(16);
  m[0] = 1;
  free(m);
  int *n = new int[4];
  delete[] n;
  memcpy(p, d, 16);
  memset(p, 0, 4);
  std::pair<int, int> pr(1, 2);
  q[3] = pr.first;
  int a[4] = {1, 2, 3, 4};
  a[q[0] & 3] = 4;
  q[4] = a[2];
  if (threadIdx.x == 99)
    __trap();
  unsigned ret;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(ret));
  q[5] = ret;
}
int main() {
  std::vector<int> v{3, 1, 2};
  std::sort(v.begin(), v.end());
  std::cout << v[0] << std::endl;
  float f = rsqrtf(4.f) + rsqrt(4.0) + min(1, 2) + max(1.0f, 2.0f) + max(1u, 2) + norm3d(1, 2, 3) +
            sinpi(0.5) + std::max(1.f, 2.f) + fmaxf(1, 2) + pow(2.f, 2) + abs(-3) + std::abs(-1.5);
  std::thread t([] {});
  t.join();
  auto x = std::chrono::steady_clock::now();
  (void)x;
  std::mt19937 g(1);
  std::complex<double> z(1, 2);
  z *= z;
  printf("%f %f\n", f, z.real());
  k<<<1, 1>>>(0, 0, 0);
  try {
    throw std::runtime_error("x");
  } catch (std::exception &e) {
    puts(e.what());
  }
}
