// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the CUDA runtime that the examples call, over OpenCL: a CUDA program linked with
// this takes its kernels from the module that KERNEL_MODULE names, as vxcc --emit=spirv has written
// it (or, for platforms that know no SPIR-V, as SPIR bitcode made of that). The kernels that the
// program brings itself are not looked at.

#include "../../opencl/Inputs/harness.h"
#include <cstring>
#include <cuda_runtime.h>
#include <fstream>
#include <iterator>
#include <map>

namespace {

struct Launch {
  dim3 grid, block;
  size_t sharedBytes = 0;
};

class Machine {
public:
  static Machine &get() {
    static Machine machine;
    return machine;
  }

  void *allocate(size_t bytes) {
    cl_int error;
    cl_mem memory = clCreateBuffer(harness.context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
    OK(error);
    char *address = next;
    next += (bytes + kGap - 1) / kGap * kGap + kGap;
    buffers[address] = {memory, bytes};
    return address;
  }

  void free(void *address) {
    auto found = buffers.find(static_cast<char *>(address));
    CHECK(found != buffers.end());
    OK(clReleaseMemObject(found->second.memory));
    buffers.erase(found);
  }

  /// Returns the buffer that ADDRESS is in, and where.
  std::pair<cl_mem, size_t> find(const void *address) {
    auto found = buffers.upper_bound(static_cast<char *>(const_cast<void *>(address)));
    CHECK(found != buffers.begin());
    --found;
    size_t offset = size_t(static_cast<const char *>(address) - found->first);
    CHECK(offset <= found->second.bytes);
    return {found->second.memory, offset};
  }

  void launch(const char *name, const Launch &how, void **values) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(program(), name, &error);
    OK(error);
    cl_uint count = 0;
    OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, nullptr));
    for (cl_uint i = 0; i != count; ++i)
      setArgument(kernel, i, values[i], how.sharedBytes);
    size_t local[3] = {how.block.x, how.block.y, how.block.z};
    size_t global[3] = {local[0] * how.grid.x, local[1] * how.grid.y, local[2] * how.grid.z};
    OK(clEnqueueNDRangeKernel(harness.queue, kernel, 3, nullptr, global, local, 0, nullptr,
                              nullptr));
    OK(clFinish(harness.queue));
    OK(clReleaseKernel(kernel));
  }

  Harness harness;
  std::map<const void *, const char *> kernels;
  Launch pending;

private:
  static constexpr size_t kGap = 4096;
  struct Buffer {
    cl_mem memory;
    size_t bytes;
  };

  cl_program program() {
    if (loaded)
      return loaded;
    const char *path = std::getenv("KERNEL_MODULE");
    CHECK(path);
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const char *options = nullptr;
    cl_int error;
    if (bytes.compare(0, 2, "BC") == 0) {
      options = "-x spir -spir-std=1.2 -cl-kernel-arg-info";
      size_t size = bytes.size();
      auto *data = reinterpret_cast<const unsigned char *>(bytes.data());
      loaded = clCreateProgramWithBinary(harness.context, 1, &harness.device, &size, &data, nullptr,
                                         &error);
    } else {
      loaded = clCreateProgramWithIL(harness.context, bytes.data(), bytes.size(), &error);
    }
    OK(error);
    if (clBuildProgram(loaded, 0, nullptr, options, nullptr, nullptr)) {
      std::printf("%s\n", harness.buildLog(loaded).c_str());
      std::exit(1);
    }
    return loaded;
  }

  /// Sets the arguments of CUDA kernels as those of OpenCL's: pointers are buffers, the dynamic
  /// shared memory is the one pointer to local memory.
  void setArgument(cl_kernel kernel, cl_uint index, const void *value, size_t sharedBytes) {
    cl_kernel_arg_address_qualifier space = 0;
    OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space,
                          nullptr));
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
      OK(clSetKernelArg(kernel, index, sharedBytes, nullptr));
    } else if (space == CL_KERNEL_ARG_ADDRESS_GLOBAL) {
      const void *address;
      std::memcpy(&address, value, sizeof(address));
      cl_mem memory = nullptr;
      if (address) {
        auto [found, offset] = find(address);
        CHECK(offset == 0);
        memory = found;
      }
      OK(clSetKernelArg(kernel, index, sizeof(memory), &memory));
    } else if (size_t size = sizeOfScalar(kernel, index)) {
      OK(clSetKernelArg(kernel, index, size, value));
    } else {
      // No query tells the size of a structure, but no other one is accepted.
      cl_int error = CL_INVALID_ARG_SIZE;
      for (size = 1; error == CL_INVALID_ARG_SIZE && size <= 256; ++size)
        error = clSetKernelArg(kernel, index, size, value);
      OK(error);
    }
  }

  /// Returns the size by the name of its type; 0 if that is not one of OpenCL C's scalars.
  static size_t sizeOfScalar(cl_kernel kernel, cl_uint index) {
    static const std::map<std::string, size_t> sizes = {{"char", 1},  {"short", 2}, {"int", 4},
                                                        {"long", 8},  {"half", 2},  {"float", 4},
                                                        {"double", 8}};
    char name[256] = "";
    clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof(name), name, nullptr);
    auto found = sizes.find(name[0] == 'u' ? name + 1 : name);
    return found == sizes.end() ? 0 : found->second;
  }

  cl_program loaded = nullptr;
  std::map<char *, Buffer> buffers;
  char *next = reinterpret_cast<char *>(uintptr_t(1) << 40);
};

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *) {
  static void *handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, uint3 *,
                            uint3 *, dim3 *, dim3 *, int *) {
  Machine::get().kernels[host] = name;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t) {
  Machine::get().pending = {grid, block, sharedBytes};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes, void *stream) {
  const Launch &pending = Machine::get().pending;
  *grid = pending.grid;
  *block = pending.block;
  *sharedBytes = pending.sharedBytes;
  *static_cast<cudaStream_t *>(stream) = nullptr;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t sharedBytes, cudaStream_t) {
  Machine &machine = Machine::get();
  machine.launch(machine.kernels.at(function), {grid, block, sharedBytes}, arguments);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **address, size_t bytes) {
  *address = Machine::get().allocate(bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void *address) {
  if (address)
    Machine::get().free(address);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  Machine &machine = Machine::get();
  cl_command_queue queue = machine.harness.queue;
  if (kind == cudaMemcpyHostToDevice) {
    auto [memory, offset] = machine.find(to);
    OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, offset, bytes, from, 0, nullptr, nullptr));
  } else if (kind == cudaMemcpyDeviceToHost) {
    auto [memory, offset] = machine.find(from);
    OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, offset, bytes, to, 0, nullptr, nullptr));
  } else {
    auto [target, targetOffset] = machine.find(to);
    auto [source, sourceOffset] = machine.find(from);
    OK(clEnqueueCopyBuffer(queue, source, target, sourceOffset, targetOffset, bytes, 0, nullptr,
                           nullptr));
    OK(clFinish(queue));
  }
  return cudaSuccess;
}
cudaError_t cudaMemset(void *address, int value, size_t bytes) {
  Machine &machine = Machine::get();
  auto [memory, offset] = machine.find(address);
  cl_uchar byte = cl_uchar(value);
  OK(clEnqueueFillBuffer(machine.harness.queue, memory, &byte, 1, offset, bytes, 0, nullptr,
                         nullptr));
  OK(clFinish(machine.harness.queue));
  return cudaSuccess;
}

// Every call has ended when it returns, and what fails ends the program.
cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
const char *cudaGetErrorString(cudaError_t) {
  return "no error";
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
  *event = nullptr;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 1;
  return cudaSuccess;
}
}
