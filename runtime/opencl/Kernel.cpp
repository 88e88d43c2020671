// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/Kernel.h"
#include "intrinsics/opencl/Convention.h"
#include "runtime/opencl/Api.h"
#include "runtime/opencl/Sampler.h"
#include <algorithm>

using namespace vx::cl;

_cl_kernel::_cl_kernel(cl_program program, KernelInfo info)
    : Object(kKind), program(program), info(std::move(info)) {
  arguments.resize(this->info.arguments.size());
  ++program->numKernels;
}

_cl_kernel::~_cl_kernel() {
  --program->numKernels;
}

cl_int _cl_kernel::function(cl_device_id device, CUfunction &function) const {
  CUmodule module;
  if (cl_int error = program->load(device, module))
    return error;
  return errorOf(cuModuleGetFunction(&function, module, info.name.c_str()),
                 CL_INVALID_PROGRAM_EXECUTABLE);
}

std::vector<size_t> vx::cl::placeLocals(const _cl_kernel &kernel, size_t bytes) {
  auto align = [](size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; };
  std::vector<size_t> offsets;
  size_t end = bytes;
  bool any = false;
  for (const _cl_kernel::Argument &argument : kernel.arguments)
    if (argument.localBytes) {
      offsets.push_back(align(end) - bytes);
      end = align(end) + argument.localBytes;
      any = true;
    } else {
      offsets.push_back(0);
    }
  offsets.push_back(any ? end - bytes : 0);
  return offsets;
}

extern "C" cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name,
                                                cl_int *code) {
  if (!isValid(program))
    return result<_cl_kernel>(code, CL_INVALID_PROGRAM);
  if (!name)
    return result<_cl_kernel>(code, CL_INVALID_VALUE);
  if (program->binaryType != CL_PROGRAM_BINARY_TYPE_EXECUTABLE || program->status == CL_BUILD_ERROR)
    return result<_cl_kernel>(code, CL_INVALID_PROGRAM_EXECUTABLE);
  const KernelInfo *info = program->find(name);
  if (!info)
    return result<_cl_kernel>(code, CL_INVALID_KERNEL_NAME);
  return result(code, CL_SUCCESS, new _cl_kernel(program, *info));
}

VX_CL clCreateKernelsInProgram(cl_program program, cl_uint entries, cl_kernel *kernels,
                               cl_uint *count) {
  if (!isValid(program))
    return CL_INVALID_PROGRAM;
  if (program->binaryType != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  if (kernels && entries < program->kernels.size())
    return CL_INVALID_VALUE;
  if (count)
    *count = cl_uint(program->kernels.size());
  for (size_t i = 0; kernels && i < program->kernels.size(); ++i)
    kernels[i] = new _cl_kernel(program, program->kernels[i]);
  return CL_SUCCESS;
}

extern "C" cl_kernel CL_API_CALL clCloneKernel(cl_kernel source, cl_int *code) {
  if (!isValid(source))
    return result<_cl_kernel>(code, CL_INVALID_KERNEL);
  auto *kernel = new _cl_kernel(source->program.get(), source->info);
  std::lock_guard lock(source->mutex);
  kernel->arguments = source->arguments;
  return result(code, CL_SUCCESS, kernel);
}

VX_CL clRetainKernel(cl_kernel kernel) {
  return retainHandle(kernel, CL_INVALID_KERNEL);
}
VX_CL clReleaseKernel(cl_kernel kernel) {
  return releaseHandle(kernel, CL_INVALID_KERNEL);
}

std::vector<char> vx::cl::bytesOf(uint64_t number) {
  std::vector<char> bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

VX_CL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  if (!isValid(kernel))
    return CL_INVALID_KERNEL;
  if (index >= kernel->arguments.size())
    return CL_INVALID_ARG_INDEX;
  const ArgumentInfo &info = kernel->info.arguments[index];
  _cl_kernel::Argument argument;
  argument.isSet = true;
  using Kind = ArgumentInfo::Kind;
  switch (info.kind) {
  case Kind::Local:
    if (value)
      return CL_INVALID_ARG_VALUE;
    if (!size)
      return CL_INVALID_ARG_SIZE;
    argument.localBytes = size;
    break;
  case Kind::Pointer:
  case Kind::Image: {
    if (size != sizeof(cl_mem))
      return CL_INVALID_ARG_SIZE;
    cl_mem memory = value ? *static_cast<const cl_mem *>(value) : nullptr;
    bool isImage = info.kind == Kind::Image;
    if (memory ? !isValid(memory) || memory->isImage() != isImage : isImage)
      return CL_INVALID_MEM_OBJECT;
    if (memory && memory->context.get() != kernel->program->context.get())
      return CL_INVALID_MEM_OBJECT;
    bool reads = info.access == CL_KERNEL_ARG_ACCESS_READ_ONLY;
    bool writes = info.access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    if (isImage && ((reads && (memory->flags & CL_MEM_WRITE_ONLY)) ||
                    (writes && (memory->flags & CL_MEM_READ_ONLY))))
      return CL_INVALID_ARG_VALUE;
    argument.value = bytesOf(!memory ? 0 : isImage ? memory->description : memory->data);
    if (memory)
      argument.memory = memory->life;
    break;
  }
  case Kind::Sampler: {
    if (size != sizeof(cl_sampler))
      return CL_INVALID_ARG_SIZE;
    cl_sampler sampler = value ? *static_cast<const cl_sampler *>(value) : nullptr;
    if (!isValid(sampler))
      return CL_INVALID_SAMPLER;
    argument.value = bytesOf(sampler->bits());
    break;
  }
  case Kind::Value:
    if (!value)
      return CL_INVALID_ARG_VALUE;
    if (size != info.size)
      return CL_INVALID_ARG_SIZE;
    argument.value.assign(static_cast<const char *>(value),
                          static_cast<const char *>(value) + size);
    break;
  }
  std::lock_guard lock(kernel->mutex);
  kernel->arguments[index] = std::move(argument);
  return CL_SUCCESS;
}

VX_CL clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t size, void *value,
                      size_t *needed) {
  if (!isValid(kernel))
    return CL_INVALID_KERNEL;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_KERNEL_FUNCTION_NAME:
    return out.text(kernel->info.name);
  case CL_KERNEL_NUM_ARGS:
    return out.number(cl_uint(kernel->arguments.size()));
  case CL_KERNEL_REFERENCE_COUNT:
    return out.number(kernel->references.load());
  case CL_KERNEL_CONTEXT:
    return out.number(kernel->program->context.get());
  case CL_KERNEL_PROGRAM:
    return out.number(kernel->program.get());
  case CL_KERNEL_ATTRIBUTES:
    return out.text(kernel->info.attributes);
  default:
    return CL_INVALID_VALUE;
  }
}

