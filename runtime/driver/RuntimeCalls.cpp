// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the runtime API that are the driver API's: entry points by name, libraries and their
// kernels. They need no cuInit.

#include "runtime/driver/SameLayout.h"

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

/// Runs BODY, which returns a CUresult; the two APIs have the same numbers.
template <typename Body> cudaError_t callDriver(Body &&body) {
  CUresult e = cuInit(0);
  return recordError(cudaError_t(e == CUDA_SUCCESS ? body() : e));
}

/// Does the same with a current context, which the runtime API makes.
template <typename Body> cudaError_t callDriverInContext(Body &&body) {
  cudaError_t e = callWithContext([](Context &) { return cudaSuccess; });
  return e == cudaSuccess ? callDriver(body) : e;
}

cudaError_t findEntryPoint(const char *symbol, void **function, int version,
                           unsigned long long flags, cudaDriverEntryPointQueryResult *status) {
  if (flags == cudaEnableDefault && callMode.perThreadStreams)
    flags = cudaEnablePerThreadDefaultStream;
  return callDriver([&] {
    return cuGetProcAddress(symbol, function, version, flags,
                            as<CUdriverProcAddressQueryResult>(status));
  });
}

} // namespace

extern "C" cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function,
                                               unsigned long long flags,
                                               cudaDriverEntryPointQueryResult *status) {
  return findEntryPoint(symbol, function, CUDART_VERSION, flags, status);
}

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                                        unsigned version, unsigned long long flags,
                                                        cudaDriverEntryPointQueryResult *status) {
  return findEntryPoint(symbol, function, int(version), flags, status);
}

extern "C" cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol) {
  return cudaGetKernel(reinterpret_cast<cudaKernel_t *>(function), symbol);
}

extern "C" cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                           cudaJitOption *jitOptions, void **jitValues,
                                           unsigned numJitOptions, cudaLibraryOption *options,
                                           void **values, unsigned numOptions) {
  return callDriver([&] {
    return cuLibraryLoadData(library, code, as<CUjit_option>(jitOptions), jitValues, numJitOptions,
                             as<CUlibraryOption>(options), values, numOptions);
  });
}

extern "C" cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                               cudaJitOption *jitOptions, void **jitValues,
                                               unsigned numJitOptions, cudaLibraryOption *options,
                                               void **values, unsigned numOptions) {
  return callDriver([&] {
    return cuLibraryLoadFromFile(library, path, as<CUjit_option>(jitOptions), jitValues,
                                 numJitOptions, as<CUlibraryOption>(options), values, numOptions);
  });
}

extern "C" cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return callDriver([&] { return cuLibraryUnload(library); });
}

extern "C" cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
                                            const char *name) {
  return callDriver([&] { return cuLibraryGetKernel(kernel, library, name); });
}

extern "C" cudaError_t cudaLibraryGetGlobal(void **address, size_t *size, cudaLibrary_t library,
                                            const char *name) {
  return callDriverInContext([&] {
    return cuLibraryGetGlobal(reinterpret_cast<CUdeviceptr *>(address), size, library, name);
  });
}

extern "C" cudaError_t cudaLibraryGetManaged(void **address, size_t *size, cudaLibrary_t library,
                                             const char *name) {
  return callDriverInContext([&] {
    return cuLibraryGetManaged(reinterpret_cast<CUdeviceptr *>(address), size, library, name);
  });
}

extern "C" cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library,
                                                     const char *name) {
  return callDriver([&] { return cuLibraryGetUnifiedFunction(function, library, name); });
}

extern "C" cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                                       cudaFuncAttribute attribute, int value,
                                                       int device) {
  return callDriver(
      [&] { return cuKernelSetAttribute(CUfunction_attribute(attribute), value, kernel, device); });
}

extern "C" CUresult cuProfilerStart(void) {
  return call([] { return cudaProfilerStart(); });
}

extern "C" CUresult cuProfilerStop(void) {
  return call([] { return cudaProfilerStop(); });
}
