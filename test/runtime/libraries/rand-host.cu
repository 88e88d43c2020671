// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuRAND's host functions: their order against subsequences of the published algorithms, in memory
// of the device and of the host; calls that continue; Sobol sequences; refusals.
// REQUIRES: blas
// RUN: %vxcc -O1 -I%inputs %s -o %t -lcurand
// RUN: %shapes --few %t 2>%t.errors
// RUN: env VX_LOWERING=sw %shapes --few %t 2>%t.errors
// RUN: env VX_BACKEND=host %run %t 2>&1 | FileCheck %s
// CHECK: libcurand: this library does not have the generator: MTGP32
// CHECK: PASS

#include "harness.h"
#include "rand-reference.h"
#include <algorithm>
#include <cmath>
#include <curand.h>
#include <functional>

#define CHECK_RAND(call) expect((call) == CURAND_STATUS_SUCCESS, #call, __LINE__)

constexpr unsigned long long kSeed = 1234;

/// Runs GENERATE with memory of the device, of the host, and returns both.
template <class T>
std::vector<T> both(curandRngType_t type, size_t count,
                    const std::function<void(curandGenerator_t, T *)> &generate) {
  std::vector<T> host(count);
  DeviceArray<T> device(count);
  for (bool onHost : {false, true}) {
    curandGenerator_t generator;
    CHECK_RAND(onHost ? curandCreateGeneratorHost(&generator, type)
                      : curandCreateGenerator(&generator, type));
    if (type < CURAND_RNG_QUASI_DEFAULT)
      CHECK_RAND(curandSetPseudoRandomGeneratorSeed(generator, kSeed));
    generate(generator, onHost ? host.data() : static_cast<T *>(device));
    CHECK_RAND(curandDestroyGenerator(generator));
  }
  std::vector<T> copy = device.host();
  for (size_t i = 0; i < count; ++i)
    expect(std::fabs(double(copy[i]) - double(host[i])) <= 2e-6 * (1 + std::fabs(double(host[i]))),
           "host and device", i);
  return host;
}

/// Number INDEX of subsequence STREAM.
template <class Reference> unsigned numberAt(unsigned stream, int index) {
  Reference reference(kSeed, stream);
  for (int i = 0; i < index; ++i)
    reference.next();
  if constexpr (std::is_same_v<Reference, reference::Mrg32k3a>)
    return unsigned(reference.next() * 1.000000048662);
  else
    return reference.next();
}

template <class Reference>
void checkOrder(curandRngType_t type, unsigned streams, int group, curandOrdering_t ordering) {
  const unsigned count = 4096 * 4 + 30;
  auto numbers = both<unsigned>(type, count, [&](curandGenerator_t generator, unsigned *out) {
    CHECK_RAND(curandSetGeneratorOrdering(generator, ordering));
    // Calls continue where the last one has ended, also within a group.
    CHECK_RAND(curandGenerate(generator, out, 5));
    CHECK_RAND(curandGenerate(generator, out + 5, count - 5 - 10));
    CHECK_RAND(curandSetGeneratorOffset(generator, count - 10));
    CHECK_RAND(curandGenerate(generator, out + count - 10, 10));
  });
  for (unsigned i : {0u, 1u, 2u, 3u, 4u, 5u, 17u, 100u, 4095u, 4096u, 4097u, 8200u, 12300u,
                     count - 12, count - 10, count - 1}) {
    unsigned stream = i / group % streams, index = i / (group * streams) * group + i % group;
    expectEqual(numbers[i], numberAt<Reference>(stream, index), "order", i);
  }
}

/// Streams continue where values have left them: one number for each integer, two for each double of
/// XORWOW, and two for each pair of normal values, which goes to one stream. A new seed continues at
/// the same position.
void checkMixedCalls() {
  const unsigned streams = 4096, pairs = 5, doubles = 4090, some = 20;
  auto numbers = both<unsigned>(CURAND_RNG_PSEUDO_XORWOW, 2 * some, [&](auto generator, auto *out) {
    DeviceArray<double> memory(doubles);
    std::vector<double> hostMemory(doubles);
    cudaPointerAttributes attributes = {};
    cudaPointerGetAttributes(&attributes, out);
    double *scratch =
        attributes.type == cudaMemoryTypeDevice ? static_cast<double *>(memory) : hostMemory.data();
    CHECK_RAND(curandGenerateNormal(generator, reinterpret_cast<float *>(scratch), 2 * pairs, 0, 1));
    CHECK_RAND(curandGenerateUniformDouble(generator, scratch, doubles));
    CHECK_RAND(curandGenerate(generator, out, some));
    CHECK_RAND(curandSetPseudoRandomGeneratorSeed(generator, kSeed));
    CHECK_RAND(curandGenerate(generator, out + some, some));
  });
  for (unsigned i = 0; i < some; ++i) {
    unsigned group = pairs + doubles + i, stream = group % streams;
    int used = group < streams ? 0 : 2; // by a pair, or a double
    expectEqual(numbers[i], numberAt<reference::Xorwow>(stream, used), "mixed", i);
    unsigned position = 2 * pairs + doubles + some + i;
    expectEqual(numbers[some + i],
                numberAt<reference::Xorwow>(position % streams, position / streams), "new seed", i);
  }
}

