// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composites of values that are not constants, which the translator fails on, put together one
// constituent at a time:
//
//                                                %0 = OpUndef %pair
//   %r = OpCompositeConstruct %pair %a %b  ──►   %1 = OpCompositeInsert %pair %a %0 0
//                                                %r = OpCompositeInsert %pair %b %1 1
//
// A constituent of a vector may be a vector, whose elements are taken out first.

#include "frontend/spirv/Normalize.h"
#include "llvm/ADT/STLExtras.h"
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

class Composites {
public:
  Composites(Words &module, Declarations &declarations)
      : declarations(declarations), out(module, declarations) {}

  void run() {
    out.run([&](const SpvInstruction &i) {
      if (i.opcode == number(spv::Op::OpCompositeConstruct))
        construct(i.operands[0], i.operands[1], i.operands.drop_front(2));
      else
        out.keep(i);
    });
  }

private:
  void construct(uint32_t type, uint32_t id, ArrayRef<uint32_t> constituents) {
    Words parts;
    bool isVector = declarations.vectors.contains(type);
    for (uint32_t constituent : constituents) {
      auto vector = declarations.vectors.find(declarations.typeOf(constituent));
      if (!isVector || vector == declarations.vectors.end()) {
        parts.push_back(constituent);
        continue;
      }
      auto [element, count] = vector->second;
      for (uint32_t i = 0; i != count; ++i)
        parts.push_back(out.add(spv::Op::OpCompositeExtract, element, {constituent, i}));
    }
    // Without parts, it is a structure without members.
    uint32_t whole = out.add(spv::Op::OpUndef, type, {}, parts.empty() ? id : 0);
    for (auto [i, part] : enumerate(parts))
      whole = out.add(spv::Op::OpCompositeInsert, type, {part, whole, static_cast<uint32_t>(i)},
                      i + 1 == parts.size() ? id : 0);
  }

  Declarations &declarations;
  Rewriter out;
};

} // namespace

void expandComposites(Words &module, Declarations &declarations) {
  Composites(module, declarations).run();
}

} // namespace vx::spirv
