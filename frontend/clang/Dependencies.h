// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Make rules. Each half of a compilation leaves a rule of its own, with the target kRuleTarget and
// the files that it read; a source depends on the files of both.

#ifndef VX_FRONTEND_CLANG_DEPENDENCIES_H
#define VX_FRONTEND_CLANG_DEPENDENCIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace vx {

/// The target of the rules that the halves write.
inline constexpr const char *kRuleTarget = "files";

/// Returns NAME as make reads it.
std::string quoteForMake(llvm::StringRef name);

/// Appends the prerequisites of RULE, quoted for make, that FILES does not have yet.
void addPrerequisites(llvm::StringRef rule, std::vector<std::string> &files);

/// Returns the rule that TARGETS (quoted) depend on FILES, the first of which is the source; with
/// PHONY, an empty rule for each of the others, so that make continues when one is gone.
std::string makeRule(llvm::ArrayRef<std::string> targets, llvm::ArrayRef<std::string> files,
                     bool phony);

} // namespace vx

#endif // VX_FRONTEND_CLANG_DEPENDENCIES_H
