// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules: from text, functions and variables by name, launches with parameters and with a buffer,
// cooperative launches, attributes, occupancy; wrong names, handles and images.
//
// RUN: %vxcc %s -o %t -lcuda -lnvrtc -I %S/Inputs
// RUN: %run %t | FileCheck %s
// RUN: env VX_LOWERING=sw timeout 120 %t | FileCheck %s
// RUN: env VX_BACKEND=host timeout 120 %t | FileCheck %s
// RUN: env VX_SET=isa.zicond=false timeout 120 %t | FileCheck %s
// CHECK: printed by 3
// CHECK: PASS

#include "driver.h"
#include <cstring>

static const char *kSource = R"(
extern "C" __device__ int total = 40;
extern "C" __constant__ int factors[4] = {1, 2, 3, 4};
struct Pair { char tag; double value; };
extern "C" __global__ void scale(float *x, char tag, Pair pair, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && tag == pair.tag)
    x[i] = x[i] * factors[i % 4] + (float)pair.value;
}
extern "C" __global__ void count() {
  extern __shared__ int mine[];
  mine[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < blockDim.x; ++i)
      sum += mine[i];
    atomicAdd(&total, sum);
  }
}
extern "C" __managed__ int counter = 17, table[100] = {1, 2, 3};
extern "C" __global__ void addUp() {
  for (int i = 0; i < 100; ++i)
    counter += table[i];
  table[99] = counter;
}
extern "C" __global__ void greet(int n) { if (threadIdx.x == n) printf("printed by %d\n", n); }
)";

struct Pair {
  char tag;
  double value;
};

/// Managed variables: memory of both sides, with initial values, as long as the module.
static void managed(CUmodule module) {
  CUfunction addUp;
  CUdeviceptr counter, table;
  size_t size;
  int isManaged = 0;
  OK(cuModuleGetFunction(&addUp, module, "addUp"));
  OK(cuModuleGetGlobal(&counter, &size, module, "counter"));
  CHECK(size == 4);
  OK(cuModuleGetGlobal(&table, &size, module, "table"));
  CHECK(size == 400);
  OK(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, table));
  CHECK(isManaged);
  int *values = reinterpret_cast<int *>(table);
  CHECK(values[2] == 3 && *reinterpret_cast<int *>(counter) == 17);
  values[50] = 1000;
  OK(cuLaunchKernel(addUp, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
  CHECK(*reinterpret_cast<int *>(counter) == 1023 && values[99] == 1023);
}

static void launches(CUmodule module) {
  CUfunction scale, count, greet;
  OK(cuModuleGetFunction(&scale, module, "scale"));
  OK(cuModuleGetFunction(&count, module, "count"));
  OK(cuModuleGetFunction(&greet, module, "greet"));
  EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&scale, module, "missing"));

  const int n = 1000;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = float(i);
  CUdeviceptr device;
  OK(cuMemAlloc(&device, n * sizeof(float)));
  OK(cuMemcpyHtoD(device, x.data(), n * sizeof(float)));
  char tag = 'a';
  Pair pair{'a', 0.5};
  int size = n;
  void *parameters[] = {&device, &tag, &pair, &size};
  OK(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));

  // The same arguments in a buffer.
  struct {
    CUdeviceptr x;
    char tag;
    Pair pair;
    int n;
  } all{device, tag, pair, n};
  size_t bytes = sizeof all;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &all, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  OK(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  bytes = 12;
  EXPECT(CUDA_ERROR_INVALID_VALUE,
         cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  std::vector<float> y(n);
  OK(cuMemcpyDtoH(y.data(), device, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    float f = float(i % 4 + 1);
    CHECK(y[i] == (x[i] * f + 0.5f) * f + 0.5f);
  }
  OK(cuMemFree(device));

  const size_t places[][2] = {{0, 8}, {8, 1}, {16, 16}, {32, 4}};
  size_t offset, length;
  for (size_t i = 0; i < 4; ++i) {
    OK(cuFuncGetParamInfo(scale, i, &offset, &length));
    CHECK(offset == places[i][0] && length == places[i][1]);
    OK(cuKernelGetParamInfo(reinterpret_cast<CUkernel>(scale), i, &offset, nullptr));
    CHECK(offset == places[i][0]);
  }
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(scale, 4, &offset, &length));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(scale, 0, nullptr, &length));

  int three = 3;
  void *one[] = {&three};
  OK(cuLaunchKernel(greet, 1, 1, 1, 8, 1, 1, 0, nullptr, one, nullptr));
  OK(cuCtxSynchronize());

  CUdeviceptr total;
  size_t totalSize;
  OK(cuModuleGetGlobal(&total, &totalSize, module, "total"));
  CHECK(totalSize == sizeof(int));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleGetGlobal(&total, &totalSize, module, "scale"));
  OK(cuLaunchKernel(count, 2, 1, 1, 64, 1, 1, 64 * sizeof(int), nullptr, nullptr, nullptr));
  OK(cuLaunchCooperativeKernel(count, 1, 1, 1, 32, 1, 1, 32 * sizeof(int), nullptr, nullptr));
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 16;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = 16 * sizeof(int);
  OK(cuLaunchKernelEx(&config, count, nullptr, nullptr));
  int sum = 0;
  OK(cuMemcpyDtoH(&sum, total, sizeof sum));
  CHECK(sum == 40 + 128 + 32 + 16);

  int value = 0, blocks = 0, grid = 0, block = 0;
  OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, count));
  CHECK(value == 1024);
  OK(cuFuncSetAttribute(count, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
  OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, count));
  CHECK(value == 65536);
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, 32, 128));
  CHECK(blocks >= 1);
  OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, count, nullptr, 0, 256));
  CHECK(grid >= 1 && block >= 1 && block <= 256);
  const char *name;
  OK(cuFuncGetName(&name, count));
  CHECK(!std::strcmp(name, "count"));
  unsigned functions = 0;
  OK(cuModuleGetFunctionCount(&functions, module));
  CHECK(functions > 1);
  CUmodule same;
  OK(cuFuncGetModule(&same, count));
  CHECK(same == module);
  EXPECT(CUDA_ERROR_INVALID_VALUE,
         cuLaunchKernel(count, 1, 1, 1, 2048, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(reinterpret_cast<CUfunction>(&three), 1, 1, 1, 1,
                                                   1, 1, 0, nullptr, nullptr, nullptr));
}

