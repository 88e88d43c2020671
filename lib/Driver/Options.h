// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line, parsed and checked: from here on every value is valid.

#ifndef VX_LIB_DRIVER_OPTIONS_H
#define VX_LIB_DRIVER_OPTIONS_H

#include "intrinsics/abi/FatBinary.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace vx {
struct DeviceLanguage;
} // namespace vx

namespace vx::driver {

enum class InputKind { Cuda, Cxx, C, Assembler, LlvmIr, Language, Linker };

/// One input, or (kind Linker) something that only the linker sees: an object, -lfoo, -Wl,x.
struct Input {
  InputKind kind;
  std::string text;
  const DeviceLanguage *language = nullptr; ///< the language of kind Language
};

enum class Action {
  Link,
  Object,
  Assembly,
  Preprocess,
  Dependencies,
  UserDependencies,
  Device,
  DeviceLink,
  Archive
};

/// The runtime library that a program gets.
enum class Cudart { Static, Shared, None };

/// The output that --emit asks for, or -fatbin.
enum class DeviceOutput { Nvvm, Ir, Asm, Obj, Elf, VxBin, FatBinary, Language };

/// The way make rules are written: by -M and -MM alone or, with -MD and -MMD, during a compilation.
struct DependencyOptions {
  bool alongside = false;
  bool systemHeaders = true;        ///< -M and -MD
  bool phony = false;               ///< -MP
  std::string file;                 ///< -MF
  std::vector<std::string> targets; ///< -MT and -MQ, quoted for make
};

struct Options {
  std::vector<Input> inputs;
  Action action = Action::Link;
  DeviceOutput deviceOutput = DeviceOutput::Elf;
  const DeviceLanguage *deviceLanguage = nullptr; ///< of DeviceOutput::Language
  std::string deviceSuffix;       ///< of the output, if -fatbin or -cubin asks for it
  bool deviceLinkToImage = false; ///< -dlink makes `deviceOutput` instead of an object
  std::string output;             ///< empty: chosen from the input
  std::string outputDirectory;

  std::vector<std::string> clangArgs; ///< for both halves: -I, -D, -std, -W, …
  std::vector<std::string> hostArgs;  ///< for the host half: -Xcompiler, -O, -g, …
  std::vector<std::string> linkArgs;  ///< besides what is in `inputs`
  Cudart cudart = Cudart::Static;
  bool relocatable = false;                ///< -rdc=true
  bool linkDevice = true;                  ///< -nodlink
  std::string archiver = "ar";             ///< -arbin
  std::vector<std::string> archiveOptions; ///< -Xarchive
  DependencyOptions dependencies;
  std::vector<std::string> languageArgs; ///< of other languages than CUDA: -cl-…

  DeviceOptions device;
  bool deviceDebug = false;
  bool contractFp = true;
  bool fastMath = false;
  abi::Lowering lowering = abi::Lowering::Auto;
  std::vector<std::pair<std::string, abi::Lowering>> kernelLowerings; ///< --lower-kernel
  std::vector<abi::IsaProfile> profiles = {abi::IsaProfile::Warp};    ///< an image for each
  bool forVortex = true, forHost = false; ///< --target: whose code is embedded
  std::vector<bool> zicond = {true};      ///< an image with conditional-zero instructions, without
  std::vector<unsigned> xlens = {64};     ///< one image for each; one width without a fat binary
  std::vector<std::string> deviceLinkArgs;
  /// Options of the group VORTEX that decide what is made of device code, as --name=value: what the
  /// fields above were read from.
  std::vector<std::string> deviceArgs;

  /// Returns the suffix of a file with device code, as the options want that.
  std::string deviceFileSuffix() const;

  /// Returns true if the inputs are device code of another language than CUDA.
  bool hasLanguageInputs() const {
    return !inputs.empty() && inputs.front().kind == InputKind::Language;
  }
  /// Returns true if the result is text of the preprocessor.
  bool makesText() const {
    return action == Action::Preprocess || action == Action::Dependencies ||
           action == Action::UserDependencies;
  }

  /// Returns true if all inputs make one output.
  bool linksInputs() const {
    return action == Action::Link || action == Action::DeviceLink || action == Action::Archive;
  }

  bool dryRun = false;
  bool verbose = false;
  bool keep = false;
  std::string keepDirectory = ".";
  bool run = false;
  std::string program; ///< the program of --run, if it is there already
  std::vector<std::string> runArguments;
  bool clean = false;
  std::string timeFile;          ///< --time; empty: none
  unsigned codegenThreads = 0;   ///< --split-compile; 0: as many as there are processors
  std::string timeTraceFile;     ///< --fdevice-time-trace; empty: none
  bool briefDiagnostics = false; ///< no source lines
  bool resourceUsage = false;    ///< -res-usage, -Xptxas -v
  bool warnings = true;          ///< -w
  bool passWarnings = true;      ///< -Wno-pass-failed
};

/// The result of parsing: options to work with, or an exit code (after --help or an error).
struct ParseResult {
  std::optional<Options> options;
  int exitCode = 0;
};

/// Returns the fields that `deviceArgs` decide, read from ARGS, which such a list was; nothing if
/// one of them is not valid.
std::optional<Options> parseDeviceOptions(llvm::ArrayRef<std::string> args);

/// Actions that the command line may ask for and that need the installation.
struct ParseActions {
  /// Shows the environment for -v and --dryrun. Called before anything is checked.
  std::function<void()> showEnvironment = [] {};
  std::function<bool()> printClangdConfiguration = [] { return false; }; ///< false on failure
};

/// Parses ARGV (without the program's name), with @files expanded; prints errors and help.
ParseResult parseOptions(llvm::ArrayRef<const char *> argv, const ParseActions &actions = {});

} // namespace vx::driver

#endif // VX_LIB_DRIVER_OPTIONS_H
