// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the driver API's devices, contexts, streams and events. Reports show none of these, so
// the names are not kept.

#ifndef VX_NVTX3_NVTOOLSEXTCUDA_H
#define VX_NVTX3_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvToolsExt.h"

#if defined(__cplusplus)
extern "C" {
#endif

NVTX_INLINE_STATIC void nvtxNameCuDeviceA(CUdevice device, const char *name) {
  (void)device, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCuDeviceW(CUdevice device, const wchar_t *name) {
  (void)device, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCuContextA(CUcontext context, const char *name) {
  (void)context, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCuContextW(CUcontext context, const wchar_t *name) {
  (void)context, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCuStreamA(CUstream stream, const char *name) {
  (void)stream, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCuStreamW(CUstream stream, const wchar_t *name) {
  (void)stream, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCuEventA(CUevent event, const char *name) {
  (void)event, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCuEventW(CUevent event, const wchar_t *name) {
  (void)event, (void)name;
}

#if defined(__cplusplus)
} // extern "C"
#endif

#if defined(UNICODE)
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

#endif /* VX_NVTX3_NVTOOLSEXTCUDA_H */
