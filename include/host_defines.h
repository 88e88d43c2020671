// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's function and variable qualifiers. Outside CUDA sources they vanish, so that a plain C or
// C++ file may include the runtime's headers. `__noinline__` is a keyword of clang's CUDA mode and
// must not become a macro: libstdc++ spells it inside attributes.

#ifndef VX_CUDA_HOST_DEFINES_H
#define VX_CUDA_HOST_DEFINES_H

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#if __has_attribute(vx_shared)
#define __shared__ __attribute__((shared, vx_shared))
#else /* clang's own tools */
#define __shared__ __attribute__((shared))
#endif
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device, vx_managed))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
/* How this kernel is to be lowered: "hw", "sw" or "auto". */
#define __vx_lower__(x) __attribute__((annotate("vx.lower=" x)))
#define __cluster_dims__(...) __attribute__((annotate("vx.cluster", __VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __vx_lower__(x)
#define __cluster_dims__(...)
#endif
#if defined(__CUDACC_EXTENDED_LAMBDA__)
/* Lambdas are ordinary classes here: the host can ask for what they return, and copy them. No type
   is one of these, but what a template asks depends on its parameters. */
#define __vx_never(...) (__is_same(__VA_ARGS__, void) && !__is_same(__VA_ARGS__, void))
#define __nv_is_extended_device_lambda_closure_type(...) __vx_never(__VA_ARGS__)
#define __nv_is_extended_host_device_lambda_closure_type(...) __vx_never(__VA_ARGS__)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) __vx_never(__VA_ARGS__)
#endif
#define __maxnreg__(...)
#define __nv_pure__ __attribute__((pure))

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __location__(a) __attribute__((a))
#ifndef __specialization_static
#define __specialization_static static
#endif
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#endif // VX_CUDA_HOST_DEFINES_H
