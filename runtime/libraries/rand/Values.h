// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuRAND's host functions generate, as positions in the sequences of the device functions. The
// same code fills memory of the device, in a kernel, and of the host, in a loop.

#ifndef VX_RUNTIME_LIBRARIES_RAND_VALUES_H
#define VX_RUNTIME_LIBRARIES_RAND_VALUES_H

#include <curand_kernel.h>
#include <type_traits>

#define VX_RAND_BOTH __host__ __device__ __forceinline__

namespace vx::rand {

/// Parameters of distributions.
struct Distribution {
  double mean = 0, deviation = 1;
  bool logarithmic = false; ///< The exponential of the normal value.
  double lambda = 1;
};

template <class State> constexpr bool isPhilox = std::is_same_v<State, curandStatePhilox4_32_10_t>;
template <class State> constexpr bool isXorwow = std::is_same_v<State, curandStateXORWOW_t>;

// A kind of values has: Value; inPair, if pseudorandom states make two at a time; and make(), the
// next value of a state.

struct Bits {
  template <class State> using Value = decltype(curand(static_cast<State *>(nullptr)));
  static constexpr bool inPair = false;
  template <class State> VX_RAND_BOTH static auto make(State *state, const Distribution &) {
    return curand(state);
  }
};
struct Uniform {
  template <class State> using Value = float;
  static constexpr bool inPair = false;
  template <class State> VX_RAND_BOTH static float make(State *state, const Distribution &) {
    return curand_uniform(state);
  }
};
struct UniformDouble {
  template <class State> using Value = double;
  static constexpr bool inPair = false;
  template <class State> VX_RAND_BOTH static double make(State *state, const Distribution &) {
    if constexpr (isPhilox<State>) {
      const unsigned x = curand(state), y = curand(state);
      return _curand_uniform_double_hq(x, y);
    } else {
      return curand_uniform_double(state);
    }
  }
};
struct Normal {
  template <class State> using Value = float;
  static constexpr bool inPair = true;
  template <class State> VX_RAND_BOTH static float make(State *state, const Distribution &d) {
    const float z = float(d.mean) + float(d.deviation) * curand_normal(state);
    return d.logarithmic ? expf(z) : z;
  }
};
struct NormalDouble {
  template <class State> using Value = double;
  static constexpr bool inPair = true;
  template <class State> VX_RAND_BOTH static double make(State *state, const Distribution &d) {
    const double z = d.mean + d.deviation * curand_normal_double(state);
    return d.logarithmic ? exp(z) : z;
  }
};
/// One number for each value, so that positions do not depend on the values.
struct Poisson {
  template <class State> using Value = unsigned;
  static constexpr bool inPair = false;
  template <class State> VX_RAND_BOTH static unsigned make(State *state, const Distribution &d) {
    const auto x = curand(state);
    return d.lambda < 1000 ? __vx_rand_poisson_inverse(__vx_rand_open_uniform(x), d.lambda)
                           : __vx_rand_poisson_of_normal(_curand_normal_icdf_double(x), d.lambda);
  }
};

/// Values that a pseudorandom generator makes of a stream before it goes to the next one.
template <class State, class Kind>
constexpr int groupOf = isPhilox<State> ? 4
                        : Kind::inPair  ? 2
                                        : 1;
/// COUNT values of a pseudorandom sequence. Its groups are of STREAMS streams, each a subsequence,
/// in turn: the first is of stream OFFSET modulo STREAMS, and OFFSET numbers before it are left
/// out. A state continues where it is, whatever was made of it: a value takes one number or two.
template <class State> struct PseudoTask {
  unsigned long long seed, offset, done; ///< Done: groups since the offset.
  unsigned streams;
  unsigned long long count;
  Distribution distribution;
  State *states; ///< of all streams; those that have had no group are to be made
};

/// All groups of one stream, for THREAD below the number of groups and of streams.
template <class State, class Kind>
VX_RAND_BOTH void fill(const PseudoTask<State> &task, unsigned thread,
                       typename Kind::template Value<State> *out) {
  constexpr int group = groupOf<State, Kind>;
  const unsigned long long number = task.done + thread;
  const unsigned stream = (task.offset + number) % task.streams;
  State state;
  if (number < task.streams)
    curand_init(task.seed, stream,
                task.offset / task.streams + (stream < task.offset % task.streams), &state);
  else
    state = task.states[stream];
  for (unsigned long long at = (unsigned long long)thread * group; at < task.count;
       at += (unsigned long long)task.streams * group)
#pragma unroll 1
    for (int i = 0; i < group; ++i)
      out[at + i] = Kind::template make<State>(&state, task.distribution);
  task.states[stream] = state;
}

/// The task for Philox, from group FIRST on, of which SKIPPED values are used up. A value takes one
/// number or two, but a stream that is begun after some groups skips one for each of their values,
/// as in NVIDIA's library.
struct PhiloxTask {
  unsigned long long seed, first;
  unsigned skipped, streams;
  unsigned long long count;
  Distribution distribution;
};

template <class State, class Kind>
VX_RAND_BOTH void fill(const PhiloxTask &task, unsigned thread,
                       typename Kind::template Value<State> *out) {
  constexpr int group = groupOf<State, Kind>;
  const unsigned long long start = task.first + thread;
  State state;
  curand_init(task.seed, start % task.streams, start / task.streams * group, &state);
  const long long count = task.count;
  for (long long at = (long long)thread * group - task.skipped; at < count;
       at += (long long)task.streams * group)
#pragma unroll 1
    for (int i = 0; i < group; ++i) {
      const auto value = Kind::template make<State>(&state, task.distribution);
      if (at + i >= 0 && at + i < count)
        out[at + i] = value;
    }
}

/// A run of a quasirandom sequence for each thread; a dimension has PER_DIMENSION values, from
/// FIRST on.
template <class Word> struct QuasiTask {
  const Word *vectors;
  unsigned long long first, perDimension;
  unsigned runs; ///< Of a dimension.
  unsigned dimensions;
  Distribution distribution;
};

template <class State, class Kind, class Word>
VX_RAND_BOTH void fill(const QuasiTask<Word> &task, unsigned thread,
                       typename Kind::template Value<State> *out) {
  constexpr int bits = 8 * sizeof(Word);
  const unsigned dimension = thread / task.runs, run = thread % task.runs;
  const unsigned long long length = (task.perDimension + task.runs - 1) / task.runs;
  const unsigned long long begin = run * length;
  const unsigned long long end =
      begin + length < task.perDimension ? begin + length : task.perDimension;
  if (begin >= end)
    return;
  State state;
  __vx_rand_init(task.vectors + (unsigned long long)dimension * bits, Word(0),
                 Word(task.first + begin), &state);
  for (unsigned long long i = begin; i < end; ++i)
    out[dimension * task.perDimension + i] = Kind::template make<State>(&state, task.distribution);
}

} // namespace vx::rand

#endif // VX_RUNTIME_LIBRARIES_RAND_VALUES_H
