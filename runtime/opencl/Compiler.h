// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler, which is a program of its own: `vxcc` next to this library, or what
// VX_OPENCL_COMPILER names. VX_OPENCL_OPTIONS are put in front of each program's options.

#ifndef VX_RUNTIME_OPENCL_COMPILER_H
#define VX_RUNTIME_OPENCL_COMPILER_H

#include "runtime/opencl/Objects.h"
#include <optional>

namespace vx::cl {

struct SourceFile {
  std::string name; ///< may have folders: an embedded header
  std::string content;
};

struct CompileJob {
  std::vector<SourceFile> inputs;  ///< compiled or linked together
  std::vector<SourceFile> headers; ///< found by #include
  std::vector<std::string> options;
  std::vector<std::string> specConstants; ///< options that give those of SPIR-V their values
  std::string language = "cl";
  bool toObject = false; ///< bitcode that can be linked, not an image
};

struct CompileResult {
  bool done = false;
  bool noCompiler = false; ///< it could not be started
  std::string log;
  std::string output;
};

CompileResult compile(const CompileJob &job);

/// The words of OPTIONS (double quotes keep blanks), or nothing if one is not an option of
/// clBuildProgram, clCompileProgram or clLinkProgram; LOG, if given, then says which.
std::optional<std::vector<std::string>> splitOptions(const char *options,
                                                     std::string *log = nullptr);

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_COMPILER_H
