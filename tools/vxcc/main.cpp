// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vxcc: a CUDA compiler driver in the manner of nvcc, for Vortex.

#include "tools/vxcc/Driver.h"
#include "tools/vxcc/Environment.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg("vxcc: internal error; please report it with the source that shows it\n");
  llvm::InitLLVM init(argc, argv);
  std::optional<vx::driver::Installation> installation;
  // Where this toolkit lies is also asked for by command lines that name no file.
  auto showSteps = [&] {
    if ((installation = vx::driver::findInstallation(argv[0])))
      vx::driver::printEnvironment(*installation);
  };
  auto parsed =
      vx::driver::parseOptions(llvm::ArrayRef<const char *>(argv + 1, argc - 1), showSteps);
  if (!parsed.options)
    return parsed.exitCode;
  if (!installation && !(installation = vx::driver::findInstallation(argv[0])))
    return 1;
  return vx::driver::Driver(std::move(*parsed.options), std::move(*installation)).run();
}
