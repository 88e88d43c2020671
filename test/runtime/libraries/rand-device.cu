// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuRAND's device functions: numbers against the published algorithms and their known answers,
// jumps against steps, distributions against their formulas and moments.
// RUN: %vxcc -O2 -I%inputs %s -o %t
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: %vxcc -O2 --target=host -I%inputs %s -o %t.host
// RUN: %run %t.host | FileCheck %s
// CHECK: PASS

#include "harness.h"
#include "rand-reference.h"
#include <cmath>
#include <curand_kernel.h>

constexpr int kStreams = 40, kNumbers = 12;
constexpr unsigned long long kSeed = 0x123456789abcdefull;

/// The values that are made of one state; integers first, then a value of each distribution.
struct Values {
  unsigned numbers[kNumbers];
  float uniform, normals[3], logNormal;
  double uniformDouble, normalDoubles[3], logNormalDouble;
};

/// A subsequence with several hexadecimal digits, and small ones.
__host__ __device__ unsigned long long subsequenceOf(int i) {
  return i < 20 ? i : i < 30 ? 1000ull * i : 0x1000000001ull * i;
}

template <class State> __global__ void generate(Values *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kStreams)
    return;
  State state;
  curand_init(kSeed, subsequenceOf(i), 0, &state);
  for (unsigned &x : out[i].numbers)
    x = curand(&state);
  curand_init(kSeed, subsequenceOf(i), 0, &state);
  out[i].uniform = curand_uniform(&state);
  curand_init(kSeed, subsequenceOf(i), 0, &state);
  out[i].uniformDouble = curand_uniform_double(&state);
  curand_init(kSeed, subsequenceOf(i), 0, &state);
  for (float &x : out[i].normals)
    x = curand_normal(&state);
  curand_init(kSeed, subsequenceOf(i), 0, &state);
  for (double &x : out[i].normalDoubles)
    x = curand_normal_double(&state);
  curand_init(kSeed, subsequenceOf(i), 0, &state);
  out[i].logNormal = curand_log_normal(&state, 1.0f, 0.5f);
  curand_init(kSeed, subsequenceOf(i), 0, &state);
  out[i].logNormalDouble = curand_log_normal_double(&state, 1.0, 0.5);
}

bool near(double got, double want, double bound) {
  return std::fabs(got - want) <= bound * (1 + std::fabs(want));
}

/// Makes the pair of normal values of two uniform ones.
void boxMuller(double u, double v, double pair[2]) {
  double radius = std::sqrt(-2 * std::log(u));
  pair[0] = radius * std::sin(2 * M_PI * v);
  pair[1] = radius * std::cos(2 * M_PI * v);
}

/// Uniform values, in (0, 1], of the reference's numbers.
template <class Reference> double uniformOf(Reference &reference) {
  return reference.next() * 0x1p-32 + 0x1p-33;
}
double uniformOf(reference::Mrg32k3a &reference) {
  return double(reference.next()) / reference::Mrg32k3a::kModulus;
}
template <class Reference> double uniformDoubleOf(Reference &reference) {
  uint64_t x = reference.next(), y = reference.next();
  return double(x ^ y << 21) * 0x1p-53 + 0x1p-54;
}
double uniformDoubleOf(reference::Mrg32k3a &reference) {
  return uniformOf(reference);
}

template <class Reference> unsigned numberOf(Reference &reference) {
  return reference.next();
}
unsigned numberOf(reference::Mrg32k3a &reference) {
  return unsigned(reference.next() * 1.000000048662);
}

