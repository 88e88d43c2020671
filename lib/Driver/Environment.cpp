// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/Environment.h"
#include "lib/DeviceCompiler/Installation.h"
#include "lib/Driver/OptionTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {
namespace {

/// Prints the libraries in the form that CMake reads. It takes the last line that holds the value
/// of LIBRARIES, to the last blank, for the link command of the C++ compiler. The linker's own
/// command, printed after it, never has these blanks.
void printLibraries(const Installation &installation) {
  errs() << "  ";
  sys::printArg(errs(), "-L" + installation.libraries, /*Quote=*/true);
  errs() << "  ";
}

} // namespace

void printEnvironment(const Installation &installation) {
  auto print = [](StringRef name, const Twine &value) {
    errs() << "#$ " << name << '=' << value << '\n';
  };
  std::string bin = installation.root + "/bin";
  print("_NVVM_BRANCH_", "nvvm");
  print("_SPACE_", " ");
  print("_CUDART_", "cudart");
  print("_HERE_", bin);
  print("_THERE_", bin);
  print("_TARGET_SIZE_", "");
  print("_TARGET_DIR_", "");
  print("TOP", installation.root);
  print("NVVMIR_LIBRARY_DIR", installation.root + "/nvvm/libdevice");
  print("PATH",
        bin + ":" + installation.paths.llvmBin + ":" + sys::Process::GetEnv("PATH").value_or(""));
  errs() << "#$ INCLUDES=";
  sys::printArg(errs(), "-I" + installation.paths.headers, /*Quote=*/true);
  errs() << "  \n#$ LIBRARIES=";
  printLibraries(installation);
  errs() << '\n';
  print("CUDAFE_FLAGS", "");
  print("PTXAS_FLAGS", "");
}

void printHostLink(const Installation &installation, ArrayRef<std::string> objects,
                   ArrayRef<std::string> libraries, const std::string &output) {
  auto print = [](ArrayRef<std::string> words) {
    for (const std::string &word : words) {
      errs() << ' ';
      sys::printArg(errs(), word, /*Quote=*/false);
    }
  };
  errs() << "#$";
  print(installation.paths.llvmBin + "/clang++");
  print(objects);
  printLibraries(installation);
  print(libraries);
  print({"-o", output});
  errs() << '\n';
}

void printClangdConfiguration(const Installation &installation) {
  std::vector<std::string> options;
  const opt::OptTable &table = optionTable();
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    opt::Option option = table.getOption(id);
    auto kind = option.getKind();
    // clangd removes single words of what clang does not know.
    if (kind == opt::Option::FlagClass || option.getName().ends_with("="))
      for (const char *dashes : {"-", "--"})
        options.push_back(dashes + option.getName().str());
  }
  ToolArguments arguments = argumentsForClangTools(installation.paths, options);
  auto print = [](StringRef name, ArrayRef<std::string> words) {
    outs() << "  " << name << ":\n";
    for (StringRef word : words) {
      outs() << "    - '";
      for (char c : word)
        outs() << (c == '\'' ? "''" : StringRef(&c, 1));
      outs() << "'\n";
    }
  };
  outs() << "# For clangd: how it reads CUDA sources that vxcc compiles.\n"
            "If:\n  PathMatch: '.*\\.cuh?'\nCompileFlags:\n";
  print("Add", arguments.added);
  print("Remove", arguments.removed);
}

} // namespace vx::driver
