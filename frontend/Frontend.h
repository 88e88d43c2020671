// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang in process. One source becomes a plan: the -cc1 command lines that clang's driver would run
// for it, for the device half (NVVM IR for nvptx64, sm_80) and for the host half. Each line can
// then be executed in this process; nothing of a CUDA toolkit is needed.
//
//   x.cu ── planCompile ──┬─ device ── compileDevice ──► llvm::Module (the contract of passes/)
//                         └─ host ──── runFrontend ────► object, assembly, preprocessed text, …

#ifndef VX_FRONTEND_FRONTEND_H
#define VX_FRONTEND_FRONTEND_H

#include "frontend/DiagnosticLog.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace vx {

/// The files and folders that a compilation needs.
struct FrontendPaths {
  std::string headers;       ///< the CUDA headers
  std::string clangResource; ///< clang's resource directory
  std::string llvmBin;       ///< folder of LLVM's programs (need not exist)
};

/// Returns the paths with clang's resource directory next to the LLVM library in use, else the one
/// known at build time.
FrontendPaths findLlvmPaths();

enum class SourceLanguage { Cuda, Cxx, C, Assembler };

struct CompileRequest {
  SourceLanguage language = SourceLanguage::Cuda;
  std::string input;
  std::string output;
  std::string deviceOutput; ///< file for text of the device half, if not `output`
  /// The kind of output: "-c", "-S", "-E", "-M" (host half; the device half of the first two is
  /// IR).
  std::string action = "-c";
  /// Clang driver arguments for both halves, and for one of them.
  std::vector<std::string> args, hostArgs;
  /// Files for a make rule of each half with the files that it read (Dependencies.h); empty: none.
  std::string hostRule, deviceRule;
  bool systemHeaders = true; ///< in the rules
  /// File to embed as the fat binary; of a relocatable object, as its device code
  /// (kDeviceCodeSection).
  std::string fatBinary;
  /// Device code may refer to that of other objects and is linked later. UNIT makes the names of
  /// internal functions and variables that the host knows different from those of other objects.
  bool relocatable = false;
  std::string unit;
  /// Compiles as NVRTC does: the device half only, and no headers of the host's libraries.
  bool atRunTime = false;
  /// Files that exist in memory only, by their absolute paths.
  std::vector<std::pair<std::string, std::string>> files;
  unsigned deviceOptLevel = 3;
  bool deviceDebug = false; ///< full debug information instead of line tables
  /// Fuse multiply and add, also across statements, as nvcc does; without a value, as the language
  /// says.
  std::optional<bool> contractFp = true;
  bool approxMath = false;               ///< sinf -> __sinf and so on
  std::vector<std::string> languageArgs; ///< options that only this language has (DeviceLanguage.h)
};

/// Arguments of `clang -cc1`, without the program and "-cc1".
using Cc1Args = std::vector<std::string>;

/// A program to run instead of clang in process (the assembler front end is not in the library).
using Command = std::vector<std::string>;

struct CompilePlan {
  Cc1Args
      device; ///< empty unless the language is CUDA; for "-c" and "-S" to be run by compileDevice
  Cc1Args host;
  std::vector<Command> external; ///< to be run instead of `host`

  /// Lets clang give back the memory that it has built up, for a process that continues and
  /// compiles more.
  void freeMemory();
};

/// Returns true if FOLDER holds the headers of NVIDIA's toolkit, which do not go with these ones.
bool hasToolkitHeaders(llvm::StringRef folder);

/// Returns what the compiler predefines besides clang's macros, as "-D" arguments.
std::vector<std::string> predefinedMacros();

/// The options that have to be added to a command line of vxcc, and left out of it, for clang's own
/// tools to read the source of it as the host half does.
struct ToolArguments {
  std::vector<std::string> added;
  std::vector<std::string> removed; ///< options, or prefixes of options that end with "*"
};

/// Returns these options. REMOVED are those of OPTIONS, as `-name`, or `-name=` for one with a
/// value, that clang does not have.
ToolArguments argumentsForClangTools(const FrontendPaths &paths,
                                     llvm::ArrayRef<std::string> options);

/// Makes the plan, or reports into LOG why there is none.
std::optional<CompilePlan> planCompile(const CompileRequest &request, const FrontendPaths &paths,
                                       DiagnosticLog &log);

/// Returns the -cc1 line that clang's driver makes of ARGS: none after errors, empty if it would
/// run no compiler.
std::optional<Cc1Args> planCc1(llvm::ArrayRef<std::string> args, const FrontendPaths &paths,
                               DiagnosticLog &log);

/// Returns what to add to a -cc1 line that shall write the make rule RULE (if not empty).
Cc1Args ruleArguments(const CompileRequest &request, const std::string &rule);

/// Runs the device half up to unoptimised NVVM IR; null if there were errors.
std::unique_ptr<llvm::Module> compileDevice(const Cc1Args &args, const CompileRequest &request,
                                            llvm::LLVMContext &context, DiagnosticLog &log);

/// Runs any other -cc1 line; false if there were errors.
bool runFrontend(const Cc1Args &args, DiagnosticLog &log);

/// Returns the command that links host objects: the system's linker as clang's driver calls it for
/// ARGS.
std::optional<Command> planLink(llvm::ArrayRef<std::string> args, const FrontendPaths &paths,
                                DiagnosticLog &log);

/// Replaces the content of section .nv_fatbin in the ELF relocatable file PATH by BYTES. A file
/// without that section (no kernels, no device variables) is left alone.
bool embedFatBinary(llvm::StringRef path, llvm::ArrayRef<char> bytes, DiagnosticLog &log);

/// The section with the device code of relocatable objects. Linkers leave it out of programs.
inline constexpr llvm::StringLiteral kDeviceCodeSection = ".llvm.offloading";

/// A relocatable object calls a function with this prefix followed by a name of its own, which the
/// result of the device link defines: (void (*registerGlobals)(void **), fat binary, name, …).
inline constexpr llvm::StringLiteral kRegisterLinkedPrefix = "__cudaRegisterLinkedBinary_";

/// Replaces the device code of the relocatable object PATH in the same way; its name becomes one
/// that depends on BYTES. PATH may be assembly text that has BYTES already: then only the name is
/// changed.
bool embedDeviceCode(llvm::StringRef path, llvm::ArrayRef<char> bytes, bool isText,
                     DiagnosticLog &log);

} // namespace vx

#endif // VX_FRONTEND_FRONTEND_H
