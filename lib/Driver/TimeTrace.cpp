// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/TimeTrace.h"
#include "lib/Driver/Messages.h"
#include "passes/Pipelines.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {

TimeTrace::TimeTrace(const std::string &file) : file(file) {
  if (!file.empty())
    timeTraceProfilerInitialize(kTimeTraceGranularity, "vxcc");
}

TimeTrace::~TimeTrace() {
  if (timeTraceProfilerEnabled())
    timeTraceProfilerCleanup();
}

bool TimeTrace::write(const std::string &output) const {
  if (file.empty())
    return true;
  std::string name = file == "-" ? output + ".json" : file;
  std::error_code ec;
  raw_fd_ostream os(name, ec, sys::fs::OF_Text);
  if (ec) {
    printError("cannot write '" + name + "': " + ec.message());
    return false;
  }
  timeTraceProfilerWrite(os);
  return true;
}

} // namespace vx::driver
