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

/* Device code that was loaded by the program (CUlibrary). */
typedef struct CUlib_st *cudaLibrary_t;

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

/* Options of the compiler that compiles a library when it is loaded. */
enum cudaJitOption {
  cudaJitMaxRegisters = 0,
  cudaJitThreadsPerBlock = 1,
  cudaJitWallTime = 2,
  cudaJitInfoLogBuffer = 3,
  cudaJitInfoLogBufferSizeBytes = 4,
  cudaJitErrorLogBuffer = 5,
  cudaJitErrorLogBufferSizeBytes = 6,
  cudaJitOptimizationLevel = 7,
  cudaJitFallbackStrategy = 10,
  cudaJitGenerateDebugInfo = 11,
  cudaJitLogVerbose = 12,
  cudaJitGenerateLineInfo = 13,
  cudaJitCacheMode = 14,
  cudaJitPositionIndependentCode = 30,
  cudaJitMinCtaPerSm = 31,
  cudaJitMaxThreadsPerBlock = 32,
  cudaJitOverrideDirectiveValues = 33,
};

enum cudaLibraryOption {
  cudaLibraryHostUniversalFunctionAndDataTable = 0,
  cudaLibraryBinaryIsPreserved = 1,
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
/* The kernel whose host function is `symbol`, for the driver API. */
extern cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
/* The function of the driver API that `symbol` names, as of this release or of `version` (12030 is
   12.3); null and a status, or without that cudaErrorSymbolNotFound, if there is none. */
extern cudaError_t
cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *status VX_DEFAULT(0));
extern cudaError_t
cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int version,
                                 unsigned long long flags,
                                 enum cudaDriverEntryPointQueryResult *status VX_DEFAULT(0));

/* Libraries (CUDA 12.8): what can be loaded is what cuLibraryLoadData can load. */
extern cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                       enum cudaJitOption *jitOptions, void **jitOptionsValues,
                                       unsigned int numJitOptions,
                                       enum cudaLibraryOption *libraryOptions,
                                       void **libraryOptionValues, unsigned int numLibraryOptions);
extern cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName,
                                           enum cudaJitOption *jitOptions, void **jitOptionsValues,
                                           unsigned int numJitOptions,
                                           enum cudaLibraryOption *libraryOptions,
                                           void **libraryOptionValues,
                                           unsigned int numLibraryOptions);
extern cudaError_t cudaLibraryUnload(cudaLibrary_t library);
extern cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
                                        const char *name);
extern cudaError_t cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library,
                                        const char *name);
extern cudaError_t cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library,
                                         const char *name);
/* cudaErrorSymbolNotFound: host functions are not in libraries. */
extern cudaError_t cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library,
                                                 const char *symbol);
extern cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr,
                                                   int value, int device);
/* NVIDIA's internal tables; there is none. */
extern cudaError_t cudaGetExportTable(const void **table, const cudaUUID_t *id);

#if defined(__cplusplus)
} // extern "C"
#endif

#endif /* VX_RT_FUNCTIONS_H */
