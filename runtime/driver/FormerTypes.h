// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that parameters of the driver API had in former releases, and how they become today's.

#ifndef VX_RUNTIME_DRIVER_FORMERTYPES_H
#define VX_RUNTIME_DRIVER_FORMERTYPES_H

#include "cuda.h"
#include <algorithm>
#include <limits>
#include <tuple>

namespace vx::rt::driver {

using CUdeviceptr_v1 = unsigned int;

struct CUDA_MEMCPY2D_v1 {
  unsigned int srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr_v1 srcDevice;
  CUarray srcArray;
  unsigned int srcPitch;
  unsigned int dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr_v1 dstDevice;
  CUarray dstArray;
  unsigned int dstPitch;
  unsigned int WidthInBytes, Height;
};

struct CUDA_MEMCPY3D_v1 {
  unsigned int srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr_v1 srcDevice;
  CUarray srcArray;
  void *reserved0;
  unsigned int srcPitch, srcHeight;
  unsigned int dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr_v1 dstDevice;
  CUarray dstArray;
  void *reserved1;
  unsigned int dstPitch, dstHeight;
  unsigned int WidthInBytes, Height, Depth;
};

struct CUDA_ARRAY_DESCRIPTOR_v1 {
  unsigned int Width, Height;
  CUarray_format Format;
  unsigned int NumChannels;
};

struct CUDA_ARRAY3D_DESCRIPTOR_v1 {
  unsigned int Width, Height, Depth;
  CUarray_format Format;
  unsigned int NumChannels, Flags;
};

inline CUDA_MEMCPY2D convert(const CUDA_MEMCPY2D_v1 &c) {
  return {c.srcXInBytes, c.srcY,        c.srcMemoryType, c.srcHost,       c.srcDevice, c.srcArray,
          c.srcPitch,    c.dstXInBytes, c.dstY,          c.dstMemoryType, c.dstHost,   c.dstDevice,
          c.dstArray,    c.dstPitch,    c.WidthInBytes,  c.Height};
}

inline CUDA_MEMCPY3D convert(const CUDA_MEMCPY3D_v1 &c) {
  return {c.srcXInBytes,   c.srcY,        c.srcZ,         c.srcLOD,    c.srcMemoryType,
          c.srcHost,       c.srcDevice,   c.srcArray,     c.reserved0, c.srcPitch,
          c.srcHeight,     c.dstXInBytes, c.dstY,         c.dstZ,      c.dstLOD,
          c.dstMemoryType, c.dstHost,     c.dstDevice,    c.dstArray,  c.reserved1,
          c.dstPitch,      c.dstHeight,   c.WidthInBytes, c.Height,    c.Depth};
}

inline CUDA_ARRAY_DESCRIPTOR convert(const CUDA_ARRAY_DESCRIPTOR_v1 &d) {
  return {d.Width, d.Height, d.Format, d.NumChannels};
}

inline CUDA_ARRAY_DESCRIPTOR_v1 convert(const CUDA_ARRAY_DESCRIPTOR &d) {
  return {unsigned(d.Width), unsigned(d.Height), d.Format, d.NumChannels};
}

inline CUDA_ARRAY3D_DESCRIPTOR convert(const CUDA_ARRAY3D_DESCRIPTOR_v1 &d) {
  return {d.Width, d.Height, d.Depth, d.Format, d.NumChannels, d.Flags};
}

inline CUDA_ARRAY3D_DESCRIPTOR_v1 convert(const CUDA_ARRAY3D_DESCRIPTOR &d) {
  return {unsigned(d.Width), unsigned(d.Height), unsigned(d.Depth),
          d.Format,          d.NumChannels,      d.Flags};
}

inline CUDA_KERNEL_NODE_PARAMS convert(const CUDA_KERNEL_NODE_PARAMS_v1 &p) {
  return {p.func,      p.gridDimX,       p.gridDimY,     p.gridDimZ, p.blockDimX, p.blockDimY,
          p.blockDimZ, p.sharedMemBytes, p.kernelParams, p.extra,    nullptr,     nullptr};
}

inline CUDA_KERNEL_NODE_PARAMS_v1 convert(const CUDA_KERNEL_NODE_PARAMS &p) {
  return {p.func,      p.gridDimX,  p.gridDimY,       p.gridDimZ,     p.blockDimX,
          p.blockDimY, p.blockDimZ, p.sharedMemBytes, p.kernelParams, p.extra};
}

/// An argument for a parameter of today's type P. `Type` is the parameter's former type; `pass`
/// gives today's value, and `finish`, after the call, results back to the caller: false if one does
/// not fit its former type. Narrow: the function is from before release 3.2.
template <typename P, bool Narrow> struct FormerArgument {
  using Type = P;
  explicit FormerArgument(Type given) : given(given) {}
  P pass() { return given; }
  bool finish() { return true; }

private:
  Type given;
};

template <typename Wide> struct WidenedNumber {
  using Type = unsigned int;
  explicit WidenedNumber(Type given) : given(given) {}
  Wide pass() { return given; }
  bool finish() { return true; }

private:
  Type given;
};

/// A result that may have more than 32 bits: an address does not fit then, a size is the largest.
template <typename Wide, bool IsAddress> struct WidenedResult {
  using Type = unsigned int *;
  explicit WidenedResult(Type given) : given(given) {}
  Wide *pass() { return given ? &wide : nullptr; }
  bool finish() {
    constexpr Wide kMost = std::numeric_limits<unsigned int>::max();
    if (given)
      *given = unsigned(std::min(wide, kMost));
    return !IsAddress || wide <= kMost;
  }

private:
  Type given;
  Wide wide = 0;
};

template <typename Today, typename Then> struct ConvertedInput {
  using Type = const Then *;
  explicit ConvertedInput(Type given) {
    if (given)
      today = convert(*given);
    isGiven = given;
  }
  const Today *pass() { return isGiven ? &today : nullptr; }
  bool finish() { return true; }

private:
  bool isGiven;
  Today today{};
};

template <typename Today, typename Then> struct ConvertedOutput {
  using Type = Then *;
  explicit ConvertedOutput(Type given) : given(given) {}
  Today *pass() { return given ? &today : nullptr; }
  bool finish() {
    if (given)
      *given = convert(today);
    return true;
  }

private:
  Type given;
  Today today{};
};

#define VX_CU_FORMER_TYPE(type, narrow, ...)                                                       \
  template <> struct FormerArgument<type, narrow> : __VA_ARGS__ {                                  \
    using Base = __VA_ARGS__;                                                                      \
    using Base::Base;                                                                              \
  };
VX_CU_FORMER_TYPE(size_t, true, WidenedNumber<size_t>)
VX_CU_FORMER_TYPE(CUdeviceptr, true, WidenedNumber<CUdeviceptr>)
VX_CU_FORMER_TYPE(size_t *, true, WidenedResult<size_t, false>)
VX_CU_FORMER_TYPE(CUdeviceptr *, true, WidenedResult<CUdeviceptr, true>)
VX_CU_FORMER_TYPE(const CUDA_MEMCPY2D *, true, ConvertedInput<CUDA_MEMCPY2D, CUDA_MEMCPY2D_v1>)
VX_CU_FORMER_TYPE(const CUDA_MEMCPY3D *, true, ConvertedInput<CUDA_MEMCPY3D, CUDA_MEMCPY3D_v1>)
VX_CU_FORMER_TYPE(const CUDA_ARRAY_DESCRIPTOR *, true,
                  ConvertedInput<CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_DESCRIPTOR_v1>)
VX_CU_FORMER_TYPE(CUDA_ARRAY_DESCRIPTOR *, true,
                  ConvertedOutput<CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_DESCRIPTOR_v1>)
VX_CU_FORMER_TYPE(const CUDA_ARRAY3D_DESCRIPTOR *, true,
                  ConvertedInput<CUDA_ARRAY3D_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR_v1>)
VX_CU_FORMER_TYPE(CUDA_ARRAY3D_DESCRIPTOR *, true,
                  ConvertedOutput<CUDA_ARRAY3D_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR_v1>)
VX_CU_FORMER_TYPE(const CUDA_KERNEL_NODE_PARAMS *, false,
                  ConvertedInput<CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1>)
VX_CU_FORMER_TYPE(CUDA_KERNEL_NODE_PARAMS *, false,
                  ConvertedOutput<CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1>)
#undef VX_CU_FORMER_TYPE

/// The former form of a function type.
template <typename F, bool Narrow> struct FormerFunction;
template <typename... P, bool Narrow> struct FormerFunction<CUresult(P...), Narrow> {
  using Type = CUresult(typename FormerArgument<P, Narrow>::Type...);
};

} // namespace vx::rt::driver

#endif // VX_RUNTIME_DRIVER_FORMERTYPES_H