template <class State, class Reference> void checkValues(const char *name) {
  DeviceArray<Values> values(kStreams);
  generate<State><<<3, 16>>>(values);
  std::vector<Values> host = values.host();
  for (int i = 0; i < kStreams; ++i) {
    const Reference start(kSeed, subsequenceOf(i));
    const Values &got = host[i];
    Reference a = start, b = start, c = start, d = start;
    for (unsigned x : got.numbers)
      expectEqual(x, numberOf(a), name, i);
    expect(near(got.uniform, uniformOf(b), 1e-7), name, i);
    // Philox has doubles of 32 bits, in (0, 1], as single values.
    bool wide = !std::is_same<Reference, reference::Philox>::value;
    double wanted = wide ? uniformDoubleOf(c) : c.next() * 0x1p-32 + 0x1p-32;
    expect(near(got.uniformDouble, wanted, 1e-16), name, i);
    Reference e = start;
    for (int k = 0; k < 3; k += 2) {
      double pair[2], first = uniformOf(d);
      boxMuller(first, uniformOf(d), pair);
      for (int j = k; j < 3 && j < k + 2; ++j)
        expect(near(got.normals[j], pair[j - k], 2e-6), name, i);
      if (k == 0)
        expect(near(got.logNormal, std::exp(1 + 0.5 * pair[0]), 5e-6), name, i);
      first = uniformDoubleOf(e);
      boxMuller(first, uniformDoubleOf(e), pair);
      for (int j = k; j < 3 && j < k + 2; ++j)
        expect(near(got.normalDoubles[j], pair[j - k], 1e-13), name, i);
      if (k == 0)
        expect(near(got.logNormalDouble, std::exp(1 + 0.5 * pair[0]), 1e-13), name, i);
    }
  }
}

/// Jumps of n numbers, in one, in two and by the last argument of curand_init, against n calls.
template <class State> __global__ void jumps(unsigned *wrong) {
  const unsigned long long distances[] = {0, 1, 3, 4, 5, 15, 16, 17, 37, 100};
  unsigned long long n = distances[threadIdx.x];
  State a, b, c;
  curand_init(kSeed, 7, 0, &a);
  for (int i = 0; i < n; ++i)
    curand(&a);
  curand_init(kSeed, 7, n, &b);
  curand_init(kSeed, 7, 0, &c);
  skipahead(n / 2, &c);
  skipahead(n - n / 2, &c);
  unsigned x = curand(&a);
  wrong[threadIdx.x] = (curand(&b) != x) + 2 * (curand(&c) != x);
}

template <class State> void checkJumps(const char *name) {
  DeviceArray<unsigned> wrong(10);
  jumps<State><<<1, 10>>>(wrong);
  for (unsigned x : wrong.host())
    expectEqual(x, 0u, name);
}

__global__ void fours(uint4 *numbers, float4 *uniform, double2 *doubles, uint4 *answers) {
  int i = threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(kSeed, 1, i, &state);
  numbers[i] = curand4(&state);
  curand_init(kSeed, 1, i, &state);
  uniform[i] = curand_uniform4(&state);
  curand_init(kSeed, 1, i, &state);
  doubles[i] = curand_uniform2_double(&state);
  // The known answers of the paper's authors.
  if (i == 0) {
    answers[0] = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
    answers[1] = curand_Philox4x32_10(make_uint4(~0u, ~0u, ~0u, ~0u), make_uint2(~0u, ~0u));
    answers[2] = curand_Philox4x32_10(make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
                                      make_uint2(0xa4093822, 0x299f31d0));
  }
}

void checkFours() {
  constexpr int kCount = 9;
  DeviceArray<uint4> numbers(kCount), answers(3);
  DeviceArray<float4> uniform(kCount);
  DeviceArray<double2> doubles(kCount);
  fours<<<1, kCount>>>(numbers, uniform, doubles, answers);
  for (int i = 0; i < kCount; ++i) {
    reference::Philox reference(kSeed, 1);
    uint32_t x[4];
    for (int k = 0; k < i; ++k)
      reference.next();
    for (uint32_t &number : x)
      number = reference.next();
    uint4 n = numbers.host()[i];
    float4 u = uniform.host()[i];
    double2 d = doubles.host()[i];
    expect(n.x == x[0] && n.y == x[1] && n.z == x[2] && n.w == x[3], "curand4", i);
    expect(near(u.x, x[0] * 0x1p-32, 1e-7) && near(u.w, x[3] * 0x1p-32, 1e-7), "uniform4", i);
    expect(d.y == double(x[2] ^ uint64_t(x[3]) << 21) * 0x1p-53 + 0x1p-54, "uniform2_double", i);
  }
  const uint32_t known[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; ++i) {
    uint4 got = answers.host()[i];
    expect(std::memcmp(&got, known[i], sizeof got) == 0, "known answers of Philox", i);
  }
}

