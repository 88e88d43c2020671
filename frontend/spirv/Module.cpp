// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/Module.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/SwapByteOrder.h"
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {

bool beginsWithMagic(StringRef bytes) {
  if (bytes.size() < 4)
    return false;
  uint32_t word = support::endian::read32le(bytes.data());
  return word == spv::MagicNumber || word == llvm::byteswap(spv::MagicNumber);
}

std::optional<Words> readWords(StringRef bytes) {
  if (!beginsWithMagic(bytes) || bytes.size() < kHeaderWords * 4 || bytes.size() % 4)
    return std::nullopt;
  Words words(bytes.size() / 4);
  for (size_t i = 0; i != words.size(); ++i)
    words[i] = support::endian::read32le(bytes.data() + 4 * i);
  if (words[0] != spv::MagicNumber)
    for (uint32_t &word : words)
      word = llvm::byteswap(word);
  return words;
}

std::optional<unsigned> minorVersion(const Words &module) {
  uint32_t version = module[1];
  if (version >> 16 != 1 || (version & 0xff) != 0)
    return std::nullopt;
  return version >> 8 & 0xff;
}

bool forEachInstruction(const Words &module, function_ref<void(const SpvInstruction &)> visit) {
  ArrayRef<uint32_t> all = module;
  size_t number = 0;
  for (size_t at = kHeaderWords; at < all.size();) {
    size_t count = all[at] >> 16;
    if (!count || count > all.size() - at)
      return false;
    ArrayRef<uint32_t> words = all.slice(at, count);
    visit({words[0] & 0xffff, ++number, words.drop_front(), words});
    at += count;
  }
  return true;
}

bool isBeforeNames(unsigned opcode) {
  switch (static_cast<spv::Op>(opcode)) {
  case spv::Op::OpCapability:
  case spv::Op::OpExtension:
  case spv::Op::OpExtInstImport:
  case spv::Op::OpMemoryModel:
  case spv::Op::OpEntryPoint:
  case spv::Op::OpExecutionMode:
  case spv::Op::OpExecutionModeId:
  case spv::Op::OpString:
  case spv::Op::OpSourceExtension:
  case spv::Op::OpSource:
  case spv::Op::OpSourceContinued:
    return true;
  default:
    return false;
  }
}

std::string nameOfOpcode(unsigned opcode) {
  StringRef name = spvOpcodeString(opcode);
  return name == "unknown" ? "opcode " + utostr(opcode) : ("Op" + name).str();
}

std::pair<std::string, size_t> readString(ArrayRef<uint32_t> words) {
  std::string text;
  for (size_t i = 0; i != words.size(); ++i)
    for (unsigned shift = 0; shift != 32; shift += 8) {
      char c = static_cast<char>(words[i] >> shift & 0xff);
      if (!c)
        return {text, i + 1};
      text += c;
    }
  return {text, words.size()};
}

void append(Words &words, unsigned opcode, ArrayRef<uint32_t> operands) {
  words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
  words.insert(words.end(), operands.begin(), operands.end());
}

Words stringWords(StringRef text) {
  Words words(text.size() / 4 + 1);
  for (size_t i = 0; i != text.size(); ++i)
    words[i / 4] |= static_cast<uint32_t>(static_cast<unsigned char>(text[i])) << (i % 4 * 8);
  return words;
}

} // namespace vx::spirv
