// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vxcc-check: runs a program of vxcc under the simulator's checkers. It only sets the environment
// of the program (VX_CHECK and the knobs check.*, docs/user/checkers.md) and counts what comes out.

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kUsageError = 1, kNothingChecked = 1, kCannotRun = 127;

constexpr const char *kHelp = R"(usage: vxcc-check [options] program [arguments]

Runs a program that vxcc has built and reports wrong memory accesses of its kernels.

  --tool=NAMES          the checkers, joined by commas: memcheck, racecheck,
                        initcheck, synccheck (default: memcheck)
  --leak-check=full|no  memcheck: report device memory that is not freed at the end (default: no)
  --error-exitcode=N    the exit code if the program ends with 0 and there are errors (default: 0)
  --log-file=FILE       write the reports to FILE instead of stderr
  --save=FILE           write all findings to FILE, as XML if its name ends in .xml, else as JSON
  --xml                 the file of --save is XML, whatever its name
  --mode=MODE           functional or timing: how to simulate
  --help                print this help
  --version             print the version
)";

struct Options {
  std::string tools = "memcheck";
  bool leaks = false, xml = false;
  int errorExitCode = 0;
  std::string log, save, mode;
  char **program = nullptr;
};

int complain(const std::string &text) {
  std::fprintf(stderr, "vxcc-check: error: %s\n", text.c_str());
  return kUsageError;
}

/// Takes VALUE if ARGUMENT is NAME, as --NAME=VALUE or with the next word as its value. Returns
/// true then.
bool takes(char **&argument, std::string_view name, std::string &value) {
  std::string_view text = *argument;
  if (!text.starts_with(name))
    return false;
  text.remove_prefix(name.size());
  if (text.starts_with("=")) {
    value = text.substr(1);
    return true;
  }
  if (!text.empty() || !argument[1])
    return false;
  value = *++argument;
  return true;
}

/// Reads the options up to the program; empty, or what is wrong with them.
std::string read(char **arguments, Options &options) {
  for (char **a = arguments; *a; ++a) {
    std::string value;
    bool isLastOption = !std::strcmp(*a, "--");
    if (**a != '-' || (isLastOption && a[1])) {
      options.program = a + isLastOption;
      return options.xml && options.save.empty() ? "--xml: there is no --save=FILE" : "";
    }
    if (takes(a, "--tool", options.tools) || takes(a, "--log-file", options.log) ||
        takes(a, "--save", options.save) || takes(a, "--mode", options.mode)) {
    } else if (takes(a, "--leak-check", value)) {
      if (value != "full" && value != "no")
        return "--leak-check=" + value + ": it is full or no";
      options.leaks = value == "full";
    } else if (!std::strcmp(*a, "--xml") || !std::strcmp(*a, "--xml=yes")) {
      options.xml = true;
    } else if (!std::strcmp(*a, "--xml=no")) {
      options.xml = false;
    } else if (isLastOption) {
      break;
    } else if (takes(a, "--error-exitcode", value)) {
      char *end;
      long code = std::strtol(value.c_str(), &end, 10);
      if (value.empty() || *end || code < 0 || code > 255)
        return "--error-exitcode=" + value + ": it is a number up to 255";
      options.errorExitCode = int(code);
    } else {
      return std::string("unknown option ") + *a + "; see --help";
    }
  }
  return "no program is given; see --help";
}

/// Adds settings after those that are there already.
void addSettings(const Options &options, const std::string &summary) {
  const char *before = std::getenv("VX_SET");
  std::string settings = before && *before ? std::string(before) + "," : "";
  settings += "check.summary=" + summary;
  if (options.leaks)
    settings += ",check.leaks=true";
  if (!options.log.empty())
    settings += ",check.log=" + options.log;
  if (!options.save.empty())
    settings += ",check.save=" + options.save + (options.xml ? ",check.xml=true" : "");
  setenv("VX_SET", settings.c_str(), 1);
  setenv("VX_CHECK", options.tools.c_str(), 1);
  if (!options.mode.empty())
    setenv("VX_MODE", options.mode.c_str(), 1);
}

/// Returns the sum of the numbers in file NAME, one a line for each device; -1: there is none.
long sumOf(const std::string &name) {
  std::FILE *file = std::fopen(name.c_str(), "r");
  long sum = 0, number;
  bool any = false;
  while (file && std::fscanf(file, "%ld", &number) == 1) {
    sum += number;
    any = true;
  }
  if (file)
    std::fclose(file);
  return any ? sum : -1;
}

/// Runs the program. Returns its exit code, as a shell has it.
int runProgram(char **arguments) {
  pid_t child = fork();
  if (child == 0) {
    execvp(arguments[0], arguments);
    std::fprintf(stderr, "vxcc-check: error: cannot run %s: %s\n", arguments[0],
                 std::strerror(errno));
    _exit(kCannotRun);
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return kCannotRun;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && !std::strcmp(argv[1], "--help")) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (argc == 2 && !std::strcmp(argv[1], "--version")) {
    std::printf("vxcc-check %s\n", VX_VERSION);
    return 0;
  }
  Options options;
  if (std::string wrong = read(argv + 1, options); !wrong.empty())
    return complain(wrong);
  for (const std::string *file : {&options.log, &options.save})
    if (file->find(',') != std::string::npos)
      return complain("a file's name has a comma: " + *file);
  const char *folder = std::getenv("TMPDIR");
  std::string summary = std::string(folder && *folder ? folder : "/tmp") + "/vxcc-check-XXXXXX";
  int file = mkstemp(summary.data());
  if (file < 0)
    return complain("cannot make a file in " + summary);
  close(file);
  addSettings(options, summary);
  int code = runProgram(options.program);
  long errors = sumOf(summary);
  unlink(summary.c_str());
  if (errors < 0 && code != kCannotRun) {
    std::fprintf(stderr,
                 "vxcc-check: nothing was checked: the program has used no simulated device "
                 "to its end\n");
    return code ? code : kNothingChecked;
  }
  return code == 0 && errors > 0 ? options.errorExitCode : code;
}
