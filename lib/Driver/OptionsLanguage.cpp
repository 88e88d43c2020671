// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/Frontend.h"
#include "lib/Driver/Architectures.h"
#include "lib/Driver/Messages.h"
#include "lib/Driver/OptionLists.h"
#include "lib/Driver/OptionParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace llvm::opt;

namespace vx::driver {

namespace {

/// Returns the option of the preprocessor that WORD is or begins with, or nothing.
StringRef preprocessorOption(StringRef word) {
  for (StringRef whole : {"-include", "-imacros"})
    if (word == whole)
      return whole;
  for (StringRef start : {"-isystem", "-iquote", "-idirafter", "-D", "-U", "-I"})
    if (word.starts_with(start))
      return start;
  return "";
}

} // namespace

void OptionParser::readLanguage() {
  static constexpr StringLiteral standards[] = {"03", "11", "14", "17", "20", "23"};
  if (const Arg *a = args->getLastArg(OPT_std)) {
    StringRef value = a->getValue(), number = value;
    if ((number.consume_front("c++") || number.consume_front("gnu++")) &&
        is_contained(standards, number))
      // Like nvcc with its host compiler, c++17 does not switch GNU extensions off.
      result.clangArgs.push_back("-std=gnu++" + number.str());
    else
      fail("value '" + value + "' is not defined for option 'std'");
  }
  readDefaultStream();
  readHostOptions();
  // They keep the order given: -D and -U depend on it.
  for (const Arg *a : args->filtered(OPT_I, OPT_isystem, OPT_preinclude, OPT_D, OPT_U, OPT_W)) {
    StringRef value = a->getValue();
    bool isMacro = a->getOption().matches(OPT_D) || a->getOption().matches(OPT_U);
    if (a->getOption().matches(OPT_W))
      addWarning(value);
    else if (isMacro)
      for (const std::string &macro : readList(value))
        result.clangArgs.push_back((a->getOption().matches(OPT_D) ? "-D" : "-U") + macro);
    else
      for (const std::string &name : readNames(value))
        addNamed(a->getOption().matches(OPT_I)         ? "-I"
                 : a->getOption().matches(OPT_isystem) ? "-isystem"
                                                       : "-include",
                 name);
  }
  if (args->hasArg(OPT_w)) {
    result.clangArgs.push_back("-w");
    result.warnings = false;
  }
  for (auto id : {OPT_ftemplate_depth, OPT_ftemplate_backtrace_limit})
    if (const Arg *a = args->getLastArg(id))
      result.clangArgs.push_back("-" + a->getOption().getName().str() + "=" + a->getValue());
  if (args->hasArg(OPT_pedantic))
    result.clangArgs.push_back("-pedantic");
  for (const Arg *a : args->filtered(OPT_cl_))
    result.languageArgs.push_back(a->getAsString(*args));
  for (const std::string &value : args->getAllArgValues(OPT_spec_constant))
    result.languageArgs.push_back("--spec-constant=" + value);
  if (args->hasArg(OPT_expt_relaxed_constexpr))
    result.clangArgs.push_back("-D__CUDACC_RELAXED_CONSTEXPR__");
  if (args->hasArg(OPT_expt_extended_lambda))
    result.clangArgs.push_back("-D__CUDACC_EXTENDED_LAMBDA__");
  if (args->hasArg(OPT_fopenmp)) {
    result.hostArgs.push_back("-fopenmp");
    result.linkArgs.push_back("-fopenmp");
  }
}

/// nvcc has the host compiler preprocess both halves, so what -Xcompiler says to its preprocessor
/// holds for both, and comes before vxcc's own options.
void OptionParser::readHostOptions() {
  std::vector<std::string> words;
  addWords(OPT_Xcompiler, words);
  // As with nvcc the link step sees all of them: -fopenmp, -fsanitize=, … concern both.
  append_range(result.linkArgs, words);
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i], option = preprocessorOption(word);
    if (option.empty()) {
      result.hostArgs.push_back(word.str());
      continue;
    }
    bool isSeparate = word == option;
    if (isSeparate && i + 1 == words.size())
      return fail("argument expected after '" + word + "' in -Xcompiler");
    StringRef value = isSeparate ? StringRef(words[++i]) : word.drop_front(option.size());
    if (option == "-D" || option == "-U")
      result.clangArgs.push_back((option + value).str());
    else
      addNamed(option, value);
  }
}

void OptionParser::readDefaultStream() {
  StringRef stream = args->getLastArgValue(OPT_default_stream, "legacy");
  if (!is_contained({"legacy", "null", "per-thread"}, stream))
    fail("value '" + stream +
         "' is not defined for option 'default-stream'; use legacy or per-thread");
  if (stream == "per-thread")
    result.clangArgs.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
}

void OptionParser::addNamed(StringRef option, StringRef name) {
  bool isFile = option == "-include" || option == "-imacros";
  if (isFile || !hasToolkitHeaders(name))
    result.clangArgs.insert(result.clangArgs.end(), {option.str(), name.str()});
  else if (!args->hasArg(OPT_w))
    printWarning("'" + Twine(option) + " " + name +
                 "' is ignored: vxcc has CUDA headers of its own");
}

