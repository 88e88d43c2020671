// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of kernels, their parameters, launches on several devices, and the functions of the
// driver API by name. Included by cuda_runtime_api.h.

#ifndef VX_RT_FUNCTIONS_H
#define VX_RT_FUNCTIONS_H

/* A kernel; calls that take the address of a kernel's host function take it, too. */
typedef struct CUkern_st *cudaKernel_t;
/* The same for the driver API (CUfunction). */
typedef struct CUfunc_st *cudaFunction_t;

#define cudaCooperativeLaunchMultiDeviceNoPreSync 0x01
#define cudaCooperativeLaunchMultiDeviceNoPostSync 0x02

struct cudaLaunchParams {
  void *func;
  dim3 gridDim;
  dim3 blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t stream;
};

enum cudaGetDriverEntryPointFlags {
  cudaEnableDefault = 0x0,
  cudaEnableLegacyStream = 0x1,
  cudaEnablePerThreadDefaultStream = 0x2,
};

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2, /* CUDA's spelling */
};

#if defined(__cplusplus)
extern "C" {
#endif

/* The kernel whose host function is `entry`. */
extern cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *entry);
/* Offset and bytes of parameter `index` among the kernel's arguments; cudaErrorInvalidValue: it has
   fewer. (CUDA 12.4) */
extern cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset,
                                        size_t *size);
/* cudaErrorNotSupported: grids do not span devices. */
extern cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *launches,
                                                          unsigned int count,
                                                          unsigned int flags VX_DEFAULT(0));
/* Conversions for devices without double, which the device is not: the number stays as it is. */
extern cudaError_t cudaSetDoubleForDevice(double *d);
extern cudaError_t cudaSetDoubleForHost(double *d);
/* NVIDIA's internal tables; there is none. */
extern cudaError_t cudaGetExportTable(const void **table, const cudaUUID_t *id);

#if defined(__cplusplus)
} // extern "C"
#endif

#endif /* VX_RT_FUNCTIONS_H */
