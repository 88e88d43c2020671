// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that tests of the driver API share: checks, and a module made of a string.

#ifndef VX_TEST_DRIVER_H
#define VX_TEST_DRIVER_H

#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition);                             \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

/// The call must give the result.
#define EXPECT(want, call)                                                                         \
  do {                                                                                             \
    CUresult have_ = (call);                                                                       \
    if (have_ != (want)) {                                                                         \
      const char *name_ = nullptr;                                                                 \
      cuGetErrorName(have_, &name_);                                                               \
      std::printf("FAIL %s:%d: %s: %s (%d), not %s\n", __FILE__, __LINE__, #call,                  \
                  name_ ? name_ : "?", int(have_), #want);                                         \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)
#define OK(call) EXPECT(CUDA_SUCCESS, call)

/// Returns the NVVM IR of SOURCE, as nvrtcGetPTX gives it.
inline std::string compile(const char *source, std::vector<const char *> options = {}) {
  nvrtcProgram program;
  CHECK(nvrtcCreateProgram(&program, source, "test.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  nvrtcResult result = nvrtcCompileProgram(program, int(options.size()), options.data());
  size_t size = 0;
  CHECK(nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS);
  std::string log(size, 0);
  CHECK(nvrtcGetProgramLog(program, &log[0]) == NVRTC_SUCCESS);
  if (result != NVRTC_SUCCESS)
    std::printf("%s\n", log.c_str());
  CHECK(result == NVRTC_SUCCESS);
  CHECK(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
  std::string text(size, 0);
  CHECK(nvrtcGetPTX(program, &text[0]) == NVRTC_SUCCESS);
  CHECK(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS && !program);
  return text;
}

#endif // VX_TEST_DRIVER_H
