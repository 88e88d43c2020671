// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "doors/mlir/runtime/LoadIr.h"
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

namespace fs = std::filesystem;

namespace vx::mgpu {
namespace {

std::string compilerPath() {
  std::error_code error;
  if (const char *home = std::getenv("VXCC_HOME"))
    if (fs::path path = fs::path(home) / "bin" / "vxcc"; fs::exists(path, error))
      return path;
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&compileIr), &info) && info.dli_fname) {
    fs::path library = fs::canonical(info.dli_fname, error);
    fs::path beside = library.parent_path().parent_path() / "bin" / "vxcc";
    if (!error && fs::exists(beside, error))
      return beside;
  }
  return "vxcc";
}

std::string read(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder that is removed with everything in it.
struct TempFolder {
  TempFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "vx-mlir-XXXXXX").string();
    if (!error && mkdtemp(name.data()))
      path = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    if (!path.empty())
      fs::remove_all(path, ignored);
  }
  fs::path path;
};

/// Runs COMMAND with its output in LOG; 0 if it has succeeded.
int run(const std::vector<std::string> &command, const fs::path &log) {
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
    return error;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return errno;
  return status;
}

} // namespace

std::optional<std::string> compileIr(std::string_view ir, const std::vector<std::string> &options,
                                     std::string &messages) {
  TempFolder folder;
  fs::path input = folder.path / "module.ll", output = folder.path / "module.fatbin";
  std::ofstream out(input, std::ios::binary);
  out.write(ir.data(), std::streamsize(ir.size()));
  out.close();
  if (folder.path.empty() || !out.good()) {
    messages = "cannot write a temporary file";
    return std::nullopt;
  }
  std::vector<std::string> command = {compilerPath(), "-fatbin"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"-o", output, input});
  int status = run(command, folder.path / "log");
  messages = read(folder.path / "log");
  if (status == 0)
    return read(output);
  if (messages.empty())
    messages = "cannot run " + command.front() + "\n";
  return std::nullopt;
}

} // namespace vx::mgpu
