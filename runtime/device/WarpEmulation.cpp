// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions over any set of lanes, for code that runs the threads of a warp one after the
// other (lib/PRTransform/WarpExchange.h). Lane i left its value at first + i * distance. Built to
// bitcode and linked into a kernel's module after the sw lowering.

#include <stdint.h>

namespace {

template <typename T> T valueOf(const char *first, uint64_t distance, uint32_t lane) {
  return *reinterpret_cast<const T *>(first + lane * distance);
}

template <typename T>
uint32_t matchAny(const char *first, uint64_t distance, uint32_t members, T value) {
  uint32_t same = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (members >> lane & 1)
      same |= uint32_t(valueOf<T>(first, distance, lane) == value) << lane;
  return same;
}

template <typename T> uint32_t matchAll(const char *first, uint64_t distance, uint32_t members) {
  bool known = false, same = true;
  T value = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!(members >> lane & 1))
      continue;
    T here = valueOf<T>(first, distance, lane);
    same &= !known || here == value;
    value = here;
    known = true;
  }
  return same ? members : 0;
}

/// The order of a butterfly over the members' ranks: neighbours at distances 1, 2, 4, …. Level k
/// holds what 2^k members have come to.
template <typename T, typename Op>
T reduce(const char *first, uint64_t distance, uint32_t members, Op op) {
  T level[6] = {};
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!(members >> lane & 1))
      continue;
    T value = valueOf<T>(first, distance, lane);
    uint32_t k = 0;
    for (; count >> k & 1; ++k)
      value = op(level[k], value);
    level[k] = value;
    ++count;
  }
  // What is left over at the end has no neighbour until a larger part comes.
  T result{};
  bool known = false;
  for (uint32_t k = 0; k < 6; ++k) {
    if (!(count >> k & 1))
      continue;
    result = known ? op(level[k], result) : level[k];
    known = true;
  }
  return result;
}

} // namespace

#define VX_MATCH(BITS)                                                                             \
  extern "C" uint32_t __vx_pr_match_any_##BITS(const char *first, uint64_t distance,               \
                                               uint32_t members, uint##BITS##_t value) {           \
    return matchAny(first, distance, members, value);                                              \
  }                                                                                                \
  extern "C" uint32_t __vx_pr_match_all_##BITS(const char *first, uint64_t distance,               \
                                               uint32_t members) {                                 \
    return matchAll<uint##BITS##_t>(first, distance, members);                                     \
  }
VX_MATCH(32)
VX_MATCH(64)

#define VX_REDUCE(NAME, T, OPERATION)                                                              \
  extern "C" T __vx_pr_reduce_##NAME(const char *first, uint64_t distance, uint32_t members) {     \
    return reduce<T>(first, distance, members, [](T a, T b) -> T { return OPERATION; });           \
  }
#define VX_REDUCE_INT(BITS)                                                                        \
  VX_REDUCE(add_i##BITS, uint##BITS##_t, a + b)                                                    \
  VX_REDUCE(and_i##BITS, uint##BITS##_t, a &b)                                                     \
  VX_REDUCE(or_i##BITS, uint##BITS##_t, a | b)                                                     \
  VX_REDUCE(xor_i##BITS, uint##BITS##_t, a ^ b)                                                    \
  VX_REDUCE(min_s##BITS, int##BITS##_t, a < b ? a : b)                                             \
  VX_REDUCE(max_s##BITS, int##BITS##_t, a > b ? a : b)                                             \
  VX_REDUCE(min_u##BITS, uint##BITS##_t, a < b ? a : b)                                            \
  VX_REDUCE(max_u##BITS, uint##BITS##_t, a > b ? a : b)
VX_REDUCE_INT(32)
VX_REDUCE_INT(64)
VX_REDUCE(add_f32, float, a + b)
VX_REDUCE(add_f64, double, a + b)
VX_REDUCE(min_f32, float, __builtin_fminf(a, b))
VX_REDUCE(max_f32, float, __builtin_fmaxf(a, b))
VX_REDUCE(min_f64, double, __builtin_fmin(a, b))
VX_REDUCE(max_f64, double, __builtin_fmax(a, b))

/// Returns those of the lanes that WAIT whose group is complete: all that their mask names and that
/// are ALIVE wait with the same mask. (Another mask belongs to another round of a loop.)
extern "C" uint32_t __vx_pr_ready(const char *first, uint64_t distance, uint32_t wait,
                                  uint32_t alive) {
  uint32_t ready = 0;
  for (uint32_t rest = wait; rest != 0;) {
    uint32_t mask = valueOf<uint32_t>(first, distance, uint32_t(__builtin_ctz(rest)));
    uint32_t same = matchAny(first, distance, rest, mask);
    ready |= (mask & alive & ~same) == 0 ? same : 0;
    rest &= ~same;
  }
  return ready;
}
