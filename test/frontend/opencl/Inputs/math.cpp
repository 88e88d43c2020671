// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of vectors are those of scalars, element by element; with results through
// pointers into every address space.

#include "harness.h"
#include <cmath>
#include <cstring>

int main() {
  Harness h;
  // Sixteen values for every function: as scalars, and as vectors of two sizes.
  cl_program program = h.build(R"(
#define SIZES(F) F(3) F(8)
#define CHECK(N, WHAT, VECTOR, SCALAR)                                                         \
  for (int i = 0; i + N <= 16; i += N) {                                                       \
    T##N x = vload##N(0, in + i), r = VECTOR;                                                  \
    for (int j = 0; j < N; ++j) {                                                              \
      T y = in[i + j], s = SCALAR;                                                             \
      if (!(r[j] == s || (isnan(r[j]) && isnan(s)))) atomic_or(wrong, 1 << (WHAT));            \
    }                                                                                          \
  }
#define TESTS(N)                                                                               \
  CHECK(N, 1, exp(x), exp(y)) CHECK(N, 2, pow(x, x), pow(y, y))                                \
  CHECK(N, 3, pown(x, (int##N)3), pown(y, 3)) CHECK(N, 4, fmod(x, (T##N)0.75), fmod(y, (T)0.75)) \
  { T##N c; T d; CHECK(N, 5, (sincos(x, &c), c), (sincos(y, &d), d)) }                         \
  { int d; CHECK(N, 6, remquo(x, (T##N)0.75, &locals##N), remquo(y, (T)0.75, &d)) }            \
  { int d; global int##N *g = (global int##N *)scratch;                                        \
    CHECK(N, 7, (lgamma_r(x, g), convert(*g, T##N)), (lgamma_r(y, &d), (T)d)) }
#define BITS(N)                                                                                \
  for (int i = 0; i + N <= 16; i += N) {                                                       \
    T##N x = vload##N(0, in + i);                                                              \
    for (int j = 0; j < N; ++j) {                                                              \
      T y = in[i + j];                                                                         \
      if (isinf(x)[j] != -isinf(y) || isnan(x)[j] != -isnan(y)) atomic_or(wrong, 1 << 8);      \
    }                                                                                          \
  }
#define convert(V, TYPE) convert2(V, TYPE)
#define convert2(V, TYPE) convert_##TYPE(V)
#define LOCAL(N) local int##N locals##N;
#define KERNEL(NAME)                                                                           \
  kernel void NAME(global const T *in, global int *wrong, global int *scratch) {               \
    SIZES(LOCAL) SIZES(TESTS) SIZES(BITS)                                                      \
    if (!isnan(ldexp(in[15], 3)) || ldexp(in[2], -2000) != 0 || ldexp(in[14], -5) != in[14] || \
        ldexp(ldexp(in[6], -1040), 1040) != (sizeof(T) == 4 ? 0 : in[6]) ||                    \
        ldexp(ldexp(in[6], 100), -100) != in[6] || !isinf(ldexp(in[2], 2000)))                 \
      atomic_or(wrong, 1 << 9);                                                                \
  }
#define T float
#define T3 float3
#define T8 float8
KERNEL(floats)
#undef T
#undef T3
#undef T8
#define T double
#define T3 double3
#define T8 double8
KERNEL(doubles)
)");
  const double values[16] = {0,    -0.0, 1,    -1,   0.5,  1e-3,  2.75,     -3.5,
                             1e30, 60,   -1e5, 7.25, 4096, 1e-40, INFINITY, NAN};
  std::vector<float> floats(values, values + 16);
  std::vector<double> doubles(values, values + 16);
  cl_mem inputs[] = {h.buffer(floats), h.buffer(doubles)};
  cl_mem scratch = h.buffer(std::vector<int>(16));
  const char *names[] = {"floats", "doubles"};
  for (int i = 0; i < 2; ++i) {
    cl_mem wrong = h.buffer(std::vector<int>{0});
    cl_kernel k = h.kernel(program, names[i]);
    setArg(k, 0, inputs[i]);
    setArg(k, 1, wrong);
    setArg(k, 2, scratch);
    h.run(k, 1, 1);
    int bits = h.read<int>(wrong, 1)[0];
    if (bits)
      std::printf("%s: wrong functions 0x%x\n", names[i], unsigned(bits));
    CHECK(!bits);
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(wrong));
    OK(clReleaseMemObject(inputs[i]));
  }
  OK(clReleaseMemObject(scratch));
  OK(clReleaseProgram(program));
  std::puts("mathematics work");
}
