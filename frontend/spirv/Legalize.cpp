// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repairs what widely used compilers write and SPIRV-Tools' validator refuses:
//
//   formats of printf that are arrays, of LLVM's back end          a pointer to the first character
//   null constants as indices into structures, of the same         zeros
//   null constants of events with their type again and again, of   one type
//     the same
//   debug information of SPIRV-LLVM-Translator, as without a       none, except OpLine
//     declaration, a return type, the text of a source file

#include "frontend/spirv/Normalize.h"
#include "llvm/ADT/STLExtras.h"
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

/// Cuts instructions such as OpConstantNull %event %id %event, with %event again for each further
/// use, so that they end after the id.
void cutNulls(Words &module, Declarations &declarations) {
  Rewriter out(module, declarations);
  out.run([&](const SpvInstruction &i) {
    bool isRepeated =
        i.opcode == number(spv::Op::OpConstantNull) && i.operands.size() > 2 &&
        all_of(i.operands.drop_front(2), [&](uint32_t o) { return o == i.operands[0]; });
    out.emit(i.opcode, isRepeated ? i.operands.take_front(2) : i.operands);
  });
}

void dropDebugInfo(Words &module, Declarations &declarations) {
  SmallVector<uint32_t, 3> sets;
  for (StringRef name : kDebugInstructions)
    if (uint32_t set = declarations.imports.lookup(name))
      sets.push_back(set);
  if (sets.empty())
    return;
  Rewriter out(module, declarations);
  out.run([&](const SpvInstruction &i) {
    bool isImport = i.opcode == number(spv::Op::OpExtInstImport) && !i.operands.empty() &&
                    is_contained(sets, i.operands[0]);
    bool isUse = i.opcode == number(spv::Op::OpExtInst) && i.operands.size() >= 3 &&
                 is_contained(sets, i.operands[2]);
    if (!isImport && !isUse)
      out.keep(i);
  });
}

} // namespace

void legalize(Words &module) {
  rewritePrintfFormats(module);
  Declarations declarations(module);
  cutNulls(module, declarations);
  rewriteNulls(module, declarations);
  dropDebugInfo(module, declarations);
}

} // namespace vx::spirv