void OptionParser::addWarning(StringRef value) {
  static constexpr StringLiteral nvccOnly[] = {"no-deprecated-gpu-targets", "default-stream-launch",
                                               "missing-launch-bounds", "ext-lambda-captures-this",
                                               "cross-execution-space-call"};
  if (value.starts_with("l,")) {
    result.linkArgs.push_back("-Wl," + value.drop_front(2).str());
    return;
  }
  bool asError = value.consume_front("error=");
  if (asError && value.contains(',')) {
    for (const std::string &kind : readList(value))
      addWarning("error=" + kind);
    return;
  }
  if (asError && value == "all-warnings") {
    result.clangArgs.push_back("-Werror");
    return;
  }
  if (is_contained(nvccOnly, value))
    return;
  if (value.starts_with("pass-failed") || value.starts_with("no-pass-failed"))
    result.passWarnings = !value.starts_with("no-");
  result.clangArgs.push_back((asError ? "-Werror=" : "-W") + value.str());
}

std::vector<std::string> OptionParser::readList(StringRef value) {
  std::optional<std::vector<std::string>> elements = splitList(value.ltrim());
  if (!elements)
    fail("a quote is not closed in '" + value + "'");
  return elements.value_or(std::vector<std::string>());
}

std::vector<std::string> OptionParser::readNames(StringRef value) {
  std::vector<std::string> names = readList(value);
  for (std::string &name : names)
    llvm::erase(name, '"');
  return names;
}

std::vector<std::string> OptionParser::readWords(StringRef value) {
  return shellWords(readList(value));
}

void OptionParser::addWords(OptionId id, std::vector<std::string> &words) {
  for (const std::string &value : args->getAllArgValues(id))
    append_range(words, readWords(value));
}

void OptionParser::readCodegen() {
  if (const Arg *a = args->getLastArg(OPT_O)) {
    unsigned level = 0;
    if (StringRef(a->getValue()).getAsInteger(10, level))
      fail("value '" + Twine(a->getValue()) + "' is not defined for option 'O'");
    level = std::min(level, 3u); // as with nvcc and GCC, "-O9" asks for all there is
    result.device.optLevel = level;
    result.hostArgs.push_back("-O" + utostr(level));
  }
  if (args->hasArg(OPT_g))
    result.hostArgs.push_back("-g");
  if (args->hasArg(OPT_G)) {
    result.device.optLevel = 0;
    result.deviceDebug = true;
    result.clangArgs.push_back("-D__CUDACC_DEBUG__");
  }
  result.deviceDebug |= args->hasArg(OPT_g);
  if (args->hasArg(OPT_use_fast_math)) {
    result.fastMath = true;
    result.clangArgs.push_back("-D__USE_FAST_MATH__");
  }
  result.contractFp = readBool(OPT_fmad, true);
  if (args->hasArg(OPT_fPIC))
    result.hostArgs.push_back("-fPIC");
  if (args->hasArg(OPT_noeh))
    result.hostArgs.push_back("-fno-exceptions");
  if (args->hasArg(OPT_pg)) {
    result.hostArgs.push_back("-pg");
    result.linkArgs.push_back("-pg");
  }
  for (auto id : {OPT_ftz, OPT_prec_div, OPT_prec_sqrt, OPT_static_stub, OPT_entity_visibility,
                  OPT_device_stack_protector})
    readBool(id, false);
  for (auto id : {OPT_arch, OPT_gpucode})
    for (const std::string &value : args->getAllArgValues(id))
      checkArchitectures(value);
  for (const std::string &value : args->getAllArgValues(OPT_gencode))
    checkGenerateCode(value);
  bool narrow = args->hasArg(OPT_m32);
  for (auto id : {OPT_m, OPT_machine})
    narrow |= args->getLastArgValue(id, "64") != "64";
  if (narrow)
    fail("only 64-bit host code is supported");
}

bool OptionParser::readBool(OptionId id, bool otherwise) {
  StringRef value = args->getLastArgValue(id, otherwise ? "true" : "false");
  if (value != "true" && value != "false")
    fail("value '" + value + "' is not defined for option '" + table.getOptionName(id) +
         "'; use true or false");
  return value == "true";
}

void OptionParser::checkArchitectures(StringRef list) {
  SmallVector<StringRef> names;
  list.trim("[]\"'").split(names, ',');
  for (StringRef name : names)
    if (!isArchitecture(name.trim("[]\"'")))
      fail("unsupported GPU architecture '" + name + "'");
}

void OptionParser::checkGenerateCode(StringRef spec) {
  auto [arch, code] = spec.split(",code=");
  if (!arch.consume_front("arch=") || code.empty()) {
    fail("value '" + spec + "' of option 'gencode' is not of the form arch=...,code=...");
    return;
  }
  checkArchitectures(arch);
  checkArchitectures(code);
}

} // namespace vx::driver
