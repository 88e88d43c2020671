// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes to a valid module that keep its meaning and that the translator needs.

#ifndef VX_FRONTEND_SPIRV_NORMALIZE_H
#define VX_FRONTEND_SPIRV_NORMALIZE_H

#include "frontend/spirv/Declarations.h"
#include <map>

namespace vx::spirv {

/// Values of specialization constants, as text, by SpecId.
using SpecConstants = std::map<uint32_t, std::string>;

/// The extended instructions for debug information that the translator reads.
inline constexpr llvm::StringLiteral kOpenCLDebugInfo = "OpenCL.DebugInfo.100";
inline constexpr llvm::StringLiteral kDebugInstructions[] = {kOpenCLDebugInfo, "SPIRV.debug",
                                                             "DebugInfo"};

/// The option that gives one: --spec-constant=7=0x10. A hexadecimal number is the bits of the
/// value; a decimal one, with or without a fraction, is converted to its type.
inline constexpr llvm::StringLiteral kSpecConstantOption = "--spec-constant=";

/// Reads TEXT, `<id>=<number>`, into CONSTANTS; false if it is not of that form.
bool addSpecConstant(SpecConstants &constants, llvm::StringRef text);

/// Gives specialization constants their values, removes what the translator does not read, and
/// writes lines and constants as it reads them. Why that cannot be done, or nothing.
std::optional<std::string> normalize(Words &module, const SpecConstants &constants);

/// Writes what is not valid in modules of some compilers as it should be. MODULE may be any.
void legalize(Words &module);

/// Passes printf its formats as the specification wants them, which LLVM's back end does not.
/// MODULE need not be valid.
void rewritePrintfFormats(Words &module);

// Each of the others makes MODULE, which SURVEY describes before and after it, anew.

/// Writes null constants of scalar types as zeros and false: the translator knows them for other
/// types only. MODULE need not be valid.
void rewriteNulls(Words &module, Declarations &declarations);

/// Adds debug information (OpenCL.DebugInfo.100) to a module that has nothing but OpLine: the
/// translator takes lines only where there is a scope.
void addLineScopes(Words &module, Declarations &declarations);

/// Writes comparisons and differences of pointers, and casts between pointers and numbers, as
/// arithmetic on their numbers.
void expandPointerOperations(Words &module, Declarations &declarations);

/// Writes the instructions that return a pair, such as OpIAddCarry and OpUMulExtended, as others.
void expandExtendedArithmetic(Words &module, Declarations &declarations);

/// Writes OpCompositeConstruct as insertions.
void expandComposites(Words &module, Declarations &declarations);

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_NORMALIZE_H
