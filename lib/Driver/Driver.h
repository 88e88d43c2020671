// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries out what the options ask for: compiles each source, then links, then runs.

#ifndef VX_LIB_DRIVER_DRIVER_H
#define VX_LIB_DRIVER_DRIVER_H

#include "frontend/Frontend.h"
#include "lib/DeviceCompiler/Installation.h"
#include "lib/Driver/Options.h"
#include "lib/Driver/StepTimes.h"
#include "lib/Driver/TempFiles.h"
#include <set>

namespace llvm {
class Module;
} // namespace llvm

namespace vx::driver {

class Driver {
public:
  Driver(Options options, Installation installation)
      : options(std::move(options)), installation(std::move(installation)) {}

  /// Does everything. Returns the exit code of the tool (or of the program, with --run).
  int run();

private:
  // Each returns an exit code: 0, or what the tool shall end with.
  int compileAndLink();
  bool readStandardInput();
  int clean() const;
  int compileInput(const Input &input, const std::string &output);
  int compileCuda(const Input &input, const std::string &output);
  int compileBothHalves(const CompileRequest &request, const CompilePlan &plan);
  int compileHostOnly(const Input &input, const std::string &output);
  int makeText(const Input &input, const std::string &output);
  int writeRule(const Input &input, const CompileRequest &request) const;
  int emitDevice(const Input &input, const std::string &output);
  int compileLanguageInputs();
  int compileLanguageInputs(llvm::ArrayRef<Input> inputs, const std::string &output);
  int makeOutput(llvm::ArrayRef<std::string> inputs);
  int link(llvm::ArrayRef<std::string> inputs);
  int archive(llvm::ArrayRef<std::string> inputs);
  int linkDevice(llvm::ArrayRef<std::string> inputs, const std::string &output, bool *needed);
  int runProgram(const std::string &program);
  void noteKernels(const llvm::Module &module);
  void warnOfUnknownKernels() const;

  std::optional<CompileRequest> makeRequest(const Input &input, const std::string &output);
  bool addRules(CompileRequest &request, const Input &input);
  std::string outputFor(const Input &input) const;
  std::string ruleFileFor(const Input &input) const;
  std::vector<std::string> ruleTargetsFor(const Input &input, const std::string &output) const;
  std::string linkedName() const;
  size_t countSources() const;
  bool isRelocatable(const Input &input) const {
    return options.relocatable && input.kind == InputKind::Cuda;
  }
  std::string unitName(const Input &input) const;
  bool onlyRules() const {
    return options.action == Action::Dependencies || options.action == Action::UserDependencies;
  }
  std::string objectFor(const Input &input);
  std::string keptFile(llvm::StringRef input, llvm::StringRef suffix) const;
  /// Returns the steps for REQUEST, which are shown if that was asked for; nothing after errors.
  std::optional<CompilePlan> plan(const CompileRequest &request, DiagnosticLog &log) const;
  /// Returns the steps for a source in another language than CUDA.
  std::optional<CompilePlan> planLanguage(const CompileRequest &request,
                                          const DeviceLanguage &language, DiagnosticLog &log) const;
  /// Runs what PLAN has for the host half, or for a source without halves; false after errors.
  bool runHostHalf(const CompilePlan &plan, DiagnosticLog &log) const;
  bool showSteps() const { return options.dryRun || options.verbose; }
  void showPlan(const CompilePlan &plan) const;
  /// Runs COMMAND and returns its exit code; what it has of OUTPUT goes if it is killed.
  int execute(const Command &command, const std::string &output = "") const;

  Options options;
  Installation installation;
  TempFiles temps;
  StepTimes times;
  std::set<std::string> knownKernels; ///< names of --lower-kernel that some source has
};

} // namespace vx::driver

#endif // VX_LIB_DRIVER_DRIVER_H
