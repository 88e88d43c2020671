// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/Messages.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {

void printError(const Twine &message) {
  WithColor::error(errs(), "vxcc") << message << '\n';
}

void printWarning(const Twine &message) {
  WithColor::warning(errs(), "vxcc") << message << '\n';
}

void printStep(ArrayRef<std::string> command, StringRef mark) {
  errs() << mark;
  for (const std::string &word : command) {
    errs() << ' ';
    sys::printArg(errs(), word, /*Quote=*/false);
  }
  errs() << '\n';
}

} // namespace vx::driver
