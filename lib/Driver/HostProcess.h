// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the host half in a child process while this one compiles the device half. A process, not a
// thread: LLVM's code generation options are global, and the two halves need different ones.

#ifndef VX_LIB_DRIVER_HOSTPROCESS_H
#define VX_LIB_DRIVER_HOSTPROCESS_H

#include "frontend/Frontend.h"
#include <sys/types.h>

namespace vx::driver {

class HostProcess {
public:
  /// Starts compiling ARGS.
  HostProcess(const Cc1Args &args, bool colors);
  HostProcess(const HostProcess &) = delete;
  HostProcess &operator=(const HostProcess &) = delete;
  ~HostProcess();

  /// Waits for the end, adds what was reported to LOG; false if there were errors.
  bool finish(DiagnosticLog &log);

private:
  pid_t child = -1;
  int results = -1; ///< read end of the pipe with the diagnostics
  bool colors;
};

} // namespace vx::driver

#endif // VX_LIB_DRIVER_HOSTPROCESS_H
