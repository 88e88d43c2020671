// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of devices, streams and events. Reports show none of these, so the names are not kept.

#ifndef VX_NVTX3_NVTOOLSEXTCUDART_H
#define VX_NVTX3_NVTOOLSEXTCUDART_H

#include "cuda_runtime_api.h"
#include "nvToolsExt.h"

#if defined(__cplusplus)
extern "C" {
#endif

NVTX_INLINE_STATIC void nvtxNameCudaDeviceA(int device, const char *name) {
  (void)device, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCudaDeviceW(int device, const wchar_t *name) {
  (void)device, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCudaStreamA(cudaStream_t stream, const char *name) {
  (void)stream, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCudaStreamW(cudaStream_t stream, const wchar_t *name) {
  (void)stream, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCudaEventA(cudaEvent_t event, const char *name) {
  (void)event, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCudaEventW(cudaEvent_t event, const wchar_t *name) {
  (void)event, (void)name;
}

#if defined(__cplusplus)
} // extern "C"
#endif

#if defined(UNICODE)
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif /* VX_NVTX3_NVTOOLSEXTCUDART_H */
