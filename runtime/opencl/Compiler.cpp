// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/Compiler.h"
#include "runtime/compiler/CompilerProcess.h"
#include <cstdlib>
#include <fstream>

namespace fs = std::filesystem;

namespace vx::cl {
namespace {

std::string compilerPath() {
  if (const char *given = std::getenv("VX_OPENCL_COMPILER"))
    return given;
  return findInstalledCompiler(reinterpret_cast<void *>(&compile));
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
  for (const char *prefix :
       {"-D", "-I", "-U", "-cl-", "-W", "-O", "--vx-", "-fvx-", "--lower", "--target="})
    if (option.starts_with(prefix))
      return true;
  for (const char *word : {"-w", "-g", "-x", "-include", "-create-library", "-enable-link-options",
                           "-Rvx-lower", "-s", "-v"})
    if (option == word)
      return true;
  return option.starts_with("-spir-std=");
}

} // namespace

std::optional<std::vector<std::string>> splitOptions(const char *options, std::string *log) {
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
    bool known = isKnown(words[i]);
    if (known && (!hasValue(words[i]) || ++i < words.size()))
      continue;
    if (log)
      *log = known ? "option '" + words.back() + "' wants a value\n"
                   : "unknown option '" + words[i] + "'\n";
    return std::nullopt;
  }
  return words;
}

CompileResult compile(const CompileJob &job) {
  CompileResult result;
  TempFolder folder("vx-opencl");
  if (folder.path.empty()) {
    result.log = "cannot make a temporary folder\n";
    return result;
  }
  std::vector<std::string> command = {compilerPath()};
  if (const char *extra = std::getenv("VX_OPENCL_OPTIONS")) {
    auto words = splitOptions(extra, &result.log);
    if (!words) {
      result.log.insert(0, "VX_OPENCL_OPTIONS: ");
      return result;
    }
    command.insert(command.end(), words->begin(), words->end());
  }
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
  int code = runCommand(command, log);
  result.noCompiler = code == -1 || code == 127;
  result.log += result.noCompiler ? "cannot start " + command[0] + "\n"
                                  : withoutFolder(readFile(log), folder.path.string() + "/");
  if (code)
    return result;
  result.output = readFile(output);
  result.done = !result.output.empty();
  return result;
}

} // namespace vx::cl