void checkDistributions(curandRngType_t type) {
  const size_t count = 2000;
  auto uniform = both<double>(type, count, [&](curandGenerator_t generator, double *out) {
    CHECK_RAND(curandGenerateUniformDouble(generator, out, count));
  });
  auto narrow = both<float>(type, count, [&](curandGenerator_t generator, float *out) {
    CHECK_RAND(curandGenerateUniform(generator, out, count));
  });
  auto normals = both<float>(type, count, [&](curandGenerator_t generator, float *out) {
    CHECK_RAND(curandGenerateNormal(generator, out, count, 3, 2));
  });
  auto doubles = both<double>(type, count, [&](curandGenerator_t generator, double *out) {
    CHECK_RAND(curandGenerateNormalDouble(generator, out, count, 3, 2));
  });
  auto logs = both<float>(type, count, [&](curandGenerator_t generator, float *out) {
    CHECK_RAND(curandGenerateLogNormal(generator, out, count, 3, 2));
  });
  auto poisson = both<unsigned>(type, count, [&](curandGenerator_t generator, unsigned *out) {
    CHECK_RAND(curandGeneratePoisson(generator, out, count, 50));
  });
  double sums[5] = {};
  for (size_t i = 0; i < count; ++i) {
    expect(uniform[i] > 0 && uniform[i] <= 1 && narrow[i] > 0 && narrow[i] <= 1, "range", i);
    sums[0] += uniform[i];
    sums[1] += narrow[i];
    sums[2] += normals[i];
    sums[3] += doubles[i];
    sums[4] += poisson[i];
    expect(std::fabs(std::log(logs[i]) - normals[i]) < 1e-4, "logarithm", i);
  }
  const double means[] = {0.5, 0.5, 3, 3, 50}, deviations[] = {0.29, 0.29, 2, 2, 7.1};
  for (int k = 0; k < 5; ++k)
    expect(std::fabs(sums[k] / count - means[k]) < 4 * deviations[k] / std::sqrt(count), "mean", k);
}

