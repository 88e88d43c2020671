// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of device code as the user knows them.

#ifndef VX_INTRINSICS_ABI_SYMBOLNAMES_H
#define VX_INTRINSICS_ABI_SYMBOLNAMES_H

#include <cstdlib>
#include <cxxabi.h>
#include <string>
#include <string_view>

namespace vx::abi {

/// Returns SYMBOL without the hash of its file that internal kernels and variables of relocatable
/// device code have after the name: "_ZL5scalePi__intern__0123456789abcdef".
constexpr std::string_view withoutFileHash(std::string_view symbol) {
  for (std::string_view infix : {"__intern__", "__static__"}) {
    size_t at = symbol.rfind(infix);
    if (at == std::string_view::npos || at == 0 || at + infix.size() == symbol.size())
      continue;
    if (symbol.find_first_not_of("0123456789abcdef", at + infix.size()) == std::string_view::npos)
      return symbol.substr(0, at);
  }
  return symbol;
}

/// Returns SYMBOL as in the source: without the hash of its file, and demangled if it is the name
/// of something in C++. Other names stay: those of types alone, such as "i" and "f", could be
/// demangled, too.
inline std::string sourceName(std::string_view symbol) {
  std::string name(withoutFileHash(symbol));
  if (!name.starts_with("_Z"))
    return name;
  int status = 0;
  char *text = ::abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status == 0 && text)
    name = text;
  std::free(text);
  return name;
}

/// A shared variable V of the entry E is the absolute symbol of this prefix followed by "E.V"; its
/// value is the offset in the block's shared memory.
inline constexpr char kSharedSymbolPrefix[] = "__vx_shared.";

/// Bytes next to a variable that belong to nothing, in code for the checkers, are a symbol of this
/// prefix.
inline constexpr char kPaddingSymbolPrefix[] = "__vx_padding.";

} // namespace vx::abi

#endif // VX_INTRINSICS_ABI_SYMBOLNAMES_H
