// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/loader/CodeMap.h"
#include "intrinsics/abi/SymbolNames.h"
#include "intrinsics/isa/Disassembler.h"
#include "intrinsics/text/Hex.h"
#include <algorithm>

namespace vx::sim {

std::string CodePlace::text() const {
  std::string out = function;
  if (!function.empty() && offset)
    out += "+" + hexText(offset);
  if (!source.file.empty())
    out += (out.empty() ? "" : " ") + source.file + ":" + std::to_string(source.line);
  return out;
}

std::string readableName(const std::string &symbol) {
  // An entry of a kernel is called __vx_entry.KIND.KERNEL.
  constexpr std::string_view prefix = "__vx_entry.";
  std::string name = symbol, kind;
  if (symbol.starts_with(prefix))
    if (size_t dot = symbol.find('.', prefix.size()); dot != std::string::npos) {
      kind = " [" + symbol.substr(prefix.size(), dot - prefix.size()) + "]";
      name = symbol.substr(dot + 1);
    }
  return vx::abi::sourceName(name) + kind;
}

CodeMap::CodeMap(const ElfImage &image, uint64_t slide, unsigned xlen)
    : xlen(xlen), slide(slide), lines(std::make_unique<LineTable>(image)),
      inlinedCalls(std::make_unique<InlineTable>(image, *lines)) {
  for (const auto &[name, symbol] : image.symbols())
    if (symbol.isFunction && symbol.size)
      functions.push_back({symbol.address, symbol.size, readableName(name)});
  std::stable_sort(functions.begin(), functions.end(),
                   [](const auto &a, const auto &b) { return a.address < b.address; });
}

const CodePlace &CodeMap::at(uint64_t pc) {
  auto [found, isNew] = places.try_emplace(pc);
  CodePlace &place = found->second;
  if (!isNew)
    return place;
  uint64_t address = linkedAddress(pc);
  auto after =
      std::upper_bound(functions.begin(), functions.end(), address,
                       [](uint64_t value, const Function &f) { return value < f.address; });
  if (after != functions.begin())
    if (const Function &f = *std::prev(after); address - f.address < f.size) {
      place.function = f.name;
      place.offset = address - f.address;
    }
  if (lines) {
    place.source = lines->find(address);
    place.inlined = inlinedCalls->find(address);
  }
  return place;
}

const std::string &CodeMap::disassemble(uint64_t pc, uint32_t word) {
  Text &entry = texts[pc];
  if (entry.text.empty() || entry.word != word) {
    entry.word = word;
    entry.text = isa::disassemble(word, linkedAddress(pc), xlen);
  }
  return entry.text;
}

} // namespace vx::sim
