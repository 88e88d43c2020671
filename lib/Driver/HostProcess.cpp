// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/HostProcess.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace vx::driver {
namespace {

/// Runs in the child: compiles, sends the diagnostics, ends without running any destructor of the
/// parent.
[[noreturn]] void compileInChild(const Cc1Args &args, bool colors, int pipe) {
  DiagnosticLog log(colors);
  bool good = runFrontend(args, log);
  outs().flush();
  std::string bytes = log.serialize();
  for (size_t done = 0; done < bytes.size();) {
    ssize_t n = write(pipe, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR)
      break;
    done += n > 0 ? static_cast<size_t>(n) : 0;
  }
  _exit(good ? 0 : 1);
}

} // namespace

HostProcess::HostProcess(const Cc1Args &args, bool colors) : colors(colors) {
  int ends[2];
  if (pipe(ends) != 0)
    return;
  outs().flush();
  errs().flush();
  child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM); // nothing would use or remove what it writes
    close(ends[0]);
    compileInChild(args, colors, ends[1]);
  }
  close(ends[1]);
  results = ends[0];
}

HostProcess::~HostProcess() {
  if (results >= 0)
    close(results);
  if (child > 0) {
    kill(child, SIGTERM);
    waitpid(child, nullptr, 0);
  }
}

bool HostProcess::finish(DiagnosticLog &log) {
  if (child <= 0) {
    log.addPlain(Severity::Fatal, "cannot start a process for the host half");
    return false;
  }
  std::string bytes;
  char chunk[4096];
  for (;;) {
    ssize_t n = read(results, chunk, sizeof(chunk));
    if (n == 0 || (n < 0 && errno != EINTR))
      break;
    if (n > 0)
      bytes.append(chunk, static_cast<size_t>(n));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child = -1;
  DiagnosticLog hostLog(colors);
  if (!hostLog.deserialize(bytes) || !WIFEXITED(status)) {
    log.addPlain(Severity::Fatal, "the compiler of the host half ended unexpectedly");
    return false;
  }
  log.merge(hostLog);
  return WEXITSTATUS(status) == 0;
}

} // namespace vx::driver
