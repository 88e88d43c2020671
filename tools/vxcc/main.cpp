// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vxcc: a CUDA compiler driver in the manner of nvcc, for Vortex.

#include "lib/Driver/Driver.h"
#include "lib/Driver/Environment.h"
#include "lib/Driver/Messages.h"
#include "lib/Driver/TempFolder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"

static std::string ownPath(const char *argv0) {
  return llvm::sys::fs::getMainExecutable(argv0, reinterpret_cast<void *>(&ownPath));
}

int main(int argc, char **argv) {
  llvm::setBugReportMsg("vxcc: internal error; please report it with the source that shows it\n");
  llvm::InitLLVM init(argc, argv);
  std::optional<vx::Installation> installation;
  auto find = [&] {
    if (installation)
      return true;
    vx::Installation found = vx::findInstallation(ownPath(argv[0]));
    if (found.problem.empty())
      installation = std::move(found);
    else
      vx::driver::printError(found.problem);
    return installation.has_value();
  };
  // Where this toolkit lies is also asked for by command lines that name no file.
  vx::driver::ParseActions actions;
  actions.showEnvironment = [&] {
    if (find())
      vx::driver::printEnvironment(*installation);
  };
  actions.printClangdConfiguration = [&] {
    if (find())
      vx::driver::printClangdConfiguration(*installation);
    return installation.has_value();
  };
  auto parsed = vx::driver::parseOptions(llvm::ArrayRef<const char *>(argv + 1, argc - 1), actions);
  if (!parsed.options)
    return parsed.exitCode;
  if (!find())
    return 1;
  vx::driver::TempFolder temporary;
  return vx::driver::Driver(std::move(*parsed.options), std::move(*installation)).run();
}
