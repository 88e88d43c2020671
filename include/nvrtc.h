// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilation of CUDA C++ at run time (libnvrtc), as of CUDA 12.3. What vxcc has in the place of
// PTX is NVVM IR as text, and in the place of a CUBIN a fat binary of its own; the driver API loads
// both.

#ifndef __NVRTC_H__
#define __NVRTC_H__

#include <stdlib.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

/* The name of a result's enumerator. */
extern const char *nvrtcGetErrorString(nvrtcResult result);
/* The release: 12 and 3. */
extern nvrtcResult nvrtcVersion(int *major, int *minor);
/* The numbers that -arch=compute_NUMBER may have, in ascending order. */
extern nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs);
extern nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs);

/* A program of the source SRC. NAME may be null; #include finds HEADERS by INCLUDENAMES. */
extern nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name,
                                      int numHeaders, const char *const *headers,
                                      const char *const *includeNames);
extern nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog);
/* Compiles; what there is to say is in the log, also after NVRTC_SUCCESS. */
extern nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions,
                                       const char *const *options);

/* The size and the text of NVVM IR, with the 0 at its end. */
extern nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet);
extern nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx);
/* A fat binary; its size is 0 unless -arch names a real architecture (sm_80). */
extern nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet);
extern nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin);
/* A fat binary with NVVM IR; its size is 0 without -dlto. */
extern nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet);
extern nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR);
/* There is no OptiX IR: the size is 0, and getting it an error. */
extern nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet);
extern nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir);
/* The same under the name that older programs know. */
extern nvrtcResult nvrtcGetNVVMSize(nvrtcProgram prog, size_t *nvvmSizeRet);
extern nvrtcResult nvrtcGetNVVM(nvrtcProgram prog, char *nvvm);
/* The compiler's messages, a string. */
extern nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet);
extern nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log);

/* Before compilation: asks for the symbol of a __global__ function or of a variable's address,
   which instantiates templates. After it: the symbol, valid as long as the program. */
extern nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *nameExpression);
extern nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *nameExpression,
                                       const char **loweredName);

#if defined(__cplusplus)
} // extern "C"
#endif

#if defined(__cplusplus) && defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>
#include <string>
#include <typeinfo>

template <typename T> struct __nvrtcTypeOf {};

/* The name of T as it may stand in a name expression. */
template <typename T> nvrtcResult nvrtcGetTypeName(std::string *result) {
  int status = 0;
  char *name = abi::__cxa_demangle(typeid(__nvrtcTypeOf<T>).name(), nullptr, nullptr, &status);
  if (!name)
    return NVRTC_ERROR_INTERNAL_ERROR;
  std::string text(name);
  free(name);
  size_t first = text.find('<') + 1;
  text = text.substr(first, text.rfind('>') - first);
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  *result = text;
  return NVRTC_SUCCESS;
}

/* The same of a type that is known at run time only. */
inline nvrtcResult nvrtcGetTypeName(const std::type_info &type, std::string *result) {
  int status = 0;
  char *name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  if (!name)
    return NVRTC_ERROR_INTERNAL_ERROR;
  *result = name;
  free(name);
  return NVRTC_SUCCESS;
}
#endif

#endif /* __NVRTC_H__ */
