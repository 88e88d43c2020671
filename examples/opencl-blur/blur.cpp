// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An OpenCL program: c++ blur.cpp -lOpenCL -o blur && ./blur blur.cl [size]
// With OCL_ICD_VENDORS=build/vxcl.icd it runs on the simulated Vortex device.

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s: error %d\n", what, error);
  std::exit(1);
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "blur.cl";
  size_t n = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000;
  std::ifstream file(path);
  std::string source{std::istreambuf_iterator<char>(file), {}};
  if (source.empty() || !n) {
    std::fprintf(stderr, "usage: blur FILE.cl [SIZE]\n");
    return 1;
  }

  cl_int error;
  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, nullptr), "clGetDeviceIDs");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  check(error, "clCreateCommandQueueWithProperties");

  const char *text = source.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr) != CL_SUCCESS) {
    std::vector<char> log(65536);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "%s", log.data());
    return 1;
  }
  cl_kernel kernel = clCreateKernel(program, "blur", &error);
  check(error, "clCreateKernel");

  std::vector<float> in(n), out(n);
  for (size_t i = 0; i < n; ++i)
    in[i] = static_cast<float>(i * 7 % 31);
  cl_mem from = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, n * sizeof(float),
                               in.data(), &error);
  check(error, "clCreateBuffer");
  cl_mem to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, n * sizeof(float), nullptr, &error);
  check(error, "clCreateBuffer");
  auto count = static_cast<cl_uint>(n);
  check(clSetKernelArg(kernel, 0, sizeof from, &from), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof to, &to), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof count, &count), "clSetKernelArg");
  size_t local = 64, global = (n + local - 1) / local * local;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, n * sizeof(float), out.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");

  for (size_t i = 0; i < n; ++i) {
    float left = in[i ? i - 1 : 0], right = in[i + 1 < n ? i + 1 : i];
    float want = (left + in[i] + right) / 3;
    if (std::fabs(out[i] - want) > 1e-4f) {
      std::printf("element %zu: %g, not %g\nFAIL\n", i, out[i], want);
      return 1;
    }
  }
  std::printf("%zu elements blurred\nPASS\n", n);
  clReleaseMemObject(from);
  clReleaseMemObject(to);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
