// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX: a program names what it does. The names appear in traces (VX_TRACE=perfetto:FILE) and
// statistics (VX_STATS) next to the kernels that were launched meanwhile. Nothing has to be linked:
// without the CUDA runtime in the program, and without such a report, all of this does nothing.

#ifndef VX_NVTX3_NVTOOLSEXT_H
#define VX_NVTX3_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#ifndef NVTX_INLINE_STATIC /* libnvToolsExt has its functions from here */
#define NVTX_INLINE_STATIC static inline
#endif

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef enum nvtxColorType_t {
  NVTX_COLOR_UNKNOWN = 0,
  NVTX_COLOR_ARGB = 1,
} nvtxColorType_t;

typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3,
} nvtxMessageType_t;

typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6,
} nvtxPayloadType_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_v2))

typedef struct nvtxInitializationAttributes_v2 {
  uint16_t version;
  uint16_t size;
} nvtxInitializationAttributes_v2;
typedef nvtxInitializationAttributes_v2 nvtxInitializationAttributes_t;

#if defined(__cplusplus)
extern "C" {
#endif

/* The runtime's side; not there in a program without it. */
#define VX_NVTX_WEAK extern __attribute__((weak))
VX_NVTX_WEAK int __cudaNvtxPush(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event);
VX_NVTX_WEAK int __cudaNvtxPop(nvtxDomainHandle_t domain);
VX_NVTX_WEAK nvtxRangeId_t __cudaNvtxStart(nvtxDomainHandle_t domain,
                                           const nvtxEventAttributes_t *event);
VX_NVTX_WEAK void __cudaNvtxEnd(nvtxRangeId_t range);
VX_NVTX_WEAK void __cudaNvtxMark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event);
VX_NVTX_WEAK nvtxDomainHandle_t __cudaNvtxDomain(const char *name, const wchar_t *wide);
VX_NVTX_WEAK void __cudaNvtxForgetDomain(nvtxDomainHandle_t domain);
VX_NVTX_WEAK nvtxStringHandle_t __cudaNvtxString(nvtxDomainHandle_t domain, const char *text,
                                                 const wchar_t *wide);
VX_NVTX_WEAK void __cudaNvtxNameThread(uint32_t thread, const char *name, const wchar_t *wide);
#undef VX_NVTX_WEAK

NVTX_INLINE_STATIC nvtxEventAttributes_t __vxNvtxEvent(const char *text, const wchar_t *wide) {
  nvtxEventAttributes_t event;
  __builtin_memset(&event, 0, sizeof event);
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = text ? NVTX_MESSAGE_TYPE_ASCII : NVTX_MESSAGE_TYPE_UNICODE;
  if (text)
    event.message.ascii = text;
  else
    event.message.unicode = wide;
  return event;
}

NVTX_INLINE_STATIC void nvtxInitialize(const void *reserved) { (void)reserved; }

/* Ranges of the calling thread, one inside the other. The result is the depth, from 0. */
NVTX_INLINE_STATIC int nvtxDomainRangePushEx(nvtxDomainHandle_t domain,
                                             const nvtxEventAttributes_t *event) {
  return __cudaNvtxPush ? __cudaNvtxPush(domain, event) : NVTX_NO_PUSH_POP_TRACKING;
}
NVTX_INLINE_STATIC int nvtxRangePushEx(const nvtxEventAttributes_t *event) {
  return nvtxDomainRangePushEx(NULL, event);
}
NVTX_INLINE_STATIC int nvtxRangePushA(const char *message) {
  nvtxEventAttributes_t event = __vxNvtxEvent(message, NULL);
  return nvtxRangePushEx(&event);
}
NVTX_INLINE_STATIC int nvtxRangePushW(const wchar_t *message) {
  nvtxEventAttributes_t event = __vxNvtxEvent(NULL, message);
  return nvtxRangePushEx(&event);
}
NVTX_INLINE_STATIC int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  return __cudaNvtxPop ? __cudaNvtxPop(domain) : NVTX_NO_PUSH_POP_TRACKING;
}
NVTX_INLINE_STATIC int nvtxRangePop(void) { return nvtxDomainRangePop(NULL); }

