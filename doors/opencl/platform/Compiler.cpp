// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "doors/opencl/platform/Compiler.h"
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace fs = std::filesystem;

namespace vx::cl {
namespace {

/// A folder that is removed with everything in it.
class TempFolder {
public:
  TempFolder() {
    const char *parent = std::getenv("TMPDIR");
    std::string name = std::string(parent && *parent ? parent : "/tmp") + "/vx-opencl-XXXXXX";
    if (mkdtemp(name.data()))
      path = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    if (!path.empty())
      fs::remove_all(path, ignored);
  }
  fs::path path;
};

std::string compilerPath() {
  if (const char *given = std::getenv("VX_OPENCL_COMPILER"))
    return given;
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&compile), &info) && info.dli_fname) {
    std::error_code error;
    fs::path library = fs::canonical(info.dli_fname, error);
    fs::path beside = library.parent_path().parent_path() / "bin" / "vxcc";
    if (!error && fs::exists(beside, error))
      return beside;
  }
  return "vxcc";
}

/// A file below FOLDER; nothing if its name leads out of it or it cannot be written.
std::optional<fs::path> write(const fs::path &folder, const SourceFile &file) {
  fs::path relative = fs::path(file.name).lexically_normal();
  if (relative.is_absolute() || relative.empty() || *relative.begin() == "..")
    return std::nullopt;
  fs::path path = folder / relative;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out.write(file.content.data(), std::streamsize(file.content.size()));
  return out.good() ? std::optional(path) : std::nullopt;
}

std::string read(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Runs COMMAND with its output in LOG; its exit code, or -1 if it could not be started.
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
    return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// TEXT without the name of the temporary folder, which means nothing to the user.
std::string withoutFolder(std::string text, const std::string &folder) {
  for (size_t at; (at = text.find(folder)) != std::string::npos;)
    text.erase(at, folder.size());
  return text;
}

bool hasValue(const std::string &option) {
  return option == "-D" || option == "-I" || option == "-x" || option == "-U" ||
         option == "-include";
}

bool isKnown(const std::string &option) {
  for (const char *prefix : {"-D", "-I", "-U", "-cl-", "-W", "-O", "--vx-", "--lower", "--target="})
    if (option.starts_with(prefix))
      return true;
  for (const char *word : {"-w", "-g", "-x", "-include", "-create-library", "-enable-link-options",
                           "-Rvx-lower", "-s", "-v"})
    if (option == word)
      return true;
  return option.starts_with("-spir-std=");
}

} // namespace

std::optional<std::vector<std::string>> splitOptions(const char *options) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, open = false;
  for (const char *p = options ? options : "";; ++p) {
    if (*p == '"') {
      quoted = !quoted;
      open = true;
    } else if (*p == '\\' && p[1] == '"') {
      word += *++p;
      open = true;
    } else if (!*p || (!quoted && (*p == ' ' || *p == '\t' || *p == '\n'))) {
      if (open)
        words.push_back(std::move(word));
      word.clear();
      open = false;
      if (!*p)
        break;
    } else {
      word += *p;
      open = true;
    }
  }
  for (size_t i = 0; i < words.size(); ++i) {
    if (!isKnown(words[i]))
      return std::nullopt;
    if (hasValue(words[i]) && ++i == words.size())
      return std::nullopt;
  }
  return words;
}

CompileResult compile(const CompileJob &job) {
  CompileResult result;
  TempFolder folder;
  if (folder.path.empty()) {
    result.log = "cannot make a temporary folder\n";
    return result;
  }
  std::vector<std::string> command = {compilerPath()};
  if (const char *extra = std::getenv("VX_OPENCL_OPTIONS"))
    if (auto words = splitOptions(extra))
      command.insert(command.end(), words->begin(), words->end());
  for (size_t i = 0; i < job.options.size(); ++i) {
    const std::string &option = job.options[i];
    bool ours = option == "-x" || option == "-create-library" || option == "-enable-link-options" ||
                option.starts_with("-spir-std=") || option == "-s" || option == "-v";
    if (!ours)
      command.push_back(option);
    else if (option == "-x")
      ++i;
  }
  command.insert(command.end(), job.specConstants.begin(), job.specConstants.end());
  for (const SourceFile &header : job.headers)
    if (!write(folder.path / "include", header))
      result.log += "cannot write header '" + header.name + "'\n";
  if (!job.headers.empty())
    command.push_back("-I" + (folder.path / "include").string());
  command.push_back("-I."); // where the program runs, after what it names
  fs::path output = folder.path / "out";
  command.insert(command.end(), {"-o", output});
  if (job.toObject)
    command.push_back("-c");
  command.insert(command.end(), {"-x", job.language});
  for (const SourceFile &input : job.inputs) {
    auto path = write(folder.path, input);
    if (!path) {
      result.log += "cannot write a temporary file\n";
      return result;
    }
    command.push_back(*path);
  }
  fs::path log = folder.path / "log";
  int code = run(command, log);
  result.noCompiler = code == -1 || code == 127;
  result.log += result.noCompiler ? "cannot start " + command[0] + "\n"
                                  : withoutFolder(read(log), folder.path.string() + "/");
  if (code)
    return result;
  result.output = read(output);
  result.done = !result.output.empty();
  return result;
}

} // namespace vx::cl
