// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included before every CUDA source, in both halves of the compilation: makes CUDA's language
// extensions, builtin variables and device functions known without any SDK. Clang's own headers
// supply what they can; the order below is dictated by them.

#ifndef VX_CUDA_WRAPPER_H
#define VX_CUDA_WRAPPER_H

#if defined(__CUDA__)

#if defined(__cplusplus)
// The class of *this, for what frontend/cuda/LenientCode.h makes of `this->` in a constant
// expression.
template <class T> struct __vx_bare;
template <class T> struct __vx_bare<T &> {
  using type = T;
};

// Must come before <cmath>: it makes the device overloads win the redeclaration checks.
#include <__clang_cuda_math_forward_declares.h>

#include <assert.h>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <ctype.h>
#include <limits>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#include "host_defines.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION 12030
#endif
#include "cuda_runtime.h"

// Clang's device headers guard what they define with the architecture. Host code has to parse
// kernels too, so it sees all of it.
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 800
#endif

#include <__clang_cuda_builtin_vars.h>

#ifdef __VX_MARK_RETURNS__ // for the checkers; called by what the front end inserts
extern "C" __device__ void __vx_leave(int isReturn);
#endif

// For versions before 9.2 clang's SIMD-in-a-word functions call __nv_v*; later, they are PTX.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_libdevice_declares.h>
#define __brkpt __vx_clang_brkpt
#define __trap __vx_clang_trap
#define __all __vx_clang_all
#define __any __vx_clang_any
#define __ballot __vx_clang_ballot
#include <__clang_cuda_device_functions.h>
#undef __brkpt
#undef __trap
#undef __all
#undef __any
#undef __ballot
#pragma pop_macro("CUDA_VERSION")

#include <__clang_cuda_math.h>

#include "vx/cuda/float_overloads.h"
#include "vx/cuda/minmax.h"
#include "vx/cuda/services.h"

#include "cuda_device_runtime_api.h" // after malloc is declared
#include <new>                       // placement in device code, too

#include "vx/cuda/aligned_new.h" // after malloc is declared

#include <__clang_cuda_cmath.h>

#include "vx/cuda/ldst.h"
#include <__clang_cuda_complex_builtins.h>

#include "vx/cuda/atomics.h"
#include "vx/cuda/cluster.h"
#include "vx/cuda/surfaces.h"
#include "vx/cuda/textures.h"
#include "vx/cuda/warp.h"
#if defined(VX_TEXTURE_REFERENCES)
#include "vx/cuda/references.h"
#endif
#include "vx/cuda/device.h"
#include "vx/cuda/dpx.h"
#include "vx/cuda/nv_atomics.h"
#include "vx/cuda/strings.h"

#pragma pop_macro("__CUDA_ARCH__")

#include "vx/cuda/host_math.h"
// With nvcc, isnan() and its kin need no header: this one has them outside of std.
#include <math.h>

#endif // __cplusplus
#endif // __CUDA__

#endif // VX_CUDA_WRAPPER_H
