// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols of name expressions. Each expression becomes the value of a variable after the
// source, so that the compiler instantiates what it names; the variable's initializer then is the
// symbol.

#ifndef VX_NVRTC_NAME_EXPRESSIONS_H
#define VX_NVRTC_NAME_EXPRESSIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace vx::nvrtc {

/// Returns source text that has a variable for each of EXPRESSIONS.
std::string declareNames(llvm::ArrayRef<std::string> expressions);

/// Returns the symbols of the COUNT variables in MODULE, which no longer has the variables; what
/// they name is visible from outside. An empty one: the expression names neither a kernel nor
/// a variable.
std::vector<std::string> takeNames(llvm::Module &module, size_t count);

/// Returns LOG of the compiler without the declarations that declareNames() has put around
/// expressions.
std::string hideDeclarations(llvm::StringRef log);

/// Makes static variables of the global namespace visible from outside, under their names in the
/// source: cuModuleGetGlobal() finds them, as it does with NVIDIA's compiler.
void exposeStaticVariables(llvm::Module &module);

} // namespace vx::nvrtc

#endif // VX_NVRTC_NAME_EXPRESSIONS_H
