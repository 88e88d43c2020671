// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vxcc-check: runs a program of vxcc under the simulator's checkers. It only sets the environment
// of the program (VX_CHECK and the knobs check.*, docs/user/checkers.md) and counts what comes out.
// It is installed as compute-sanitizer, too.

#include "simulator/api/CheckerNames.h"
#include "tools/vxcc-check/Options.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace vx;
using namespace vx::check;

namespace {

constexpr int kUsageError = 1, kNothingChecked = 1, kCannotRun = 127;

std::string command = "vxcc-check";

int complain(const std::string &text, int code = kUsageError) {
  std::fprintf(stderr, "%s: error: %s\n", command.c_str(), text.c_str());
  return code;
}

/// Adds settings after those that are there already.
void addSettings(const Options &options, const std::string &summary) {
  const char *before = std::getenv("VX_SET");
  std::string settings = before && *before ? std::string(before) + "," : "";
  settings += "check.summary=" + summary;
  settings += std::string(",check.api_errors=") + (options.apiErrors ? "true" : "false");
  if (options.leaks)
    settings += ",check.leaks=true";
  if (options.printLimit)
    settings += ",check.print_limit=" + std::to_string(options.printLimit);
  if (!options.log.empty())
    settings += ",check.log=" + options.log;
  if (!options.save.empty())
    settings += ",check.save=" + options.save + (options.xml ? ",check.xml=true" : "");
  setenv("VX_SET", settings.c_str(), 1);
  setenv("VX_CHECK", options.tools.c_str(), 1);
  if (!options.mode.empty())
    setenv("VX_MODE", options.mode.c_str(), 1);
}

/// What the simulators of a program's devices have left (check.summary).
struct Summary {
  bool isThere = false;
  long errors = 0, kernels = 0, unseen = 0;
};

Summary readSummary(const std::string &name) {
  std::FILE *file = std::fopen(name.c_str(), "r");
  Summary all;
  long errors, kernels, unseen;
  while (file && std::fscanf(file, "%ld %ld %ld", &errors, &kernels, &unseen) == 3) {
    all.isThere = true;
    all.errors += errors;
    all.kernels += kernels;
    all.unseen += unseen;
  }
  if (file)
    std::fclose(file);
  return all;
}

/// Runs the program. Returns its exit code, as a shell has it.
int runProgram(char **arguments) {
  pid_t child = fork();
  if (child == 0) {
    execvp(arguments[0], arguments);
    _exit(complain("cannot run " + std::string(arguments[0]) + ": " + std::strerror(errno),
                   kCannotRun));
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return kCannotRun;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Returns the exit code for a program that has ended with CODE.
int judge(const Options &options, const Summary &summary, int code) {
  if (!summary.isThere && code != kCannotRun) {
    std::fprintf(stderr,
                 "%s: nothing was checked: the program has used no simulated device to its end\n",
                 command.c_str());
    return code ? code : kNothingChecked;
  }
  std::string tools = sim::checkersWithHints(options.tools);
  if (summary.kernels && summary.unseen == summary.kernels) {
    std::fprintf(stderr,
                 "%s: %s checked nothing: compile the program with vxcc -fvx-check and run it "
                 "again\n",
                 command.c_str(), tools.c_str());
    if (code == 0 && !(summary.errors && options.errorExitCode))
      return kNothingChecked;
  }
  return code == 0 && summary.errors > 0 ? options.errorExitCode : code;
}

} // namespace

int main(int argc, char **argv) {
  if (argc && argv[0]) {
    const char *name = std::strrchr(argv[0], '/');
    command = name ? name + 1 : argv[0];
  }
  Options options;
  if (std::string wrong = readOptions(argv + 1, options); !wrong.empty())
    return complain(wrong);
  if (options.wantsHelp) {
    std::fputs(helpText(command).c_str(), stdout);
    return 0;
  }
  if (options.wantsVersion) {
    std::printf("%s %s\n", command.c_str(), VX_VERSION);
    return 0;
  }
  const char *folder = std::getenv("TMPDIR");
  std::string summary = std::string(folder && *folder ? folder : "/tmp") + "/vxcc-check-XXXXXX";
  int file = mkstemp(summary.data());
  if (file < 0)
    return complain("cannot make a file in " + summary);
  close(file);
  addSettings(options, summary);
  int code = runProgram(options.program);
  Summary result = readSummary(summary);
  unlink(summary.c_str());
  return judge(options, result, code);
}
