// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A race and a wrong member mask in kernels that NVRTC compiles for the checkers, as an image and as text;
// without the option, the checkers say that they see nothing.
//
// RUN: %vxcc %s -o %t -lcuda -lnvrtc -I %S/../driver/Inputs
// RUN: env VX_CHECK=racecheck %run %t race -fvx-check image 2>&1 | FileCheck --check-prefix=RACE %s
// RUN: env VX_CHECK=racecheck %run %t race --fvx-check=true text 2>&1 | FileCheck --check-prefix=RACE %s
// RUN: env VX_CHECK=synccheck %run %t wrongMask -fvx-check image 2>&1 | FileCheck --check-prefix=MASK %s
// RUN: env VX_CHECK=racecheck %run %t race -w image 2>&1 | FileCheck --check-prefix=BLIND %s

// RACE:      racecheck: {{(read|write)}} of 4 bytes of shared memory at 0x{{[0-9a-f]+}} races with a {{(read|write)$}}
// RACE-DAG:  at {{.*}}program.cu:5
// RACE-DAG:  at {{.*}}program.cu:6
// RACE:      64 bytes into `race::tile`
// RACE:      ERROR SUMMARY: 1 error
// MASK:      synccheck:
// MASK:      program.cu:11
// MASK:      ERROR SUMMARY: 1 error
// BLIND:     kernel `race` is not compiled with -fvx-check
// BLIND:     ERROR SUMMARY: racecheck checked nothing

#include "driver.h"
#include <cstring>

static const char *const kSource = R"(
extern "C" {
__global__ void race(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void wrongMask(int *out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x < 32)
    __syncwarp(1);
}
})";

int main(int, char **argv) {
  CUcontext context;
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  nvrtcProgram program;
  const char *options[] = {argv[2], argv[3][0] == 'i' ? "-arch=sm_80" : "-arch=compute_80"};
  CHECK(nvrtcCreateProgram(&program, kSource, "program.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  CHECK(nvrtcCompileProgram(program, 2, options) == NVRTC_SUCCESS);
  bool isImage = argv[3][0] == 'i';
  size_t size;
  CHECK((isImage ? nvrtcGetCUBINSize : nvrtcGetPTXSize)(program, &size) == NVRTC_SUCCESS);
  std::string image(size, 0);
  CHECK((isImage ? nvrtcGetCUBIN : nvrtcGetPTX)(program, &image[0]) == NVRTC_SUCCESS);
  CUmodule module;
  CUfunction function;
  CUdeviceptr data;
  OK(cuModuleLoadData(&module, image.data()));
  OK(cuModuleGetFunction(&function, module, argv[1]));
  OK(cuMemAlloc(&data, 64 * sizeof(int)));
  void *arguments[] = {&data};
  OK(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
}
