// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/StepTimes.h"
#include "lib/Driver/Messages.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {

void StepTimes::add(StringRef source, StringRef step, StringRef inputs, StringRef output) {
  Clock::time_point now = Clock::now();
  double milliseconds = std::chrono::duration<double, std::milli>(now - begin).count();
  raw_string_ostream os(rows);
  os << source << ", " << step << ", " << inputs << ", " << output << ", , vxcc, "
     << format("%.4f", milliseconds) << ", ms\n";
  begin = now;
}

bool StepTimes::write(const std::string &file) const {
  uint64_t size = 0;
  bool fresh = file == "-" || sys::fs::file_size(file, size) || size == 0;
  std::error_code ec;
  raw_fd_ostream os(file, ec, sys::fs::OF_Append | sys::fs::OF_Text);
  if (ec) {
    printError("cannot write '" + file + "': " + ec.message());
    return false;
  }
  if (fresh)
    os << "source file name, phase name, phase input files, phase output file, arch, tool, metric, "
          "unit\n";
  os << rows;
  return true;
}

} // namespace vx::driver
