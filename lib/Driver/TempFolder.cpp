// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/TempFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;

namespace vx::driver {
namespace {

/// No name that somebody else gives a folder of theirs.
constexpr StringLiteral kPrefix = "vxcc-temporary-";
/// Links to files elsewhere begin with this.
constexpr StringLiteral kNoted = "elsewhere-";

char folder[PATH_MAX]; ///< empty: there is none
pid_t owner;
TempFolder *current;

/// An entry of a folder, as the system call gives it.
struct Entry {
  uint64_t inode;
  int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[1];
};

/// Removes NAME in the open folder PARENT with all that is in it. For signal handlers, too.
void removeTree(int parent, const char *name) {
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return;
  alignas(Entry) char buffer[4096];
  for (bool found = true; found;) {
    found = false;
    lseek(fd, 0, SEEK_SET);
    for (long n; (n = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0;)
      for (long at = 0; at < n;) {
        const Entry *entry = reinterpret_cast<const Entry *>(buffer + at);
        at += entry->size;
        if (std::strcmp(entry->name, ".") == 0 || std::strcmp(entry->name, "..") == 0)
          continue;
        if (unlinkat(fd, entry->name, 0) == 0)
          found = true;
        else if (errno == EISDIR)
          removeTree(fd, entry->name);
      }
  }
  close(fd);
  unlinkat(parent, name, AT_REMOVEDIR);
}

/// Returns true if the folder is this process's to remove. The child of a vxcc that still runs
/// leaves it to that.
bool isOurs() {
  return folder[0] && (getpid() == owner || getppid() != owner);
}

void onSignal(int signal) {
  sys::RunInterruptHandlers(); // removes files that are registered for that
  if (isOurs())
    removeTree(AT_FDCWD, folder);
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  raise(signal);
}

void handleSignals() {
  for (int signal : {SIGHUP, SIGINT, SIGTERM, SIGXCPU}) {
    struct sigaction present{}, stop{};
    if (sigaction(signal, nullptr, &present) != 0 || present.sa_handler == SIG_IGN)
      continue;
    stop.sa_handler = onSignal;
    sigaction(signal, &stop, nullptr);
  }
}

/// Returns PATH, open and locked; -1: it is not ours, it is in use, or it has just been removed.
int lockFolder(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat opened{}, present{};
  if (fd >= 0 && fstat(fd, &opened) == 0 && opened.st_uid == geteuid() &&
      (opened.st_mode & 077) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
      lstat(path, &present) == 0 && present.st_ino == opened.st_ino &&
      present.st_dev == opened.st_dev)
    return fd;
  if (fd >= 0)
    close(fd);
  return -1;
}

/// Removes files elsewhere that a killed vxcc had begun, of which FD has links.
void removeNoted(int fd, const std::string &path) {
  std::error_code ec;
  for (sys::fs::directory_iterator it(path, ec, /*follow_symlinks=*/false), end; it != end && !ec;
       it.increment(ec)) {
    SmallString<32> name = sys::path::filename(it->path());
    char target[PATH_MAX];
    ssize_t size =
        name.starts_with(kNoted) ? readlinkat(fd, name.c_str(), target, sizeof target - 1) : -1;
    if (size > 0 && StringRef(target, size).ends_with(".tmp"))
      (void)sys::fs::remove(StringRef(target, size));
  }
}

/// Removes what killed processes have left in PARENT.
void removeForgotten(const std::string &parent) {
  std::error_code ec;
  for (sys::fs::directory_iterator it(parent, ec, /*follow_symlinks=*/false), end; it != end && !ec;
       it.increment(ec)) {
    const std::string &path = it->path();
    if (!sys::path::filename(path).starts_with(kPrefix) ||
        it->type() == sys::fs::file_type::regular_file)
      continue;
    int fd = lockFolder(path.c_str());
    if (fd < 0)
      continue;
    removeNoted(fd, path);
    removeTree(AT_FDCWD, path.c_str());
    close(fd);
  }
}

} // namespace

bool TempFolder::make(const std::string &parent) {
  for (unsigned attempt = 0; attempt < 16; ++attempt) {
    std::string path = parent + "/" + kPrefix.str() + "XXXXXX";
    if (path.size() >= sizeof folder || !mkdtemp(path.data()))
      return false;
    lock = lockFolder(path.c_str());
    if (lock < 0)
      continue; // another process found it before it was locked
    std::strcpy(folder, path.c_str());
    owner = getpid();
    return true;
  }
  return false;
}

TempFolder::TempFolder() {
  SmallString<128> parent;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, parent);
  if (sys::fs::make_absolute(parent))
    return;
  removeForgotten(parent.str().str());
  if (!make(parent.str().str()))
    return;
  current = this;
  if (const char *value = std::getenv("TMPDIR"))
    former = value;
  setenv("TMPDIR", folder, 1);
  handleSignals();
}

TempFolder::~TempFolder() {
  if (lock < 0 || getpid() != owner)
    return;
  removeTree(AT_FDCWD, folder);
  folder[0] = 0;
  restoreEnvironment();
  current = nullptr;
  close(lock);
}

void TempFolder::noteFile(StringRef file) {
  SmallString<128> target = file;
  if (!folder[0] || sys::fs::make_absolute(target))
    return;
  SmallString<128> link;
  sys::fs::createUniquePath(StringRef(folder) + "/" + kNoted + "%%%%%%%%", link,
                            /*MakeAbsolute=*/false);
  (void)symlink(target.c_str(), link.c_str());
}

void TempFolder::restoreEnvironment() {
  if (!current)
    return;
  if (current->former)
    setenv("TMPDIR", current->former->c_str(), 1);
  else
    unsetenv("TMPDIR");
}

} // namespace vx::driver
