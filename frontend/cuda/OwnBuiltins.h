// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a program with names of clang's builtins, as __rdtsc, that nvcc and its host
// compiler do not have. Clang refuses their declarations; a source that has some is read again
// without those builtins.

#ifndef VX_FRONTEND_OWN_BUILTINS_H
#define VX_FRONTEND_OWN_BUILTINS_H

#include <set>
#include <string>

namespace clang {
class CompilerInstance;
class Diagnostic;
} // namespace clang

namespace vx {

/// Returns the name of the builtin that INFO, an error or its note, says a declaration of the
/// program is in conflict with, or nothing.
std::string ownBuiltinOf(const clang::Diagnostic &info);

/// Makes INSTANCE, before it runs, know none of the builtins NAMES.
void forgetBuiltins(clang::CompilerInstance &instance, const std::set<std::string> &names);

} // namespace vx

#endif // VX_FRONTEND_OWN_BUILTINS_H
