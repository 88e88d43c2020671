// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code in files that vxcc has written as nvcc does, loaded and linked at run time.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %vxcc -DKERNEL -ptx -o kernel.ptx %s
// RUN: %vxcc -DKERNEL -fatbin -o kernel.fatbin %s
// RUN: %vxcc -DKERNEL -cubin -o kernel.cubin %s
// RUN: %vxcc %s -o program -lcuda && %run ./program

#include <cstdio>
#include <cuda.h>

#ifdef KERNEL
extern "C" __global__ void square(int *p) { *p *= *p; }
#else
static int failures = 0;
static void check(CUresult have, const char *what) {
  if (have != CUDA_SUCCESS)
    ++failures, std::printf("FAIL %s: %d\n", what, int(have));
}

static void run(CUmodule module, const char *name) {
  CUfunction square;
  CUdeviceptr p;
  int value = 7;
  check(cuModuleGetFunction(&square, module, "square"), name);
  check(cuMemAlloc(&p, sizeof value), name);
  check(cuMemcpyHtoD(p, &value, sizeof value), name);
  void *arguments[] = {&p};
  check(cuLaunchKernel(square, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), name);
  check(cuMemcpyDtoH(&value, p, sizeof value), name);
  if (value != 49)
    ++failures, std::printf("FAIL %s: %d\n", name, value);
  check(cuMemFree(p), name);
}

int main() {
  CUdevice device;
  CUcontext context;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuCtxCreate(&context, 0, device), "cuCtxCreate");
  for (const char *name : {"kernel.ptx", "kernel.fatbin", "kernel.cubin"}) {
    CUmodule module;
    check(cuModuleLoad(&module, name), name);
    run(module, name);
    check(cuModuleUnload(module), name);
  }
  CUlinkState state;
  void *image = nullptr;
  size_t size = 0;
  CUmodule module;
  check(cuLinkCreate(0, nullptr, nullptr, &state), "cuLinkCreate");
  check(cuLinkAddFile(state, CU_JIT_INPUT_PTX, "kernel.ptx", 0, nullptr, nullptr), "cuLinkAddFile");
  check(cuLinkComplete(state, &image, &size), "cuLinkComplete");
  check(cuModuleLoadData(&module, image), "linked image");
  run(module, "linked image");
  check(cuLinkDestroy(state), "cuLinkDestroy");
  check(cuCtxDestroy(context), "cuCtxDestroy");
  if (!failures)
    std::printf("PASS\n");
  return failures != 0;
}
#endif
