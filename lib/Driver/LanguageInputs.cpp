// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code in other languages than CUDA. It has no host half: the sources of a command
// line are linked into one module, and the result is an image, or with -c bitcode that a later
// command links.

#include "frontend/DeviceLanguage.h"
#include "lib/Driver/DeviceCode.h"
#include "lib/Driver/Driver.h"
#include "lib/Driver/Messages.h"
#include "lib/Driver/Results.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {

std::optional<CompilePlan> Driver::planLanguage(const CompileRequest &request,
                                                const DeviceLanguage &language,
                                                DiagnosticLog &log) const {
  CompilePlan plan;
  if (!language.plan) {
    log.addPlain(Severity::Error,
                 "'" + request.input + "': there is no preprocessor for " + language.summary.str());
    return std::nullopt;
  }
  auto cc1 = language.plan(request, installation.paths, log);
  if (!cc1)
    return std::nullopt;
  if (showSteps()) {
    std::vector<std::string> line = {"vxcc", "-cc1"};
    line.insert(line.end(), cc1->begin(), cc1->end());
    printStep(line);
  }
  plan.host = std::move(*cc1);
  return plan;
}

int Driver::compileLanguageInputs() {
  bool toOne = !options.output.empty() || (options.action == Action::Device &&
                                           options.deviceOutput == DeviceOutput::FatBinary);
  if (toOne) {
    std::string output = outputFor(options.inputs.front());
    return compileLanguageInputs(options.inputs, output);
  }
  for (const Input &input : options.inputs)
    if (int code = compileLanguageInputs(input, outputFor(input)))
      return code;
  return 0;
}

int Driver::compileLanguageInputs(ArrayRef<Input> inputs, const std::string &output) {
  DiagnosticLog log(errs().has_colors());
  LLVMContext context;
  routeDiagnostics(context, options, log);
  std::unique_ptr<Module> module;
  const DeviceLanguage &language = *inputs.front().language;
  std::vector<std::pair<Input, CompileRequest>> requests;
  bool good = true;
  for (const Input &input : inputs) {
    auto request = makeRequest(input, output);
    if (!request)
      return 1;
    request->action = "-c";
    if (showSteps() && language.plan)
      planLanguage(*request, language, log);
    requests.emplace_back(input, *request);
    if (options.dryRun)
      continue;
    std::unique_ptr<Module> next = language.parse(*request, installation.paths, context, log);
    good = next && good;
    if (good && module)
      good = !Linker::linkModules(*module, std::move(next));
    else if (good)
      module = std::move(next);
    times.add(input.text, "compile", input.text, output);
  }
  if (options.dryRun) {
    report(log);
    return 0;
  }
  Bytes bytes;
  if (good && options.action == Action::Object) {
    raw_svector_ostream os(bytes);
    WriteBitcodeToFile(*module, os);
  } else if (good && (good = language.finish(*module, installation.resources, log))) {
    noteKernels(*module);
    if (none_of(*module,
                [](const Function &f) { return f.getCallingConv() == CallingConv::PTX_Kernel; }))
      log.addPlain(Severity::Warning, "'" + inputs.front().text + "' has no kernel");
    good = compileDeviceCode(std::move(module), options, installation.resources,
                             options.deviceOutput, log, bytes);
  }
  report(log);
  if (!good)
    return compileErrorCode(log);
  warnOfUnknownKernels();
  if (int code = writeFile(output, bytes))
    return code;
  for (const auto &[input, request] : requests)
    if (int code = writeRule(input, request))
      return code;
  return 0;
}

} // namespace vx::driver
