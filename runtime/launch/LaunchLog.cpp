// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/LaunchLog.h"
#include "runtime/core/EndOfProgram.h"
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace vx::rt {

static void noteLost(const char *name) {
  noteLostReport(std::string("VX_LAUNCHES=") + name + ": " + std::strerror(errno));
}

/// The file, or null: there is none, which is said once if it was asked for.
static std::FILE *openLog() {
  const char *name = std::getenv("VX_LAUNCHES");
  if (!name || !*name)
    return nullptr;
  std::FILE *file = std::fopen(name, "we");
  if (!file) {
    noteLost(name);
    return nullptr;
  }
  std::setvbuf(file, nullptr, _IOLBF, BUFSIZ); // whole lines, however the program ends
  if (std::fputs("cycles,lowering,kernel,seconds\n", file) < 0)
    noteLost(name);
  return file;
}

static std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text)
    out.append(c == '"' ? 2 : 1, c);
  return out + "\"";
}

static std::FILE *logFile() {
  static std::FILE *const file = openLog();
  return file;
}

double processorSeconds() {
  if (!logFile())
    return 0;
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

void logLaunch(const std::string &kernel, const std::string &lowering, uint64_t cycles,
               double seconds) {
  std::FILE *file = logFile();
  if (!file)
    return;
  bool wasWritten = !std::ferror(file);
  if (std::fprintf(file, "%" PRIu64 ",%s,%s,%.6f\n", cycles, quoted(lowering).c_str(),
                   quoted(kernel).c_str(), seconds) < 0 &&
      wasWritten)
    noteLost(std::getenv("VX_LAUNCHES"));
}

} // namespace vx::rt
