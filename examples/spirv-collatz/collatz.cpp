// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An OpenCL program whose kernel is SPIR-V:
//   spirv-as --target-env spv1.2 collatz.spvasm -o collatz.spv
//   c++ collatz.cpp -lOpenCL -o collatz && ./collatz collatz.spv [size [limit]]
// With OCL_ICD_VENDORS=build/vxcl.icd it runs on the simulated Vortex device. The limit of steps is
// a specialization constant of the module.

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
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

static cl_uint stepsFrom(cl_uint x, cl_uint limit) {
  cl_uint n = 0;
  for (; x != 1 && n < limit; ++n)
    x = x & 1 ? 3 * x + 1 : x / 2;
  return n;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "collatz.spv";
  size_t n = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000;
  cl_uint limit = argc > 3 ? static_cast<cl_uint>(std::strtoul(argv[3], nullptr, 10)) : 1000;
  std::ifstream file(path, std::ios::binary);
  std::string module{std::istreambuf_iterator<char>(file), {}};
  if (module.empty() || !n) {
    std::fprintf(stderr, "usage: collatz FILE.spv [SIZE [LIMIT]]\n");
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

  cl_program program = clCreateProgramWithIL(context, module.data(), module.size(), &error);
  check(error, "clCreateProgramWithIL");
  if (argc > 3)
    check(clSetProgramSpecializationConstant(program, 7, sizeof limit, &limit),
          "clSetProgramSpecializationConstant");
  if (clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr) != CL_SUCCESS) {
    std::vector<char> log(65536);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "%s", log.data());
    return 1;
  }
  cl_kernel kernel = clCreateKernel(program, "collatz", &error);
  check(error, "clCreateKernel");

  std::vector<cl_uint> from(n), steps(n);
  for (size_t i = 0; i < n; ++i)
    from[i] = static_cast<cl_uint>(i * 37 % 9973 + 1);
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, n * sizeof(cl_uint),
                             from.data(), &error);
  check(error, "clCreateBuffer");
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, n * sizeof(cl_uint), nullptr, &error);
  check(error, "clCreateBuffer");
  cl_uint count = static_cast<cl_uint>(n);
  check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof count, &count), "clSetKernelArg");
  size_t local = 64, global = (n + local - 1) / local * local;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, n * sizeof(cl_uint), steps.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");

  for (size_t i = 0; i < n; ++i)
    if (steps[i] != stepsFrom(from[i], limit)) {
      std::printf("%u: %u steps, not %u\nFAIL\n", from[i], steps[i], stepsFrom(from[i], limit));
      return 1;
    }
  std::printf("%zu numbers, the first takes %u steps, the last %u\nPASS\n", n, steps[0],
              steps[n - 1]);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
