// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mangled name is split into the types of its parameters and put together again with the
// address spaces of NVVM IR, where private and generic memory have no name:
//
//   _Z5fractDv4_fPU3AS4S_    (float4, generic float4 *) ──► _Z5fractDv4_fPS_
//   _Z1fPU3AS4iPi            (generic int *, int *)     ──► _Z1fPiPi
//
// A type in an address space without a name is a substitution of its own all the same, and one in
// generic memory another one than one in private memory. So types are compared as SPIR names them.

#include "frontend/spirv/BuiltinNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <vector>

using namespace llvm;

namespace vx::spirv {
namespace {

/// A type as in SPIR, from the outside in: "P", "U3AS4VK", "U7_Atomic", "Dv4_", and a name at last.
/// What a pointer is to always has an address space.
using Layers = std::vector<std::string>;

constexpr StringLiteral kSpace = "U3AS";
constexpr StringLiteral kPrivate = "U3AS0";

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
    if (rest.consume_front("P"))
      return wrap("P", readPointee());
    std::string head = readQualifiers();
    if (head.empty() && rest.consume_front("U7_Atomic"))
      head = "U7_Atomic";
    else if (head.empty() && rest.starts_with("Dv")) {
      size_t end = rest.find('_');
      if (end == StringRef::npos)
        return std::nullopt;
      head = rest.take_front(end + 1).str();
      rest = rest.drop_front(end + 1);
    }
    return head.empty() ? readName() : wrap(head, read());
  }

  /// Reads what a pointer points to. It is in private memory if no address space is named.
  std::optional<Layers> readPointee() {
    std::string qualifiers = readQualifiers();
    auto inner = read();
    // A substitution may be the whole with its address space.
    if (!inner || (qualifiers.empty() && StringRef(inner->front()).starts_with(kSpace)))
      return inner;
    if (!StringRef(qualifiers).starts_with(kSpace))
      qualifiers = kPrivate.str() + qualifiers;
    return wrap(qualifiers, std::move(inner));
  }

  /// Returns the type that HEAD makes of INNER, which later ones may refer to.
  std::optional<Layers> wrap(StringRef head, std::optional<Layers> inner) {
    if (inner) {
      inner->insert(inner->begin(), head.str());
      candidates.push_back(*inner);
    }
    return inner;
  }

  /// Reads address space, restrict, volatile and const, as they stand.
  std::string readQualifiers() {
    std::string result;
    while (true) {
      if (rest.starts_with(kSpace) && rest.size() > 4) {
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

/// Returns the qualifiers LAYER with the address space of NVVM IR; other layers as they are.
std::string mapSpace(StringRef layer) {
  StringRef rest = layer;
  if (rest.consume_front(kPrivate) || rest.consume_front("U3AS4"))
    return rest.str();
  return rest.consume_front("U3AS2") ? ("U3AS4" + rest).str() : layer.str();
}

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
    text += mapSpace(type.front());
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
    writer.write(type);
  return prefix.str() + writer.text;
}

} // namespace vx::spirv
