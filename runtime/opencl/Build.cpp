// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clBuildProgram, clCompileProgram and clLinkProgram. They are done when they return, also where a
// callback is to be told.

#include "runtime/opencl/Api.h"
#include "runtime/opencl/Program.h"
#include <algorithm>
#include <cstdio>

using namespace vx::cl;

using Notify = void(CL_CALLBACK *)(cl_program, void *);

namespace {

/// The error of the list of devices that a call names.
cl_int checkDevices(const std::vector<cl_device_id> &allowed, cl_uint count,
                    const cl_device_id *devices) {
  if ((count == 0) != (devices == nullptr))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i)
    if (std::find(allowed.begin(), allowed.end(), devices[i]) == allowed.end())
      return CL_INVALID_DEVICE;
  return CL_SUCCESS;
}

/// TEXT as source that the compiler calls NAME, in messages and in what faults and profiles show:
/// the file which it is written to means nothing to the user.
std::string named(std::string_view text, const std::string &name) {
  if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark is one at the beginning only
    text.remove_prefix(3);
  std::string line = "#line 1 \"";
  for (char c : name)
    (line += c == '"' || c == '\\' ? "\\" : "") += c;
  return (line + "\"\n").append(text);
}

/// Adds to JOB what PROGRAM is compiled from.
void addInput(CompileJob &job, const _cl_program &program, const std::string &name) {
  if (!program.il.empty()) {
    job.language = "spirv";
    job.inputs.push_back({name + ".spv", program.il});
    for (auto [id, bits] : program.specConstants) {
      char hex[24];
      std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(bits));
      job.specConstants.push_back("--spec-constant=" + std::to_string(id) + "=" + hex);
    }
  } else {
    job.inputs.push_back({name + ".cl", named(program.source, "<program source>")});
  }
}

/// Carries out JOB for PROGRAM; FAILURE is the error if the compiler finds one.
cl_int compileInto(_cl_program &program, const CompileJob &job, cl_program_binary_type type,
                   cl_int failure) {
  program.status = CL_BUILD_IN_PROGRESS;
  CompileResult result = compile(job);
  program.log = std::move(result.log);
  program.status = result.done ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  if (!result.done)
    return result.noCompiler ? CL_COMPILER_NOT_AVAILABLE : failure;
  program.binary = std::move(result.output);
  program.binaryType = type;
  if (type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    return CL_SUCCESS;
  cl_int error = program.finishBuild();
  if (error) {
    program.status = CL_BUILD_ERROR;
    program.log += "the image cannot be loaded on this device: " + program.loadError + "\n";
  }
  return error ? failure : CL_SUCCESS;
}

/// Forgets what was built before.
void reset(_cl_program &program, const char *options) {
  for (auto [device, module] : program.modules)
    if (!device->enter())
      cuModuleUnload(module);
  program.modules.clear();
  program.kernels.clear();
  program.globalBytes = 0;
  program.options = options ? options : "";
  program.log.clear();
}

/// The words of OPTIONS; if one is wrong, the log of PROGRAM says which.
auto readOptions(_cl_program &program, const char *options) {
  std::string log;
  auto words = splitOptions(options, &log);
  if (!words) {
    reset(program, options);
    program.log = log;
    program.status = CL_BUILD_ERROR;
  }
  return words;
}

} // namespace

VX_CL clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                     const char *options, Notify notify, void *userData) {
  if (!isValid(program))
    return CL_INVALID_PROGRAM;
  if (cl_int error = checkDevices(program->devices, count, devices))
    return error;
  if (!notify && userData)
    return CL_INVALID_VALUE;
  if (program->numKernels)
    return CL_INVALID_OPERATION;
  bool hasText = !program->source.empty() || !program->il.empty();
  if (!hasText && program->binary.empty())
    return CL_INVALID_OPERATION;
  auto words = readOptions(*program, options);
  if (!words)
    return CL_INVALID_BUILD_OPTIONS;
  reset(*program, options);
  cl_int error = CL_SUCCESS;
  if (hasText || program->binaryType != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
    CompileJob job;
    job.options = std::move(*words);
    if (hasText)
      addInput(job, *program, "program");
    else
      job.inputs.push_back({"program.bc", program->binary});
    error = compileInto(*program, job, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, CL_BUILD_PROGRAM_FAILURE);
  } else {
    error = program->finishBuild();
    program->status = error ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
  }
  if (notify)
    notify(program, userData);
  return error;
}

VX_CL clCompileProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                       const char *options, cl_uint numHeaders, const cl_program *headers,
                       const char **names, Notify notify, void *userData) {
  if (!isValid(program))
    return CL_INVALID_PROGRAM;
  if (cl_int error = checkDevices(program->devices, count, devices))
    return error;
  if ((!notify && userData) || (numHeaders == 0) != (headers == nullptr) ||
      (numHeaders == 0) != (names == nullptr))
    return CL_INVALID_VALUE;
  if (program->numKernels || (program->source.empty() && program->il.empty()))
    return CL_INVALID_OPERATION;
  auto words = readOptions(*program, options);
  if (!words)
    return CL_INVALID_COMPILER_OPTIONS;
  CompileJob job;
  job.options = std::move(*words);
  job.toObject = true;
  addInput(job, *program, "program");
  for (cl_uint i = 0; i < numHeaders; ++i) {
    if (!isValid(headers[i]))
      return CL_INVALID_PROGRAM;
    job.headers.push_back({names[i], named(headers[i]->source, names[i])});
  }
  reset(*program, options);
  cl_int error = compileInto(*program, job, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
                             CL_COMPILE_PROGRAM_FAILURE);
  if (notify)
    notify(program, userData);
  return error;
}

extern "C" cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint count,
                                                const cl_device_id *devices, const char *options,
                                                cl_uint numInputs, const cl_program *inputs,
                                                Notify notify, void *userData, cl_int *code) {
  if (!isValid(context))
    return result<_cl_program>(code, CL_INVALID_CONTEXT);
  if (cl_int error = checkDevices(context->devices, count, devices))
    return result<_cl_program>(code, error);
  if (!numInputs || !inputs || (!notify && userData))
    return result<_cl_program>(code, CL_INVALID_VALUE);
  auto words = splitOptions(options);
  if (!words)
    return result<_cl_program>(code, CL_INVALID_LINKER_OPTIONS);
  CompileJob job;
  for (cl_uint i = 0; i < numInputs; ++i) {
    if (!isValid(inputs[i]))
      return result<_cl_program>(code, CL_INVALID_PROGRAM);
    cl_program_binary_type type = inputs[i]->binaryType;
    if (type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT && type != CL_PROGRAM_BINARY_TYPE_LIBRARY)
      return result<_cl_program>(code, CL_INVALID_OPERATION);
    job.inputs.push_back({"input" + std::to_string(i) + ".bc", inputs[i]->binary});
  }
  bool toLibrary = std::find(words->begin(), words->end(), "-create-library") != words->end();
  job.options = std::move(*words);
  job.toObject = toLibrary;
  auto *program = new _cl_program(context);
  if (count)
    program->devices.assign(devices, devices + count);
  program->options = options ? options : "";
  cl_int error = compileInto(
      *program, job, toLibrary ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
      CL_LINK_PROGRAM_FAILURE);
  if (notify)
    notify(program, userData);
  // The program is there also after an error, for its log.
  return result(code, error, program);
}
