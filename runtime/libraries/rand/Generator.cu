// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's host functions.

#include "Sobol.h"
#include "Values.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct curandGenerator_st {
  curandRngType_t type;
  bool onHost; ///< Fills memory of the host.
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0;
  unsigned long long position = 0; ///< Values that are used up, of whatever kind.
  void *states = nullptr;        ///< Of the streams, in the memory that is filled; null: none yet.
  unsigned long long offset = 0; ///< With which the states began.
  unsigned long long done = 0;   ///< Groups since then.
  curandOrdering_t ordering = CURAND_ORDERING_PSEUDO_DEFAULT;
  unsigned dimensions = 1;
  void *vectors = nullptr; ///< The direction vectors in memory of the device.
};

namespace vx::rand {
namespace {

bool isQuasi(curandRngType_t type) {
  return type >= CURAND_RNG_QUASI_DEFAULT;
}

/// The states are to be made anew, at the generator's position.
void forgetStates(curandGenerator_t generator) {
  if (generator->onHost)
    std::free(generator->states);
  else
    cudaFree(generator->states);
  generator->states = nullptr;
}

/// Memory for SIZE bytes of states.
void *allocateStates(curandGenerator_t generator, size_t size) {
  void *memory = nullptr;
  if (generator->onHost)
    return std::malloc(size);
  return cudaMalloc(&memory, size) == cudaSuccess ? memory : nullptr;
}

template <class State, class Kind, class Task>
__global__ void fillKernel(Task task, unsigned threads, typename Kind::template Value<State> *out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < threads)
    fill<State, Kind>(task, thread, out);
}

template <class State, class Kind, class Task>
curandStatus_t launch(curandGenerator_t generator, const Task &task, unsigned threads,
                      typename Kind::template Value<State> *out) {
  if (generator->onHost) {
    for (unsigned thread = 0; thread < threads; ++thread)
      fill<State, Kind>(task, thread, out);
    return CURAND_STATUS_SUCCESS;
  }
  constexpr unsigned block = 16;
  fillKernel<State, Kind, Task>
      <<<(threads + block - 1) / block, block, 0, generator->stream>>>(task, threads, out);
  return cudaGetLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class State, class Kind>
curandStatus_t generatePseudo(curandGenerator_t generator,
                              typename Kind::template Value<State> *out, size_t count,
                              const Distribution &distribution, unsigned streams) {
  constexpr unsigned group = groupOf<State, Kind>;
  if (!generator->states) {
    generator->states = allocateStates(generator, streams * sizeof(State));
    if (!generator->states)
      return CURAND_STATUS_ALLOCATION_FAILED;
    generator->offset = generator->position;
    generator->done = 0;
  }
  const PseudoTask<State> task{generator->seed,
                               generator->offset,
                               generator->done,
                               streams,
                               count,
                               distribution,
                               static_cast<State *>(generator->states)};
  const unsigned long long groups = count / group;
  const unsigned threads = groups < streams ? unsigned(groups) : streams;
  generator->done += groups;
  generator->position += count;
  return launch<State, Kind>(generator, task, threads, out);
}

template <class Kind>
curandStatus_t generatePhilox(curandGenerator_t generator,
                              typename Kind::template Value<curandStatePhilox4_32_10_t> *out,
                              size_t count, const Distribution &distribution) {
  using State = curandStatePhilox4_32_10_t;
  constexpr unsigned group = groupOf<State, Kind>, streams = 65536;
  const PhiloxTask task{generator->seed,
                        generator->position / group,
                        unsigned(generator->position % group),
                        streams,
                        count,
                        distribution};
  const unsigned long long groups = (task.skipped + count + group - 1) / group;
  const unsigned threads = groups < streams ? unsigned(groups) : streams;
  generator->position += count;
  return launch<State, Kind>(generator, task, threads, out);
}

template <class Word> const Word *vectorsFor(curandGenerator_t generator) {
  const void *table = sizeof(Word) == 4 ? static_cast<void *>(sobolVectors32())
                                        : static_cast<void *>(sobolVectors64());
  const size_t bytes = kSobolDimensions * 8 * sizeof(Word) * sizeof(Word);
  if (generator->onHost)
    return static_cast<const Word *>(table);
  if (!generator->vectors &&
      (cudaMalloc(&generator->vectors, bytes) != cudaSuccess ||
       cudaMemcpy(generator->vectors, table, bytes, cudaMemcpyHostToDevice) != cudaSuccess))
    return nullptr;
  return static_cast<const Word *>(generator->vectors);
}

template <class State, class Kind, class Word>
curandStatus_t generateQuasi(curandGenerator_t generator, typename Kind::template Value<State> *out,
                             size_t count, const Distribution &distribution) {
  if (count % generator->dimensions != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const Word *vectors = vectorsFor<Word>(generator);
  if (!vectors)
    return CURAND_STATUS_ALLOCATION_FAILED;
  QuasiTask<Word> task{vectors, generator->position,   count / generator->dimensions,
                       1,       generator->dimensions, distribution};
  const unsigned long long runs = (task.perDimension + 63) / 64;
  task.runs = runs < 4096 ? unsigned(runs) : 4096;
  generator->position += task.perDimension;
  return launch<State, Kind>(generator, task, task.runs * task.dimensions, out);
}

/// Generates COUNT values of a kind. Sobol64's numbers are of curandGenerateLongLong.
template <class Kind, class Value>
curandStatus_t generate(curandGenerator_t generator, Value *out, size_t count,
                        const Distribution &distribution = {}) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (count == 0)
    return CURAND_STATUS_SUCCESS;
  // The numbers of pseudorandom generators become normal in pairs.
  if (Kind::inPair && !isQuasi(generator->type) && count % 2 != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const bool legacy = generator->ordering == CURAND_ORDERING_PSEUDO_LEGACY;
  switch (generator->type) {
  case CURAND_RNG_PSEUDO_XORWOW:
    return generatePseudo<curandStateXORWOW_t, Kind>(generator, out, count, distribution, 4096);
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return generatePseudo<curandStateMRG32k3a_t, Kind>(generator, out, count, distribution,
                                                       legacy ? 4096 : 81920);
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return generatePhilox<Kind>(generator, out, count, distribution);
  case CURAND_RNG_QUASI_SOBOL32:
    return generateQuasi<curandStateSobol32_t, Kind, unsigned>(generator, out, count, distribution);
  case CURAND_RNG_QUASI_SOBOL64:
    if constexpr (!std::is_same_v<Kind, Bits>)
      return generateQuasi<curandStateSobol64_t, Kind, unsigned long long>(generator, out, count,
                                                                           distribution);
    [[fallthrough]];
  default:
    return CURAND_STATUS_TYPE_ERROR;
  }
}

/// The generators that there are; a message names one that there is not.
curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool onHost) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  const char *missing = nullptr;
  switch (type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
    type = CURAND_RNG_PSEUDO_XORWOW;
    break;
  case CURAND_RNG_QUASI_DEFAULT:
    type = CURAND_RNG_QUASI_SOBOL32;
    break;
  case CURAND_RNG_PSEUDO_XORWOW:
  case CURAND_RNG_PSEUDO_MRG32K3A:
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
    break;
  case CURAND_RNG_PSEUDO_MTGP32:
    missing = "MTGP32";
    break;
  case CURAND_RNG_PSEUDO_MT19937:
    missing = "MT19937";
    break;
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    missing = "scrambled Sobol sequences";
    break;
  default:
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (missing) {
    std::fprintf(stderr, "libcurand: this library does not have the generator: %s\n", missing);
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new curandGenerator_st{type, onHost};
  if (isQuasi(type))
    (*generator)->ordering = CURAND_ORDERING_QUASI_DEFAULT;
  return CURAND_STATUS_SUCCESS;
}

Distribution normal(double mean, double deviation, bool logarithmic) {
  Distribution distribution;
  distribution.mean = mean;
  distribution.deviation = deviation;
  distribution.logarithmic = logarithmic;
  return distribution;
}

} // namespace
} // namespace vx::rand

using namespace vx::rand;

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  cudaFree(generator->vectors);
  forgetStates(generator);
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  if (!version)
    return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CURAND_STATUS_OUT_OF_RANGE;
  const int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  *value = parts[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
/// The sequence of the new seed continues at the same position, as in NVIDIA's library.
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (isQuasi(generator->type))
    return CURAND_STATUS_TYPE_ERROR;
  generator->seed = seed;
  forgetStates(generator);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->position = offset;
  forgetStates(generator);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  const bool quasi = order == CURAND_ORDERING_QUASI_DEFAULT;
  const bool pseudo =
      order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
  if (!(isQuasi(generator->type) ? quasi : pseudo))
    return CURAND_STATUS_OUT_OF_RANGE;
  if (order == CURAND_ORDERING_PSEUDO_SEEDED) {
    std::fprintf(stderr, "libcurand: this library does not have the order of seeded streams\n");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  generator->ordering = order;
  forgetStates(generator);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!isQuasi(generator->type))
    return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > 20000)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (dimensions > kSobolDimensions) {
    std::fprintf(stderr,
                 "libcurand: this library has direction vectors for %u dimensions, not %u\n",
                 kSobolDimensions, dimensions);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  generator->dimensions = dimensions;
  generator->position = 0;
  return CURAND_STATUS_SUCCESS;
}
/// States are made when values are.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *output, size_t count) {
  return generate<Bits>(generator, output, count);
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *output,
                                      size_t count) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->type != CURAND_RNG_QUASI_SOBOL64)
    return CURAND_STATUS_TYPE_ERROR;
  return count == 0 ? CURAND_STATUS_SUCCESS
                    : generateQuasi<curandStateSobol64_t, Bits, unsigned long long>(
                          generator, output, count, {});
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, size_t count) {
  return generate<Uniform>(generator, output, count);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output,
                                           size_t count) {
  return generate<UniformDouble>(generator, output, count);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, size_t count,
                                    float mean, float stddev) {
  return generate<Normal>(generator, output, count, normal(mean, stddev, false));
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output, size_t count,
                                          double mean, double stddev) {
  return generate<NormalDouble>(generator, output, count, normal(mean, stddev, false));
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output, size_t count,
                                       float mean, float stddev) {
  return generate<Normal>(generator, output, count, normal(mean, stddev, true));
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output,
                                             size_t count, double mean, double stddev) {
  return generate<NormalDouble>(generator, output, count, normal(mean, stddev, true));
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *output,
                                     size_t count, double lambda) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0 && lambda <= 400000))
    return CURAND_STATUS_OUT_OF_RANGE;
  Distribution distribution;
  distribution.lambda = lambda;
  return generate<Poisson>(generator, output, count, distribution);
}