/// In every dimension each of the 64 intervals has one of 64 successive points.
void checkSobol() {
  const unsigned dimensions = 21, points = 64;
  auto all =
      both<unsigned>(CURAND_RNG_QUASI_SOBOL32, dimensions * points,
                     [&](curandGenerator_t generator, unsigned *out) {
                       CHECK_RAND(curandSetQuasiRandomGeneratorDimensions(generator, dimensions));
                       CHECK_RAND(curandGenerate(generator, out, dimensions * points));
                     });
  const unsigned second[] = {0, 1u << 31, 3u << 30, 1u << 30, 3u << 29};
  for (unsigned i = 0; i < 4; ++i)
    expectEqual(all[i], second[i], "first dimension", i);
  for (unsigned d = 0; d < dimensions; ++d) {
    std::vector<unsigned> intervals;
    for (unsigned i = 0; i < points; ++i)
      intervals.push_back(all[d * points + i] >> 26);
    std::sort(intervals.begin(), intervals.end());
    for (unsigned i = 0; i < points; ++i)
      expectEqual(intervals[i], i, "an interval without a point", d);
    expect(d == 0 || !std::equal(&all[d * points], &all[d * points] + points, &all[0]),
           "two dimensions are one", d);
  }
  curandDirectionVectors32_t *vectors;
  CHECK_RAND(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  // The fourth dimension's polynomial is x^3 + x + 1, its integers 1, 3, 1, then 4 * 3 ^ 8 * 1 ^ 1
  // = 5.
  expectEqual(vectors[3][0], 1u << 31, "vectors");
  expectEqual(vectors[3][1], 3u << 30, "vectors");
  expectEqual(vectors[3][2], 1u << 29, "vectors");
  expectEqual(vectors[3][3], 5u << 28, "vectors");
}

/// Normal values of pseudorandom generators come in pairs; those of quasirandom ones do not.
void checkLengths() {
  DeviceArray<double> memory(6);
  double *wide = memory;
  float *narrow = reinterpret_cast<float *>(wide);
  for (auto type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                    CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64}) {
    curandGenerator_t generator;
    CHECK_RAND(curandCreateGenerator(&generator, type));
    for (size_t count : {1, 3, 4, 5}) {
      bool isGood = count % 2 == 0 || type >= CURAND_RNG_QUASI_DEFAULT;
      auto wanted = isGood ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LENGTH_NOT_MULTIPLE;
      expectEqual(curandGenerateNormal(generator, narrow, count, 0, 1), wanted, "normal", count);
      expectEqual(curandGenerateNormalDouble(generator, wide, count, 0, 1), wanted, "double", count);
      expectEqual(curandGenerateLogNormal(generator, narrow, count, 0, 1), wanted, "logarithmic", count);
      expectEqual(curandGenerateLogNormalDouble(generator, wide, count, 0, 1), wanted, "both", count);
      CHECK_RAND(curandGenerateUniform(generator, narrow, count));
    }
    CHECK_RAND(curandGenerateNormal(generator, nullptr, 0, 0, 1));
    if (type >= CURAND_RNG_QUASI_DEFAULT) {
      CHECK_RAND(curandSetQuasiRandomGeneratorDimensions(generator, 2));
      EXPECT(curandGenerateUniform(generator, narrow, 3) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
      EXPECT(curandSetQuasiRandomGeneratorDimensions(generator, 0) == CURAND_STATUS_OUT_OF_RANGE);
      EXPECT(curandSetPseudoRandomGeneratorSeed(generator, 1) == CURAND_STATUS_TYPE_ERROR);
      EXPECT(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_BEST) == CURAND_STATUS_OUT_OF_RANGE);
      CHECK_RAND(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT));
    } else {
      for (int order : {0, 99, 105, 200, int(CURAND_ORDERING_QUASI_DEFAULT), int(CURAND_ORDERING_PSEUDO_SEEDED)})
        EXPECT(curandSetGeneratorOrdering(generator, curandOrdering_t(order)) == CURAND_STATUS_OUT_OF_RANGE);
      CHECK_RAND(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DYNAMIC));
    }
    unsigned *numbers = reinterpret_cast<unsigned *>(wide);
    auto ofWide = type == CURAND_RNG_QUASI_SOBOL64 ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_SUCCESS;
    expectEqual(curandGenerate(generator, numbers, 4), ofWide, "integers", 4);
    for (double lambda : {0.0, -1.0, 400001.0, double(NAN)})
      EXPECT(curandGeneratePoisson(generator, numbers, 4, lambda) == CURAND_STATUS_OUT_OF_RANGE);
    CHECK_RAND(curandDestroyGenerator(generator));
  }
  EXPECT(curandGeneratePoisson(nullptr, nullptr, 4, -1) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandGenerateNormal(nullptr, nullptr, 3, 0, 1) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandSetGeneratorOrdering(nullptr, curandOrdering_t(0)) == CURAND_STATUS_NOT_INITIALIZED);
}

void checkRefusals() {
  curandGenerator_t generator;
  EXPECT(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MTGP32) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandCreateGenerator(&generator, curandRngType_t(17)) == CURAND_STATUS_TYPE_ERROR);
  CHECK_RAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW));
  float *out = nullptr;
  EXPECT(curandGenerateNormal(generator, out, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  unsigned long long *wide = nullptr;
  EXPECT(curandGenerateLongLong(generator, wide, 1) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandSetQuasiRandomGeneratorDimensions(generator, 2) == CURAND_STATUS_TYPE_ERROR);
  CHECK_RAND(curandDestroyGenerator(generator));
}

int main() {
  checkOrder<reference::Xorwow>(CURAND_RNG_PSEUDO_DEFAULT, 4096, 1, CURAND_ORDERING_PSEUDO_DEFAULT);
  checkOrder<reference::Mrg32k3a>(CURAND_RNG_PSEUDO_MRG32K3A, 4096, 1,
                                  CURAND_ORDERING_PSEUDO_LEGACY);
  checkOrder<reference::Philox>(CURAND_RNG_PSEUDO_PHILOX4_32_10, 65536, 4,
                                CURAND_ORDERING_PSEUDO_BEST);
  for (auto type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                    CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32})
    checkDistributions(type);
  checkMixedCalls();
  checkSobol();
  checkLengths();
  checkRefusals();
  return finish();
}
