// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's steps that make text of a source: preprocessing, and make rules.

#include "frontend/clang/Dependencies.h"
#include "lib/Driver/Driver.h"
#include "lib/Driver/Results.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {
namespace {

/// Appends what FILE holds to TEXT; nothing of a file that does not exist.
void appendFile(const std::string &file, std::string &text) {
  if (auto buffer = MemoryBuffer::getFile(file, /*IsText=*/true))
    text += (*buffer)->getBuffer();
}

} // namespace

size_t Driver::countSources() const {
  return count_if(options.inputs, [](const Input &i) { return i.kind != InputKind::Linker; });
}

/// Returns the file for the make rule, as nvcc has it: -MF, or next to what -o names, or named
/// after the source.
std::string Driver::ruleFileFor(const Input &input) const {
  if (!options.dependencies.file.empty())
    return options.dependencies.file;
  if (onlyRules())
    return options.output.empty() ? "-" : options.output;
  if (!options.output.empty() && options.output != "-" && countSources() == 1) {
    SmallString<128> path(options.output);
    sys::path::replace_extension(path, "d");
    return path.str().str();
  }
  SmallString<128> path(options.outputDirectory);
  sys::path::append(path, sys::path::stem(input.text) + ".d");
  return path.str().str();
}

/// Returns what is made of the source: the object, or the program if that is named.
std::vector<std::string> Driver::ruleTargetsFor(const Input &input,
                                                const std::string &output) const {
  if (!options.dependencies.targets.empty())
    return options.dependencies.targets;
  bool isText = onlyRules() || options.action == Action::Preprocess || output == "-";
  if (options.linksInputs() ? !options.output.empty() : !isText)
    return {quoteForMake(options.linksInputs() ? options.output : output)};
  SmallString<128> path(options.outputDirectory);
  sys::path::append(path, sys::path::stem(input.text) + ".o");
  return {quoteForMake(path)};
}

/// Makes both halves leave their rules in temporary files, if rules are wanted; false on failure.
bool Driver::addRules(CompileRequest &request, const Input &input) {
  request.systemHeaders = options.dependencies.systemHeaders;
  if (input.kind == InputKind::LlvmIr || (!onlyRules() && !options.dependencies.alongside))
    return true;
  auto create = [&](const char *suffix) {
    return options.dryRun ? ruleFileFor(input) : temps.create(sys::path::stem(input.text), suffix);
  };
  if (options.action != Action::Device &&
      (input.kind != InputKind::Language || options.makesText()))
    request.hostRule = create("host.d");
  if (input.kind == InputKind::Cuda || (input.kind == InputKind::Language && !options.makesText()))
    request.deviceRule = create("device.d");
  return !request.hostRule.empty() || !request.deviceRule.empty();
}

int Driver::writeRule(const Input &input, const CompileRequest &request) const {
  if (request.hostRule.empty() && request.deviceRule.empty())
    return 0;
  std::vector<std::string> files;
  for (const std::string &half : {request.hostRule, request.deviceRule}) {
    std::string rule;
    if (!half.empty())
      appendFile(half, rule);
    addPrerequisites(rule, files);
  }
  // The source is first. Precompiled headers say what they were made of before it, and a language
  // without a preprocessor says nothing of files.
  std::string source = quoteForMake(sys::path::remove_leading_dotslash(input.text));
  if (auto own = llvm::find(files, source); own != files.end())
    std::rotate(files.begin(), own, own + 1);
  else if (files.empty())
    files.push_back(source);
  return writeFile(ruleFileFor(input), makeRule(ruleTargetsFor(input, request.output), files,
                                                options.dependencies.phony));
}

/// Carries out -E, -M and -MM. The two halves of a CUDA source may see other text and other
/// headers: what depends on the result of -E (a compiler cache does) has to see both.
int Driver::makeText(const Input &input, const std::string &output) {
  auto request = makeRequest(input, output);
  if (!request)
    return 1;
  bool bothTexts = options.action == Action::Preprocess && input.kind == InputKind::Cuda;
  if (bothTexts && !options.dryRun) {
    request->output = temps.create("host", "ii");
    request->deviceOutput = temps.create("device", "ii");
    if (request->output.empty() || request->deviceOutput.empty())
      return 1;
  }
  DiagnosticLog log(errs().has_colors());
  auto steps = input.language ? planLanguage(*request, *input.language, log) : plan(*request, log);
  if (!steps) {
    report(log);
    return 1;
  }
  if (options.dryRun)
    return 0;
  bool good = runHostHalf(*steps, log);
  if (!steps->device.empty()) {
    DiagnosticLog device(log.useColors());
    good &= runFrontend(steps->device, device);
    log.merge(device);
  }
  report(log);
  if (!good)
    return steps->external.empty() ? compileErrorCode(log) : 1;
  if (bothTexts) {
    std::string text = "#if !defined(__CUDA_ARCH__)\n";
    appendFile(request->output, text);
    text += "#else\n";
    appendFile(request->deviceOutput, text);
    text += "#endif\n";
    if (int code = writeFile(output, text))
      return code;
  }
  return writeRule(input, *request);
}

} // namespace vx::driver
