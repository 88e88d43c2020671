// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of OpenCL tests: a device, a queue, programs, and checks that say where they failed.

#ifndef VX_TEST_DOORS_OPENCL_HARNESS_H
#define VX_TEST_DOORS_OPENCL_HARNESS_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(CONDITION)                                                                           \
  do {                                                                                             \
    if (!(CONDITION)) {                                                                            \
      std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #CONDITION);                          \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)
#define OK(CALL)                                                                                   \
  do {                                                                                             \
    cl_int code = (CALL);                                                                          \
    if (code != CL_SUCCESS) {                                                                      \
      std::printf("%s:%d: %d from %s\n", __FILE__, __LINE__, code, #CALL);                         \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

struct Harness {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;

  explicit Harness(cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE) {
    OK(clGetPlatformIDs(1, &platform, nullptr));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
    cl_int error;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    OK(error);
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    queue = clCreateCommandQueueWithProperties(context, device, list, &error);
    OK(error);
  }
  ~Harness() {
    OK(clFinish(queue));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
  }

  cl_program build(const char *source, const char *options = "-cl-std=CL3.0") {
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    OK(error);
    error = clBuildProgram(program, 1, &device, options, nullptr, nullptr);
    std::string log = buildLog(program);
    if (error || !log.empty())
      std::printf("%s\n", log.c_str());
    OK(error);
    return program;
  }

  std::string buildLog(cl_program program) {
    size_t size = 0;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
    std::string log(size, '\0');
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr));
    log.resize(size - 1);
    return log;
  }

  cl_kernel kernel(cl_program program, const char *name) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    OK(error);
    return kernel;
  }

  template <class T> cl_mem buffer(const std::vector<T> &values) {
    cl_int error;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T),
                                   const_cast<T *>(values.data()), &error);
    OK(error);
    return buffer;
  }

  template <class T> std::vector<T> read(cl_mem buffer, size_t count) {
    std::vector<T> values(count);
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr,
                           nullptr));
    return values;
  }

  void run(cl_kernel kernel, size_t global, size_t local) {
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));
  }
};

template <class T> void setArg(cl_kernel kernel, cl_uint index, const T &value) {
  OK(clSetKernelArg(kernel, index, sizeof value, &value));
}

#endif // VX_TEST_DOORS_OPENCL_HARNESS_H