/// Van der Corput's sequence is Sobol's first dimension: bits of the Gray code, mirrored.
__global__ void sobol(unsigned *plain, unsigned *scrambled, unsigned long long *wide,
                      float *normals) {
  curandDirectionVectors32_t vectors;
  curandDirectionVectors64_t wideVectors;
  for (int i = 0; i < 32; ++i)
    vectors[i] = 1u << (31 - i);
  for (int i = 0; i < 64; ++i)
    wideVectors[i] = 1ull << (63 - i);
  int i = threadIdx.x;
  curandStateSobol32_t a;
  curandStateScrambledSobol32_t b;
  curandStateSobol64_t c;
  curand_init(vectors, i, &a);
  curand_init(vectors, 0xdeadbeefu, 0, &b);
  skipahead(i / 2, &b);
  curand_init(wideVectors, 0, &c);
  for (int k = 0; k < i; ++k)
    curand(&c);
  for (int k = i / 2; k < i; ++k)
    curand(&b);
  curandStateSobol32_t d = a;
  plain[i] = curand(&a);
  scrambled[i] = curand(&b);
  wide[i] = curand(&c);
  normals[i] = curand_normal(&d);
}

void checkSobol() {
  constexpr int kCount = 32;
  DeviceArray<unsigned> plain(kCount), scrambled(kCount);
  DeviceArray<unsigned long long> wide(kCount);
  DeviceArray<float> normals(kCount);
  sobol<<<1, kCount>>>(plain, scrambled, wide, normals);
  for (unsigned i = 0; i < kCount; ++i) {
    unsigned want = 0, gray = i ^ i >> 1;
    for (int k = 0; k < 32; ++k)
      want |= (gray >> k & 1) << (31 - k);
    expectEqual(plain.host()[i], want, "Sobol32", i);
    expectEqual(scrambled.host()[i], want ^ 0xdeadbeefu, "scrambled Sobol32", i);
    expectEqual(wide.host()[i], (unsigned long long)want << 32, "Sobol64", i);
    double z = normals.host()[i], u = want * 0x1p-32 + 0x1p-33;
    expect(std::fabs(0.5 * std::erfc(-z / std::sqrt(2.0)) - u) < 1e-6, "normal of Sobol32", i);
  }
}

template <class State> __global__ void poisson(unsigned *out, double lambda, int each) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  curand_init(kSeed, i, 0, &state);
  for (int k = 0; k < each; ++k)
    out[i * each + k] = curand_poisson(&state, lambda);
}

/// Mean and variance of a Poisson distribution are its parameter.
void checkPoisson(double lambda) {
  constexpr int kThreads = 64, kEach = 16, kCount = kThreads * kEach;
  DeviceArray<unsigned> out(kCount);
  poisson<curandStatePhilox4_32_10_t><<<2, kThreads / 2>>>(out, lambda, kEach);
  double sum = 0, squares = 0;
  for (unsigned x : out.host()) {
    sum += x;
    squares += (x - lambda) * (x - lambda);
  }
  double deviation = std::sqrt(lambda / kCount);
  expect(std::fabs(sum / kCount - lambda) < 4 * deviation, "mean of Poisson", lambda);
  expect(std::fabs(squares / kCount / lambda - 1) < 5 * std::sqrt((2 + 1 / lambda) / kCount),
         "variance of Poisson", lambda);
}

int main() {
  checkValues<curandStateXORWOW_t, reference::Xorwow>("XORWOW");
  checkValues<curandStateMRG32k3a_t, reference::Mrg32k3a>("MRG32k3a");
  checkValues<curandStatePhilox4_32_10_t, reference::Philox>("Philox");
  checkJumps<curandStateXORWOW_t>("jumps of XORWOW");
  checkJumps<curandStateMRG32k3a_t>("jumps of MRG32k3a");
  checkJumps<curandStatePhilox4_32_10_t>("jumps of Philox");
  checkFours();
  checkSobol();
  for (double lambda : {3.0, 100.0, 5000.0})
    checkPoisson(lambda);
  return finish();
}
