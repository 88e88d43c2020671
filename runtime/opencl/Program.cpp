// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs as objects. Build.cpp compiles and links them.

#include "runtime/opencl/Program.h"
#include "intrinsics/opencl/Convention.h"
#include "runtime/opencl/Api.h"
#include <algorithm>

using namespace vx::cl;

_cl_program::~_cl_program() {
  for (auto [device, module] : modules)
    if (!device->enter())
      cuModuleUnload(module);
}

cl_int _cl_program::load(cl_device_id device, CUmodule &module) {
  if (cl_int error = device->enter())
    return error;
  std::lock_guard lock(mutex);
  auto found = modules.find(device);
  if (found == modules.end()) {
    if (CUresult error = cuModuleLoadData(&module, binary.data())) {
      const char *text = nullptr;
      loadError = cuGetErrorString(error, &text) ? "" : text;
      return errorOf(error, CL_INVALID_PROGRAM_EXECUTABLE);
    }
    found = modules.emplace(device, module).first;
  }
  module = found->second;
  return CL_SUCCESS;
}

cl_int _cl_program::finishBuild() {
  CUmodule module;
  if (cl_int error = load(devices.front(), module))
    return error;
  CUdeviceptr address = 0;
  size_t size = 0;
  if (cuModuleGetGlobal(&address, &size, module, vx::opencl::kKernelInfoSymbol))
    return CL_INVALID_BINARY;
  std::string text(size, '\0');
  if (cuMemcpyDtoH(text.data(), address, size))
    return CL_OUT_OF_RESOURCES;
  ProgramInfo info = parseProgramInfo(text.substr(0, text.find('\0')));
  kernels = std::move(info.kernels);
  globalBytes = info.globalBytes;
  return CL_SUCCESS;
}

const KernelInfo *_cl_program::find(const std::string &kernel) const {
  auto found = std::find_if(kernels.begin(), kernels.end(),
                            [&](const KernelInfo &k) { return k.name == kernel; });
  return found == kernels.end() ? nullptr : &*found;
}

extern "C" cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                            const char **strings,
                                                            const size_t *lengths, cl_int *code) {
  if (!isValid(context))
    return result<_cl_program>(code, CL_INVALID_CONTEXT);
  if (!count || !strings || std::find(strings, strings + count, nullptr) != strings + count)
    return result<_cl_program>(code, CL_INVALID_VALUE);
  auto *program = new _cl_program(context);
  for (cl_uint i = 0; i < count; ++i)
    program->source +=
        lengths && lengths[i] ? std::string(strings[i], lengths[i]) : std::string(strings[i]);
  return result(code, CL_SUCCESS, program);
}

/// Returns what kind of binary BYTES are: an image of ours, bitcode that can be linked, or SPIR-V.
static cl_program_binary_type kindOf(const std::string &bytes) {
  if (isIntermediateLanguage(bytes))
    return CL_PROGRAM_BINARY_TYPE_INTERMEDIATE;
  if (bytes.starts_with("BC\xC0\xDE"))
    return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  return bytes.empty() ? CL_PROGRAM_BINARY_TYPE_NONE : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

extern "C" cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                            const cl_device_id *devices,
                                                            const size_t *lengths,
                                                            const unsigned char **binaries,
                                                            cl_int *statuses, cl_int *code) {
  if (!isValid(context))
    return result<_cl_program>(code, CL_INVALID_CONTEXT);
  if (!count || !devices || !lengths || !binaries)
    return result<_cl_program>(code, CL_INVALID_VALUE);
  for (cl_uint i = 0; i < count; ++i) {
    if (!isValid(devices[i]) || !context->has(devices[i]))
      return result<_cl_program>(code, CL_INVALID_DEVICE);
    if (!lengths[i] || !binaries[i]) {
      if (statuses)
        statuses[i] = CL_INVALID_VALUE;
      return result<_cl_program>(code, CL_INVALID_VALUE);
    }
  }
  auto program = Ref<_cl_program>::adopt(new _cl_program(context));
  program->devices.assign(devices, devices + count);
  program->binary.assign(reinterpret_cast<const char *>(binaries[0]), lengths[0]);
  program->binaryType = kindOf(program->binary);
  if (program->binaryType == CL_PROGRAM_BINARY_TYPE_INTERMEDIATE)
    program->il = program->binary;
  cl_int error = CL_SUCCESS;
  if (program->binaryType == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    error = program->finishBuild() ? CL_INVALID_BINARY : CL_SUCCESS;
  for (cl_uint i = 0; statuses && i < count; ++i)
    statuses[i] = error;
  if (error)
    return result<_cl_program>(code, error);
  retain(program.get());
  return result(code, CL_SUCCESS, program.get());
}

extern "C" cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint,
                                                                    const cl_device_id *,
                                                                    const char *, cl_int *code) {
  return result<_cl_program>(code, isValid(context) ? CL_INVALID_VALUE : CL_INVALID_CONTEXT);
}

