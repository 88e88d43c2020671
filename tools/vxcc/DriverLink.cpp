// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's last step: objects become a program or a shared library.

#include "tools/vxcc/Driver.h"
#include "tools/vxcc/Environment.h"
#include "tools/vxcc/Messages.h"
#include "tools/vxcc/Results.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {

int Driver::link(ArrayRef<std::string> inputs) {
  std::vector<std::string> libraries = options.linkArgs;
  if (options.cudart != Cudart::None)
    libraries.push_back(options.cudart == Cudart::Static ? "-lcudart_static" : "-lcudart");
  libraries.insert(libraries.end(), {"-lpthread", "-ldl", "-Wl,-rpath," + installation.libraries});
  std::vector<std::string> args = {"-Qunused-arguments", "-o", programName()};
  args.insert(args.end(), inputs.begin(), inputs.end());
  args.insert(args.end(), libraries.begin(), libraries.end());
  args.push_back("-L" + installation.libraries);
  DiagnosticLog log(errs().has_colors());
  auto command = planLink(args, installation.paths, log);
  report(log);
  if (!command)
    return 1;
  if (showSteps()) {
    printHostLink(installation, inputs, libraries, programName());
    printStep(*command);
  }
  return options.dryRun || execute(*command) == 0 ? 0 : 1;
}

} // namespace vx::driver
