// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/Lines.h"
#include "frontend/spirv/Declarations.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

constexpr StringLiteral kMarker = "__vx_line";

/// Returns the function of MODULE that is called; 0 if there is none.
uint32_t findMarker(const Words &module) {
  uint32_t marker = 0;
  forEachInstruction(module, [&](const SpvInstruction &i) {
    ArrayRef<uint32_t> o = i.operands;
    if (i.opcode == number(spv::Op::OpDecorate) &&
        o[1] == static_cast<uint32_t>(spv::Decoration::LinkageAttributes) &&
        readString(o.drop_front(2)).first == kMarker)
      marker = o[0];
  });
  return marker;
}

} // namespace

void Lines::mark(llvm::Module &module) {
  Type *i32 = Type::getInt32Ty(module.getContext());
  FunctionCallee marker = module.getOrInsertFunction(
      kMarker, FunctionType::get(Type::getVoidTy(module.getContext()), {i32, i32, i32}, false));
  cast<Function>(marker.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
  for (Function &f : module)
    for (BasicBlock &block : f) {
      std::tuple<unsigned, unsigned, unsigned> last;
      for (llvm::Instruction &i : make_range(block.getFirstNonPHIOrDbgOrAlloca(), block.end())) {
        const DebugLoc &location = i.getDebugLoc();
        if (!location || !location.getLine())
          continue;
        StringRef name = location->getFilename();
        auto file = find(files, name);
        std::tuple here(unsigned(file - files.begin()), location.getLine(), location.getCol());
        if (file == files.end())
          files.push_back(name.str());
        if (here == last)
          continue;
        last = here;
        IRBuilder<> b(&i);
        b.SetCurrentDebugLocation(DebugLoc());
        auto [index, line, column] = here;
        b.CreateCall(marker, {b.getInt32(index), b.getInt32(line), b.getInt32(column)})
            ->setCallingConv(CallingConv::SPIR_FUNC);
      }
    }
  if (marker.getCallee()->use_empty())
    cast<Function>(marker.getCallee())->eraseFromParent();
  StripDebugInfo(module);
}

void Lines::write(Words &module) const {
  const uint32_t marker = findMarker(module);
  if (!marker)
    return;
  Declarations declarations(module);
  Rewriter out(module, declarations);
  SmallVector<uint32_t, 4> names;
  for (const std::string &file : files)
    names.push_back(out.addString(file));
  bool inMarker = false;
  out.run([&](const SpvInstruction &i) {
    ArrayRef<uint32_t> o = i.operands;
    auto opcode = static_cast<spv::Op>(i.opcode);
    bool isDeclaration = opcode == spv::Op::OpFunction && o[1] == marker;
    bool describes = (opcode == spv::Op::OpName || opcode == spv::Op::OpDecorate) && o[0] == marker;
    inMarker |= isDeclaration;
    if (opcode == spv::Op::OpFunctionCall && o[2] == marker)
      out.emit(number(spv::Op::OpLine),
               {names[*declarations.constantOf(o[3])], *declarations.constantOf(o[4]),
                *declarations.constantOf(o[5])});
    else if (!inMarker && !describes)
      out.keep(i);
    if (opcode == spv::Op::OpFunctionEnd)
      inMarker = false;
  });
}

} // namespace vx::spirv
