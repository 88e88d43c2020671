// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC's functions. A program belongs to one thread at a time; different programs may be compiled
// by different threads at once.

#include "runtime/nvrtc/Program.h"
#include <cstring>
#include <memory>
#include <mutex>
#include <set>

using vx::Bytes;
using namespace vx::nvrtc;

#define VX_NVRTC extern "C" __attribute__((visibility("default")))

namespace {

/// The programs that there are, so that a stale handle is an error and nothing worse.
struct Programs {
  std::mutex mutex;
  std::set<_nvrtcProgram *> all;
};

Programs &programs() {
  static auto *instance = new Programs; // outlives every static object of the program
  return *instance;
}

bool isProgram(nvrtcProgram program) {
  std::lock_guard lock(programs().mutex);
  return programs().all.count(program) != 0;
}

/// Returns the results of a compilation, by size and copy.
template <typename Content>
nvrtcResult getSize(nvrtcProgram program, size_t *size, Content &&content) {
  if (!size)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!isProgram(program))
    return NVRTC_ERROR_INVALID_PROGRAM;
  *size = content(*program).size();
  return NVRTC_SUCCESS;
}

template <typename Content>
nvrtcResult getBytes(nvrtcProgram program, char *to, Content &&content) {
  if (!to)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!isProgram(program))
    return NVRTC_ERROR_INVALID_PROGRAM;
  const auto &bytes = content(*program);
  if (bytes.size() != 0)
    std::memcpy(to, bytes.data(), bytes.size());
  return NVRTC_SUCCESS;
}

const Bytes &imageOf(const _nvrtcProgram &program) {
  return program.image;
}
const Bytes &linkableOf(const _nvrtcProgram &program) {
  return program.linkable;
}

} // namespace

VX_NVRTC const char *nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define VX_NAME(name)                                                                              \
  case name:                                                                                       \
    return #name;
    VX_NAME(NVRTC_SUCCESS)
    VX_NAME(NVRTC_ERROR_OUT_OF_MEMORY)
    VX_NAME(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    VX_NAME(NVRTC_ERROR_INVALID_INPUT)
    VX_NAME(NVRTC_ERROR_INVALID_PROGRAM)
    VX_NAME(NVRTC_ERROR_INVALID_OPTION)
    VX_NAME(NVRTC_ERROR_COMPILATION)
    VX_NAME(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    VX_NAME(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    VX_NAME(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    VX_NAME(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    VX_NAME(NVRTC_ERROR_INTERNAL_ERROR)
    VX_NAME(NVRTC_ERROR_TIME_FILE_WRITE_FAILED)
    VX_NAME(NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED)
    VX_NAME(NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED)
    VX_NAME(NVRTC_ERROR_PCH_CREATE)
#undef VX_NAME
  }
  return "NVRTC_ERROR unknown";
}

VX_NVRTC nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = 12;
  *minor = 3;
  return NVRTC_SUCCESS;
}

VX_NVRTC nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count)
    return NVRTC_ERROR_INVALID_INPUT;
  *count = int(architectures().size());
  return NVRTC_SUCCESS;
}

VX_NVRTC nvrtcResult nvrtcGetSupportedArchs(int *numbers) {
  if (!numbers)
    return NVRTC_ERROR_INVALID_INPUT;
  for (int number : architectures())
    *numbers++ = number;
  return NVRTC_SUCCESS;
}

VX_NVRTC nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                                        int numHeaders, const char *const *headers,
                                        const char *const *includeNames) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!source || numHeaders < 0 || (numHeaders && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  auto made = std::make_unique<_nvrtcProgram>();
  made->source = source;
  made->name = name && *name ? name : "default_program";
  for (int i = 0; i < numHeaders; ++i) {
    if (!headers[i] || !includeNames[i])
      return NVRTC_ERROR_INVALID_INPUT;
    made->headers.emplace_back(includeNames[i], headers[i]);
  }
  std::lock_guard lock(programs().mutex);
  programs().all.insert(made.get());
  *program = made.release();
  return NVRTC_SUCCESS;
}

VX_NVRTC nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  {
    std::lock_guard lock(programs().mutex);
    if (!programs().all.erase(*program))
      return NVRTC_ERROR_INVALID_PROGRAM;
  }
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

VX_NVRTC nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int numOptions,
                                         const char *const *given) {
  if (!isProgram(program))
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (numOptions < 0)
    return NVRTC_ERROR_INVALID_INPUT;
  if (numOptions && !given)
    return NVRTC_ERROR_INVALID_OPTION;
  program->compiled = false;
  program->tried = true;
  program->text.clear();
  for (Bytes *code : {&program->image, &program->linkable, &program->bitcode})
    code->clear();
  std::optional<Options> options = parseOptions({given, size_t(numOptions)}, program->log);
  if (!options)
    return NVRTC_ERROR_INVALID_OPTION;
  return compileProgram(*program, *options);
}

VX_NVRTC nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size) {
  nvrtcResult result =
      getSize(program, size, [](auto &p) -> const std::string & { return p.text; });
  if (result == NVRTC_SUCCESS)
    ++*size; // the 0 after the text
  return result;
}

VX_NVRTC nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *text) {
  nvrtcResult result =
      getBytes(program, text, [](auto &p) -> const std::string & { return p.text; });
  if (result == NVRTC_SUCCESS)
    text[program->text.size()] = 0;
  return result;
}

VX_NVRTC nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size) {
  return getSize(program, size, imageOf);
}

VX_NVRTC nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image) {
  return getBytes(program, image, imageOf);
}

VX_NVRTC nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t *size) {
  return getSize(program, size, linkableOf);
}

VX_NVRTC nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char *code) {
  if (isProgram(program) && program->linkable.empty())
    return NVRTC_ERROR_INVALID_PROGRAM;
  return getBytes(program, code, linkableOf);
}

VX_NVRTC nvrtcResult nvrtcGetNVVMSize(nvrtcProgram program, size_t *size) {
  return nvrtcGetLTOIRSize(program, size);
}

VX_NVRTC nvrtcResult nvrtcGetNVVM(nvrtcProgram program, char *code) {
  return nvrtcGetLTOIR(program, code);
}

VX_NVRTC nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t *size) {
  static const std::string none;
  return getSize(program, size, [](auto &) -> const std::string & { return none; });
}

VX_NVRTC nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char *) {
  return isProgram(program) ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
}

VX_NVRTC nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size) {
  if (!size)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!isProgram(program))
    return NVRTC_ERROR_INVALID_PROGRAM;
  *size = program->log.size() + 1;
  return NVRTC_SUCCESS;
}

VX_NVRTC nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
  if (!log)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!isProgram(program))
    return NVRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return NVRTC_SUCCESS;
}

VX_NVRTC nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
  if (!isProgram(program))
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !*expression)
    return NVRTC_ERROR_INVALID_INPUT;
  if (program->tried)
    return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  for (const std::string &known : program->expressions)
    if (known == expression)
      return NVRTC_SUCCESS;
  program->expressions.push_back(expression);
  return NVRTC_SUCCESS;
}

VX_NVRTC nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression,
                                         const char **name) {
  if (!isProgram(program))
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!program->compiled)
    return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (size_t i = 0; i < program->expressions.size(); ++i)
    if (program->expressions[i] == expression) {
      *name = program->loweredNames[i].c_str();
      return NVRTC_SUCCESS;
    }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
