// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It has images for both kinds of divergence.
// UNSUPPORTED: paths
//
// Device code in files that vxcc has written as nvcc does, loaded and linked at run time.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %vxcc -DKERNEL -ptx -o kernel.ptx %s
// RUN: %vxcc -DKERNEL -fatbin -o kernel.fatbin %s
// RUN: %vxcc -DKERNEL -cubin -o kernel.cubin %s
// RUN: %vxcc %s -o program -lcuda && %run ./program
//
// An image by itself says for which devices it is.
// RUN: %vxcc -DKERNEL --vx-isa=paths -cubin -o kernel.cubin %s
// RUN: not %run ./program kernel.cubin 2>&1 | FileCheck %s --check-prefix=STACK
// STACK: it is for devices with core.divergence=paths
// RUN: env VX_SET=core.divergence=paths timeout 120 ./program kernel.cubin
// RUN: %vxcc -DKERNEL --vx-isa=warp -cubin -o kernel.cubin %s
// RUN: env VX_SET=core.divergence=paths not timeout 120 ./program kernel.cubin 2>&1 | FileCheck %s --check-prefix=PATHS
// PATHS: a device with core.divergence=paths runs what is compiled with --vx-isa=paths

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

int main(int argc, char **argv) {
  CUdevice device;
  CUcontext context;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuCtxCreate(&context, 0, device), "cuCtxCreate");
  if (argc > 1) {
    CUmodule module;
    CUresult result = cuModuleLoad(&module, argv[1]);
    check(result, argv[1]);
    if (result == CUDA_SUCCESS)
      run(module, argv[1]);
    return failures != 0;
  }
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
