// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/EndOfProgram.h"
#include "simulator/api/Files.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

namespace vx::rt {

static std::atomic<bool> reportLost = false;

void noteLostReport(const std::string &message) {
  std::fprintf(stderr, "vxrt: %s\n", message.c_str());
  reportLost = true;
}

bool isAnyReportLost() {
  return reportLost;
}

static std::mutex mutex;
static std::string noteOfProgram;

namespace {

struct Session {
  int terminal = 0; ///< its device number; 0: the session has none
  std::string name; ///< no other session has it
};

/// The session of this process, from the line of /proc about its leader.
Session currentSession() {
  pid_t leader = getsid(0);
  std::string line;
  if (vx::Result<std::vector<uint8_t>> bytes =
          sim::readFile("/proc/" + std::to_string(leader) + "/stat"))
    line.assign(bytes->begin(), bytes->end());
  size_t name = line.rfind(')'); // field 2 may have spaces
  Session session;
  unsigned long long start = 0;
  if (name == std::string::npos ||
      std::sscanf(
          line.c_str() + name + 1,
          " %*c %*d %*d %*d %d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
          &session.terminal, &start) != 2)
    return {};
  session.name = std::to_string(leader) + " " + std::to_string(start) + "\n";
  return session;
}

/// The file that says which session of TERMINAL has had its note; empty if there is no place for
/// it.
std::string fileOfTerminal(int terminal) {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  std::string folder;
  if (cache && *cache)
    folder = cache;
  else if (home && *home)
    folder = std::string(home) + "/.cache";
  else
    return "";
  mkdir(folder.c_str(), 0700);
  folder += "/vxcc";
  mkdir(folder.c_str(), 0755);
  return folder + "/noted-" + std::to_string(terminal);
}

} // namespace

/// Says NOTE, in a session of a terminal once.
static void sayNote(const std::string &note) {
  if (Session session = currentSession(); session.terminal) {
    std::string file = fileOfTerminal(session.terminal);
    vx::Result<std::vector<uint8_t>> noted = sim::readFile(file);
    if (noted && std::string(noted->begin(), noted->end()) == session.name)
      return;
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(session.name.data());
    (void)sim::writeFile(file, {bytes, session.name.size()});
  }
  std::fflush(stdout);
  std::fprintf(stderr, "vxrt: %s\n", note.c_str());
}

void noteForUser(const std::string &note) {
  std::lock_guard lock(mutex);
  if (!noteOfProgram.empty())
    return;
  noteOfProgram = note;
  // What reads the output of a program looks at its last line.
  if (!isatty(STDERR_FILENO))
    sayNote(note);
}

void sayNoteForUser() {
  std::lock_guard lock(mutex);
  if (!noteOfProgram.empty() && isatty(STDERR_FILENO))
    sayNote(noteOfProgram);
}

} // namespace vx::rt