/// The sums of the probabilities within ten standard deviations.
curandStatus_t curandCreatePoissonDistribution(double lambda,
                                               curandDiscreteDistribution_t *distribution) {
  if (!distribution || !(lambda > 0 && lambda <= 400000))
    return CURAND_STATUS_OUT_OF_RANGE;
  const double reach = 10 * std::sqrt(lambda) + 20;
  const unsigned first = lambda > reach ? unsigned(lambda - reach) : 0;
  const unsigned length = unsigned(lambda + reach) - first + 1;
  std::vector<double> sums(length);
  double sum = 0;
  for (unsigned i = 0; i < length; ++i) {
    const double k = first + i;
    sums[i] = sum += std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1));
  }
  for (double &part : sums)
    part /= sum;
  sums.back() = 1;
  // One piece of memory: the record, then the sums.
  char *memory = nullptr;
  if (cudaMalloc(&memory, sizeof **distribution + length * sizeof(double)) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  auto *device = reinterpret_cast<double *>(memory + sizeof **distribution);
  const curandDiscreteDistribution_st record = {first, length, device};
  if (cudaMemcpy(memory, &record, sizeof record, cudaMemcpyHostToDevice) != cudaSuccess ||
      cudaMemcpy(device, sums.data(), length * sizeof(double), cudaMemcpyHostToDevice) !=
          cudaSuccess) {
    cudaFree(memory);
    return CURAND_STATUS_INTERNAL_ERROR;
  }
  *distribution = reinterpret_cast<curandDiscreteDistribution_t>(memory);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  return cudaFree(distribution) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                               : CURAND_STATUS_INTERNAL_ERROR;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  if (!vectors || set != CURAND_DIRECTION_VECTORS_32_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = sobolVectors32();
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  if (!vectors || set != CURAND_DIRECTION_VECTORS_64_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = sobolVectors64();
  return CURAND_STATUS_SUCCESS;
}
/// There are none without scrambled sequences.
curandStatus_t curandGetScrambleConstants32(unsigned int **) {
  return CURAND_STATUS_TYPE_ERROR;
}
curandStatus_t curandGetScrambleConstants64(unsigned long long **) {
  return CURAND_STATUS_TYPE_ERROR;
}
