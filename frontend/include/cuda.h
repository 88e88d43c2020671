// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of CUDA's driver API. Programs written for the runtime API include this header too; the
// functions of the driver API are not offered, so the guard that announces them is not defined.

#ifndef VX_CUDA_CUDA_H
#define VX_CUDA_CUDA_H

#include <stddef.h>
#include <stdint.h>

#ifndef CUDA_VERSION
#define CUDA_VERSION 12030
#endif

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

#endif // VX_CUDA_CUDA_H
