// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What device code asks of the runtime: printf, assert, the heap, stopping. The functions without a
// body are known to the compiler by name.

#ifndef VX_CUDA_SERVICES_H
#define VX_CUDA_SERVICES_H

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(__SIZE_TYPE__) __attribute__((nothrow)) __attribute__((malloc));
__device__ __attribute__((noreturn)) void __assertfail(const char *message, const char *file,
                                                       unsigned line, const char *function,
                                                       __SIZE_TYPE__ charSize);

// What assert() of the C library calls.
__device__ __attribute__((noreturn)) static inline void
__assert_fail(const char *message, const char *file, unsigned line, const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}

// Clang packs the arguments and calls vprintf.
__device__ int printf(const char *, ...);
} // extern "C"

namespace std {
__device__ static inline void free(void *p) { ::free(p); }
__device__ static inline void *malloc(__SIZE_TYPE__ size) { return ::malloc(size); }
} // namespace std

// What stops there is the caller's line.
#define VX_STOP static __device__ __forceinline__ __attribute__((__nodebug__))
VX_STOP __attribute__((noreturn)) void __trap(void) { __builtin_trap(); }
VX_STOP void __brkpt(int = 0) { __builtin_debugtrap(); }
#undef VX_STOP

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

#endif // VX_CUDA_SERVICES_H