static void wrongImages() {
  CUmodule module;
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  auto load = [&](const char *image) {
    values[1] = reinterpret_cast<void *>(sizeof log);
    log[0] = 0;
    return cuModuleLoadDataEx(&module, image, 2, options, values);
  };
  EXPECT(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
         load(".version 8.3\n.target sm_80\n.address_size 64\n"));
  CHECK(std::strstr(log, "PTX") && size_t(values[1]) == std::strlen(log));
  EXPECT(CUDA_ERROR_INVALID_IMAGE, load("this is not a program"));
  CHECK(std::strstr(log, "no NVVM IR"));
  EXPECT(CUDA_ERROR_INVALID_IMAGE, load("\x01\x02\x03"));
  EXPECT(CUDA_ERROR_INVALID_IMAGE, load(""));
  EXPECT(CUDA_ERROR_INVALID_PTX,
         load("target triple = \"nvptx64-nvidia-cuda\"\ndeclare void @f()\n"
              "define ptx_kernel void @k() { call void @f() ret void }\n"));
  CHECK(std::strstr(log, "'f'"));
  EXPECT(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/no/such/file.cubin"));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&module, nullptr));
  CUjit_option wrong = CU_JIT_NUM_OPTIONS;
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuModuleLoadDataEx(&module, "x", 1, &wrong, values));
}

/// Modules lie next to each other: the variables of one keep their place when another is loaded.
/// Their code refers to no address, so that only the kernel table needs to be moved with it.
static void beside() {
  std::string text = compile("extern \"C\" __device__ int unused = 7;\n"
                             "extern \"C\" __global__ void simple(int *x) { *x = 1; }");
  CUmodule modules[2];
  CUdeviceptr places[2];
  for (int i = 0; i < 2; ++i) {
    OK(cuModuleLoadData(&modules[i], text.c_str()));
    OK(cuModuleGetGlobal(&places[i], nullptr, modules[i], "unused"));
    int value = 10 + i;
    OK(cuMemcpyHtoD(places[i], &value, sizeof value));
  }
  CHECK(places[0] != places[1]);
  for (int i = 0; i < 2; ++i) {
    int value = 0;
    OK(cuMemcpyDtoH(&value, places[i], sizeof value));
    CHECK(value == 10 + i);
    OK(cuModuleUnload(modules[i]));
  }
}

int main() {
  EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuCtxSynchronize());
  OK(cuInit(0));
  CUdevice device;
  CUcontext context;
  OK(cuDeviceGet(&device, 0));
  CUmodule module;
  std::string text = compile(kSource);
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuModuleLoadData(&module, text.c_str()));
  OK(cuCtxCreate(&context, 0, device));
  OK(cuModuleLoadData(&module, text.c_str()));
  launches(module);
  managed(module);
  beside();
  wrongImages();
  OK(cuModuleUnload(module));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));

  // A library's kernels are the same handles in every context.
  CUlibrary library;
  CUkernel kernel;
  CUfunction function;
  OK(cuLibraryLoadData(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, "count"));
  EXPECT(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&kernel, library, "missing"));
  OK(cuKernelGetFunction(&function, kernel));
  OK(cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 32, nullptr, nullptr, nullptr));
  OK(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 8, 1, 1, 32, nullptr, nullptr,
                    nullptr));
  CUdeviceptr total;
  int sum = 0;
  OK(cuLibraryGetGlobal(&total, nullptr, library, "total"));
  OK(cuMemcpyDtoH(&sum, total, sizeof sum));
  CHECK(sum == 56);
  OK(cuLibraryUnload(library));
  OK(cuCtxDestroy(context));
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuMemFree(total));
  std::printf("PASS\n");
}
