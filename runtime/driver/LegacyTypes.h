// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that parameters of the driver API had in earlier releases, and how they become today's.

#ifndef VX_RUNTIME_DRIVER_LEGACYTYPES_H
#define VX_RUNTIME_DRIVER_LEGACYTYPES_H

#include "cuda.h"
#include <tuple>

namespace vx::rt::driver {

inline CUDA_KERNEL_NODE_PARAMS convert(const CUDA_KERNEL_NODE_PARAMS_v1 &p) {
  return {p.func,      p.gridDimX,       p.gridDimY,     p.gridDimZ, p.blockDimX, p.blockDimY,
          p.blockDimZ, p.sharedMemBytes, p.kernelParams, p.extra,    nullptr,     nullptr};
}

inline CUDA_KERNEL_NODE_PARAMS_v1 convert(const CUDA_KERNEL_NODE_PARAMS &p) {
  return {p.func,      p.gridDimX,  p.gridDimY,       p.gridDimZ,     p.blockDimX,
          p.blockDimY, p.blockDimZ, p.sharedMemBytes, p.kernelParams, p.extra};
}

/// An argument for a parameter of today's type P. `Type` is the parameter's earlier type; `pass`
/// returns today's value, and `finish`, after the call, gives results back to the caller.
template <typename P> struct LegacyArgument {
  using Type = P;
  explicit LegacyArgument(Type given) : given(given) {}
  P pass() { return given; }
  void finish() {}

private:
  Type given;
};

template <typename Today, typename Then> struct ConvertedInput {
  using Type = const Then *;
  explicit ConvertedInput(Type given) {
    if (given)
      today = convert(*given);
    isGiven = given;
  }
  const Today *pass() { return isGiven ? &today : nullptr; }
  void finish() {}

private:
  bool isGiven;
  Today today{};
};

template <typename Today, typename Then> struct ConvertedOutput {
  using Type = Then *;
  explicit ConvertedOutput(Type given) : given(given) {}
  Today *pass() { return given ? &today : nullptr; }
  void finish() {
    if (given)
      *given = convert(today);
  }

private:
  Type given;
  Today today{};
};

template <>
struct LegacyArgument<const CUDA_KERNEL_NODE_PARAMS *>
    : ConvertedInput<CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1> {
  using ConvertedInput::ConvertedInput;
};
template <>
struct LegacyArgument<CUDA_KERNEL_NODE_PARAMS *>
    : ConvertedOutput<CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1> {
  using ConvertedOutput::ConvertedOutput;
};

/// The earlier form of a function type.
template <typename F> struct LegacyFunction;
template <typename... P> struct LegacyFunction<CUresult(P...)> {
  using Type = CUresult(typename LegacyArgument<P>::Type...);
};

} // namespace vx::rt::driver

#endif // VX_RUNTIME_DRIVER_LEGACYTYPES_H
