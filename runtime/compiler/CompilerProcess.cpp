// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/compiler/CompilerProcess.h"
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

namespace fs = std::filesystem;

namespace vx {

TempFolder::TempFolder(const std::string &prefix) {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / (prefix + "-XXXXXX")).string();
  if (!error && mkdtemp(name.data()))
    path = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  if (!path.empty())
    fs::remove_all(path, ignored);
}

std::string findInstalledCompiler(const void *address) {
  Dl_info info;
  if (dladdr(address, &info) && info.dli_fname) {
    std::error_code error;
    fs::path library = fs::canonical(info.dli_fname, error);
    fs::path installed = library.parent_path().parent_path() / "bin" / "vxcc";
    if (!error && fs::exists(installed, error))
      return installed;
  }
  return "vxcc";
}

std::string readFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int runCommand(const std::vector<std::string> &command, const fs::path &log) {
  std::vector<char *> argv;
  for (const std::string &word : command)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace vx
