// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A SPIR-V module as words (SPIR-V 1.6, 2.3): what reading, normalising and writing share.

#ifndef VX_FRONTEND_SPIRV_MODULE_H
#define VX_FRONTEND_SPIRV_MODULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spv {
enum class Op : unsigned; // in spirv.hpp11, which some include with its tables and some without
}

namespace vx::spirv {

/// The name by which a module imports OpenCL's extended instructions.
inline constexpr llvm::StringLiteral kOpenCLInstructions = "OpenCL.std";

/// OPCODE as it stands in words.
constexpr unsigned number(spv::Op opcode) {
  return static_cast<unsigned>(opcode);
}

/// Words in the order of this machine; the first five are the header.
using Words = std::vector<uint32_t>;

inline constexpr size_t kHeaderWords = 5;

struct SpvInstruction {
  unsigned opcode;
  size_t number;                     ///< the first one after the header is 1
  llvm::ArrayRef<uint32_t> operands; ///< all words but the first
  llvm::ArrayRef<uint32_t> words;
};

/// Returns true if the file content BYTES begins as modules of either byte order do.
bool beginsWithMagic(llvm::StringRef bytes);

/// Returns the words of the file content BYTES, or nothing if that is not a header followed by
/// words.
std::optional<Words> readWords(llvm::StringRef bytes);

/// Returns the minor number of the version, of which the major one is 1; nothing for other
/// versions.
std::optional<unsigned> minorVersion(const Words &module);

/// Calls VISIT for each instruction, in order; false if one of them does not fit.
bool forEachInstruction(const Words &module,
                        llvm::function_ref<void(const SpvInstruction &)> visit);

/// Returns true if OPCODE belongs to the module's beginning, up to its strings.
bool isBeforeNames(unsigned opcode);

/// Returns the name of OPCODE, as "OpLoad"; "opcode 4711" if there is none.
std::string nameOfOpcode(unsigned opcode);

/// Returns the string literal that WORDS begin with, and how many of them it takes.
std::pair<std::string, size_t> readString(llvm::ArrayRef<uint32_t> words);

/// Appends an instruction to WORDS.
void append(Words &words, unsigned opcode, llvm::ArrayRef<uint32_t> operands);

/// Returns TEXT as words of a string literal.
Words stringWords(llvm::StringRef text);

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_MODULE_H