VX_CL clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size,
                         void *value, size_t *needed) {
  if (!isValid(kernel))
    return CL_INVALID_KERNEL;
  if (index >= kernel->arguments.size())
    return CL_INVALID_ARG_INDEX;
  const ArgumentInfo &info = kernel->info.arguments[index];
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
    return out.number(info.addressSpace);
  case CL_KERNEL_ARG_ACCESS_QUALIFIER:
    return out.number(info.access);
  case CL_KERNEL_ARG_TYPE_QUALIFIER:
    return out.number(info.qualifiers);
  case CL_KERNEL_ARG_TYPE_NAME:
    return out.text(info.type);
  case CL_KERNEL_ARG_NAME:
    return out.text(info.name);
  default:
    return CL_INVALID_VALUE;
  }
}

/// The device that a query is about: the one named, or the only one.
static cl_int chooseDevice(cl_kernel kernel, cl_device_id &device) {
  if (!isValid(kernel))
    return CL_INVALID_KERNEL;
  const auto &devices = kernel->program->devices;
  if (!device && devices.size() == 1)
    device = devices.front();
  return device && std::find(devices.begin(), devices.end(), device) != devices.end()
             ? CL_SUCCESS
             : CL_INVALID_DEVICE;
}

VX_CL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                               cl_kernel_work_group_info name, size_t size, void *value,
                               size_t *needed) {
  if (cl_int error = chooseDevice(kernel, device))
    return error;
  CUfunction function;
  if (cl_int error = kernel->function(device, function))
    return error;
  auto attribute = [&](CUfunction_attribute which) {
    int number = 0;
    return cuFuncGetAttribute(&number, which, function) == CUDA_SUCCESS ? size_t(number) : 0;
  };
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_KERNEL_WORK_GROUP_SIZE:
    return out.number(attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
    return out.bytes(kernel->info.requiredGroup, sizeof kernel->info.requiredGroup);
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return out.number(kernel->info.subGroupSize ? kernel->info.subGroupSize
                                                : size_t(vx::opencl::kSubGroupSize));
  case CL_KERNEL_LOCAL_MEM_SIZE: {
    size_t own = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    std::lock_guard lock(kernel->mutex);
    return out.number(cl_ulong(own + placeLocals(*kernel, own).back()));
  }
  case CL_KERNEL_PRIVATE_MEM_SIZE:
    return out.number(cl_ulong(attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)));
  case CL_KERNEL_GLOBAL_WORK_SIZE:
    return CL_INVALID_VALUE; // built-in kernels and custom devices alone
  default:
    return CL_INVALID_VALUE;
  }
}

VX_CL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                              size_t inputSize, const void *input, size_t size, void *value,
                              size_t *needed) {
  if (cl_int error = chooseDevice(kernel, device))
    return error;
  size_t n = kernel->info.subGroupSize ? kernel->info.subGroupSize : vx::opencl::kSubGroupSize;
  InfoWriter out(size, value, needed);
  auto *numbers = static_cast<const size_t *>(input);
  size_t count = inputSize / sizeof(size_t);
  switch (name) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: {
    if (!input || !count || count > 3)
      return CL_INVALID_VALUE;
    size_t items = 1;
    for (size_t d = 0; d < count; ++d)
      items *= numbers[d];
    return out.number(name == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE ? n : (items + n - 1) / n);
  }
  case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
    if (!input || count != 1 || size % sizeof(size_t) || (value && !size))
      return CL_INVALID_VALUE;
    std::vector<size_t> local(value ? std::min<size_t>(size / sizeof(size_t), 3) : 3, 1);
    local[0] = numbers[0] * n;
    if (local[0] > kMaxGroupSize)
      std::fill(local.begin(), local.end(), 0);
    return out.list(local);
  }
  case CL_KERNEL_MAX_NUM_SUB_GROUPS:
    return out.number(kMaxGroupSize / n);
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
    return out.number(size_t(0));
  case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    return out.number(kernel->info.subGroupSize);
  default:
    return CL_INVALID_VALUE;
  }
}
VX_CL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                 cl_kernel_sub_group_info name, size_t inputSize, const void *input,
                                 size_t size, void *value, size_t *needed) {
  return clGetKernelSubGroupInfo(kernel, device, name, inputSize, input, size, value, needed);
}
