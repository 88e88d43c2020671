// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/mlir/LoadIr.h"
#include "runtime/compiler/CompilerProcess.h"
#include <cstdlib>
#include <fstream>

namespace fs = std::filesystem;

namespace vx::mgpu {
namespace {

std::string compilerPath() {
  std::error_code error;
  if (const char *home = std::getenv("VXCC_HOME"))
    if (fs::path path = fs::path(home) / "bin" / "vxcc"; fs::exists(path, error))
      return path;
  return findInstalledCompiler(reinterpret_cast<void *>(&compileIr));
}

} // namespace

std::optional<std::string> compileIr(std::string_view ir, const std::vector<std::string> &options,
                                     std::string &messages) {
  TempFolder folder("vx-mlir");
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
  int code = runCommand(command, folder.path / "log");
  messages = readFile(folder.path / "log");
  if (code == 0)
    return readFile(output);
  if (messages.empty())
    messages = "cannot run " + command.front() + "\n";
  return std::nullopt;
}

} // namespace vx::mgpu
