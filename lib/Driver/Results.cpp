// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/Results.h"
#include "lib/Driver/Messages.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {

void report(DiagnosticLog &log) {
  log.flush(errs());
  log.printSummary(errs());
}

int compileErrorCode(const DiagnosticLog &log) {
  return log.startsFatal() ? 1 : 2;
}

int writeFile(StringRef path, ArrayRef<char> bytes) {
  std::error_code ec;
  raw_fd_ostream os(path, ec);
  if (!ec)
    os.write(bytes.data(), bytes.size());
  os.close();
  if (!ec && !os.has_error())
    return 0;
  printError("cannot write '" + path + "'" + (ec ? ": " + ec.message() : ""));
  os.clear_error();
  return 1;
}

} // namespace vx::driver
