// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --expt-relaxed-constexpr --expt-extended-lambda --emit=nvvm %s -o - | FileCheck %s
// RUN: %vxcc -std=c++20 --expt-relaxed-constexpr --expt-extended-lambda --emit=nvvm %s -o %t.ll
// RUN: %vxcc --expt-relaxed-constexpr --expt-extended-lambda -c %s -o %t.o
//
// Both halves say the same: nvcc with clang as its host compiler.

#if !defined(__CUDACC__) || !defined(__NVCC__) || !defined(__CUDA__) || !defined(__VXCC__)
#error "a CUDA compiler's macros"
#endif
#if !defined(__clang__) || __clang_major__ < 22 || __GNUC__ != 4
#error "the host compiler's macros"
#endif
#if __CUDACC_VER_MAJOR__ != 12 || __CUDA_API_VER_MAJOR__ != 12 || !defined(__CUDA_API_VER_MINOR__) || CUDART_VERSION < 12000
#error "the CUDA release"
#endif
#if !defined(__CUDACC_RELAXED_CONSTEXPR__) || !defined(__CUDACC_EXTENDED_LAMBDA__)
#error "options"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800
#error "the architecture"
#endif

constexpr int square(int x) { return x * x; }

// CHECK: store i32 {{800|16}}
__global__ void k(int *p) {
#ifdef __CUDA_ARCH__
  p[0] = __CUDA_ARCH__;
#endif
  p[1] = square(4) + min(3, p[1]);
}
