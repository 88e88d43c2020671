// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mangled name is taken apart into the types of its parameters and put together again, as an
// address space that goes away renumbers the substitutions behind it:
//
//   _Z5fractDv4_fPU3AS4S_    (float4, generic float4 *) ──► _Z5fractDv4_fPS_
//   _Z1fPU3AS4iS0_           (generic int *, the same)  ──► _Z1fPiS_

#include "doors/spirv/BuiltinNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <vector>

using namespace llvm;

namespace vx::spirv {
namespace {

/// A type, from the outside in: "P", "U3AS4VK", "U7_Atomic", "Dv4_", and a name at last.
using Layers = std::vector<std::string>;

/// The builtin types that have one letter.
constexpr StringLiteral kLetters = "vbcahstijlmxyfdz";

bool isBuiltin(StringRef layer) {
  return (layer.size() == 1 && kLetters.contains(layer.front())) || layer == "Dh";
}

/// Reads the parameters of a function.
class Reader {
public:
  explicit Reader(StringRef text) : rest(text) {}

  std::optional<std::vector<Layers>> readAll() {
    std::vector<Layers> result;
    while (!rest.empty()) {
      auto type = read();
      if (!type)
        return std::nullopt;
      result.push_back(std::move(*type));
    }
    return result;
  }

private:
  std::optional<Layers> read() {
    if (rest.starts_with("S"))
      return readSubstitution();
    std::string head = readQualifiers();
    if (head.empty() && rest.consume_front("U7_Atomic"))
      head = "U7_Atomic";
    else if (head.empty() && rest.consume_front("P"))
      head = "P";
    else if (head.empty() && rest.starts_with("Dv")) {
      size_t end = rest.find('_');
      if (end == StringRef::npos)
        return std::nullopt;
      head = rest.take_front(end + 1).str();
      rest = rest.drop_front(end + 1);
    }
    if (head.empty())
      return readName();
    auto inner = read();
    if (!inner)
      return std::nullopt;
    inner->insert(inner->begin(), head);
    candidates.push_back(*inner);
    return inner;
  }

  /// Address space, restrict, volatile and const, as they stand.
  std::string readQualifiers() {
    std::string result;
    while (true) {
      if (rest.starts_with("U3AS") && rest.size() > 4) {
        result += rest.take_front(5);
        rest = rest.drop_front(5);
      } else if (!rest.empty() && StringRef("rVK").contains(rest.front())) {
        result += rest.front();
        rest = rest.drop_front();
      } else {
        return result;
      }
    }
  }

  std::optional<Layers> readName() {
    if (rest.consume_front("Dh"))
      return Layers{"Dh"};
    if (rest.empty())
      return std::nullopt;
    if (kLetters.contains(rest.front())) {
      Layers result = {rest.take_front(1).str()};
      rest = rest.drop_front();
      return result;
    }
    StringRef all = rest;
    size_t length = 0;
    if (!isDigit(rest.front()) || rest.consumeInteger(10, length) || !length ||
        length > rest.size())
      return std::nullopt;
    rest = rest.drop_front(length);
    Layers result = {all.drop_back(rest.size()).str()};
    candidates.push_back(result);
    return result;
  }

  std::optional<Layers> readSubstitution() {
    rest = rest.drop_front();
    size_t end = rest.find('_');
    unsigned index = 0;
    if (end == StringRef::npos || (end && rest.take_front(end).getAsInteger(36, index)))
      return std::nullopt;
    index += end ? 1 : 0;
    rest = rest.drop_front(end + 1);
    if (index >= candidates.size())
      return std::nullopt;
    return candidates[index];
  }

  StringRef rest;
  std::vector<Layers> candidates;
};

/// Writes parameters, with substitutions.
class Writer {
public:
  void write(ArrayRef<std::string> type) {
    if (isBuiltin(type.front())) {
      text += type.front();
      return;
    }
    std::string whole = join(type, "");
    for (auto [i, candidate] : enumerate(candidates))
      if (candidate == whole) {
        text += "S" + (i ? toBase36(i - 1) : "") + "_";
        return;
      }
    text += type.front();
    if (type.size() > 1)
      write(type.drop_front());
    candidates.push_back(whole);
  }

  std::string text;

private:
  static std::string toBase36(size_t value) {
    std::string digits;
    do {
      digits.insert(digits.begin(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % 36]);
      value /= 36;
    } while (value);
    return digits;
  }

  std::vector<std::string> candidates;
};

/// TYPE with the address spaces of NVVM IR.
Layers mapSpaces(const Layers &type) {
  Layers result;
  for (StringRef layer : type) {
    std::string mapped = layer.str();
    if (layer.starts_with("U3AS4") || layer.starts_with("U3AS0"))
      mapped = layer.drop_front(5).str();
    else if (layer.starts_with("U3AS2"))
      mapped = "U3AS4" + layer.drop_front(5).str();
    if (!mapped.empty())
      result.push_back(mapped);
  }
  return result;
}

} // namespace

std::string remangle(StringRef mangled) {
  StringRef rest = mangled;
  size_t length = 0;
  if (!rest.consume_front("_Z") || rest.empty() || !isDigit(rest.front()) ||
      rest.consumeInteger(10, length) || length >= rest.size())
    return mangled.str();
  StringRef prefix = mangled.take_front(mangled.size() - rest.size() + length);
  auto types = Reader(rest.drop_front(length)).readAll();
  if (!types)
    return mangled.str();
  Writer writer;
  for (const Layers &type : *types)
    writer.write(mapSpaces(type));
  return prefix.str() + writer.text;
}

} // namespace vx::spirv
