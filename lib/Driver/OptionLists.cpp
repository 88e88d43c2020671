// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/OptionLists.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace vx::driver {

std::optional<std::vector<std::string>> splitList(StringRef value) {
  std::vector<std::string> elements(1);
  bool quoted = false;
  for (size_t i = 0; i < value.size(); ++i) {
    char c = value[i];
    bool escaped = c == '\\' && i + 1 < value.size() && !isAlnum(value[i + 1]);
    if (escaped)
      elements.back() += value[++i];
    else if (c == ',' && !quoted)
      elements.emplace_back();
    else
      elements.back() += c;
    quoted ^= c == '"' && !escaped;
  }
  if (quoted)
    return std::nullopt;
  erase_if(elements, [](const std::string &element) { return element.empty(); });
  return elements;
}

std::vector<std::string> shellWords(ArrayRef<std::string> elements) {
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *, 8> words;
  cl::TokenizeGNUCommandLine(join(elements, " "), saver, words);
  return {words.begin(), words.end()};
}

} // namespace vx::driver