VX_CL clRetainProgram(cl_program program) {
  return retainHandle(program, CL_INVALID_PROGRAM);
}
VX_CL clReleaseProgram(cl_program program) {
  return releaseHandle(program, CL_INVALID_PROGRAM);
}
VX_CL clUnloadPlatformCompiler(cl_platform_id id) {
  return id == platform() ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
VX_CL clUnloadCompiler(void) {
  return CL_SUCCESS;
}
VX_CL clSetProgramReleaseCallback(cl_program program, void(CL_CALLBACK *)(cl_program, void *),
                                  void *) {
  return isValid(program) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM; // no destructors on devices
}
VX_CL clGetProgramInfo(cl_program program, cl_program_info name, size_t size, void *value,
                       size_t *needed) {
  if (!isValid(program))
    return CL_INVALID_PROGRAM;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_PROGRAM_REFERENCE_COUNT:
    return out.number(program->references.load());
  case CL_PROGRAM_CONTEXT:
    return out.number(program->context.get());
  case CL_PROGRAM_NUM_DEVICES:
    return out.number(cl_uint(program->devices.size()));
  case CL_PROGRAM_DEVICES:
    return out.list(program->devices);
  case CL_PROGRAM_SOURCE:
    return out.text(program->source);
  case CL_PROGRAM_IL:
    return out.bytes(program->il.data(), program->il.size());
  case CL_PROGRAM_BINARY_SIZES:
    return out.list(std::vector<size_t>(program->devices.size(), program->binary.size()));
  case CL_PROGRAM_BINARIES: {
    size_t count = program->devices.size();
    if (needed)
      *needed = count * sizeof(char *);
    if (!value)
      return CL_SUCCESS;
    if (size < count * sizeof(char *))
      return CL_INVALID_VALUE;
    for (size_t i = 0; i < count; ++i)
      if (char *target = static_cast<char **>(value)[i])
        std::memcpy(target, program->binary.data(), program->binary.size());
    return CL_SUCCESS;
  }
  case CL_PROGRAM_NUM_KERNELS:
  case CL_PROGRAM_KERNEL_NAMES: {
    if (program->binaryType != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
      return CL_INVALID_PROGRAM_EXECUTABLE;
    if (name == CL_PROGRAM_NUM_KERNELS)
      return out.number(program->kernels.size());
    std::string names;
    for (const KernelInfo &kernel : program->kernels)
      names += (names.empty() ? "" : ";") + kernel.name;
    return out.text(names);
  }
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
  case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
    return out.number(cl_bool(CL_FALSE));
  default:
    return CL_INVALID_VALUE;
  }
}

VX_CL clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                            size_t size, void *value, size_t *needed) {
  if (!isValid(program))
    return CL_INVALID_PROGRAM;
  const auto &devices = program->devices;
  if (std::find(devices.begin(), devices.end(), device) == devices.end())
    return CL_INVALID_DEVICE;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_PROGRAM_BUILD_STATUS:
    return out.number(program->status);
  case CL_PROGRAM_BUILD_OPTIONS:
    return out.text(program->options);
  case CL_PROGRAM_BUILD_LOG:
    return out.text(program->log);
  case CL_PROGRAM_BINARY_TYPE:
    return out.number(program->binaryType);
  case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
    return out.number(program->globalBytes);
  default:
    return CL_INVALID_VALUE;
  }
}