/* Ranges of the process, which any thread may end. */
NVTX_INLINE_STATIC nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                        const nvtxEventAttributes_t *event) {
  return __cudaNvtxStart ? __cudaNvtxStart(domain, event) : 0;
}
NVTX_INLINE_STATIC nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *event) {
  return nvtxDomainRangeStartEx(NULL, event);
}
NVTX_INLINE_STATIC nvtxRangeId_t nvtxRangeStartA(const char *message) {
  nvtxEventAttributes_t event = __vxNvtxEvent(message, NULL);
  return nvtxRangeStartEx(&event);
}
NVTX_INLINE_STATIC nvtxRangeId_t nvtxRangeStartW(const wchar_t *message) {
  nvtxEventAttributes_t event = __vxNvtxEvent(NULL, message);
  return nvtxRangeStartEx(&event);
}
NVTX_INLINE_STATIC void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  (void)domain;
  if (__cudaNvtxEnd)
    __cudaNvtxEnd(range);
}
NVTX_INLINE_STATIC void nvtxRangeEnd(nvtxRangeId_t range) { nvtxDomainRangeEnd(NULL, range); }

/* Moments. */
NVTX_INLINE_STATIC void nvtxDomainMarkEx(nvtxDomainHandle_t domain,
                                         const nvtxEventAttributes_t *event) {
  if (__cudaNvtxMark)
    __cudaNvtxMark(domain, event);
}
NVTX_INLINE_STATIC void nvtxMarkEx(const nvtxEventAttributes_t *event) {
  nvtxDomainMarkEx(NULL, event);
}
NVTX_INLINE_STATIC void nvtxMarkA(const char *message) {
  nvtxEventAttributes_t event = __vxNvtxEvent(message, NULL);
  nvtxMarkEx(&event);
}
NVTX_INLINE_STATIC void nvtxMarkW(const wchar_t *message) {
  nvtxEventAttributes_t event = __vxNvtxEvent(NULL, message);
  nvtxMarkEx(&event);
}

/* Domains, whose name stands before that of their events, and strings that are kept. */
NVTX_INLINE_STATIC nvtxDomainHandle_t nvtxDomainCreateA(const char *name) {
  return __cudaNvtxDomain ? __cudaNvtxDomain(name, NULL) : NULL;
}
NVTX_INLINE_STATIC nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *name) {
  return __cudaNvtxDomain ? __cudaNvtxDomain(NULL, name) : NULL;
}
NVTX_INLINE_STATIC void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
  if (__cudaNvtxForgetDomain)
    __cudaNvtxForgetDomain(domain);
}
NVTX_INLINE_STATIC nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain,
                                                                const char *text) {
  return __cudaNvtxString ? __cudaNvtxString(domain, text, NULL) : NULL;
}
NVTX_INLINE_STATIC nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain,
                                                                const wchar_t *text) {
  return __cudaNvtxString ? __cudaNvtxString(domain, NULL, text) : NULL;
}

/* Names of threads (by the operating system's number) and categories; the latter are not shown. */
NVTX_INLINE_STATIC void nvtxNameOsThreadA(uint32_t thread, const char *name) {
  if (__cudaNvtxNameThread)
    __cudaNvtxNameThread(thread, name, NULL);
}
NVTX_INLINE_STATIC void nvtxNameOsThreadW(uint32_t thread, const wchar_t *name) {
  if (__cudaNvtxNameThread)
    __cudaNvtxNameThread(thread, NULL, name);
}
NVTX_INLINE_STATIC void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category,
                                                const char *name) {
  (void)domain, (void)category, (void)name;
}
NVTX_INLINE_STATIC void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category,
                                                const wchar_t *name) {
  (void)domain, (void)category, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCategoryA(uint32_t category, const char *name) {
  (void)category, (void)name;
}
NVTX_INLINE_STATIC void nvtxNameCategoryW(uint32_t category, const wchar_t *name) {
  (void)category, (void)name;
}

#if defined(__cplusplus)
} // extern "C"
#endif

#if defined(UNICODE)
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#endif /* VX_NVTX3_NVTOOLSEXT_H */
