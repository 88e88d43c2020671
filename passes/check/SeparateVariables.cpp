// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-separate-variables: in code for the checkers (module flag vx.forCheckers), bytes that belong
// to nothing lie before and after each __device__ and __constant__ variable, so that memcheck sees
// an access from one to the next:
//
//     @table = constant [8 x i32] …
// ->
//     @__vx_padding.before.table = internal constant [16 x i8] …, section ".rodata.vx.table"
//     @table = constant [8 x i32] …, section ".rodata.vx.table"
//     @__vx_padding.behind.table = internal constant [16 x i8] …, section ".rodata.vx.table"
//
// Variables of one section of an object are laid out in the module's order, and the section stays
// whole in the image. The simulator finds the padding by its symbols (kPaddingSymbolPrefix).

#include "intrinsics/abi/CheckHints.h"
#include "intrinsics/abi/SymbolNames.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "passes/Passes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true if G is a variable of the program that can be given a section. Those with a section
/// of the program's choice stay there, and so do constants that hold addresses, whose section is
/// another one where code is relocatable.
bool isSeparable(const GlobalVariable &g) {
  return !g.isDeclaration() && !g.hasAvailableExternallyLinkage() && !g.hasAppendingLinkage() &&
         !g.hasPrivateLinkage() && !g.hasSection() && !g.isThreadLocal() &&
         g.getAddressSpace() == 0 && !g.getName().starts_with("__vx") &&
         !g.getName().starts_with("llvm.") &&
         !(g.isConstant() && g.getInitializer()->needsRelocation());
}

StringRef sectionOf(const GlobalVariable &g) {
  if (g.isConstant())
    return ".rodata.vx.";
  return g.getInitializer()->isNullValue() ? ".bss.vx." : ".data.vx.";
}

void addPadding(Module &m, GlobalVariable &g, const char *where, uint64_t bytes, Align align,
                Module::global_iterator before) {
  auto *type = ArrayType::get(Type::getInt8Ty(m.getContext()), bytes);
  // Bytes other than 0 in .data: the section is not one of zeros.
  Constant *value = sectionOf(g) == ".data.vx."
                        ? ConstantDataArray::getString(
                              m.getContext(), std::string(bytes, char(0xcc)), /*AddNull=*/false)
                        : Constant::getNullValue(type);
  auto *padding = new GlobalVariable(type, g.isConstant(), GlobalValue::InternalLinkage, value,
                                     Twine(abi::kPaddingSymbolPrefix) + where + "." + g.getName());
  padding->setSection(g.getSection());
  padding->setAlignment(align);
  padding->setDSOLocal(true);
  m.insertGlobalVariable(before, padding);
}

void separate(Module &m, GlobalVariable &g) {
  Align align = m.getDataLayout().getPreferredAlign(&g);
  g.setAlignment(align);
  g.setUnnamedAddr(GlobalValue::UnnamedAddr::None); // nor merged with another one
  g.setComdat(nullptr);
  g.setSection((sectionOf(g) + g.getName()).str());
  uint64_t bytes = alignTo<VX_VARIABLE_PADDING>(align.value());
  addPadding(m, g, "before", bytes, align, g.getIterator());
  addPadding(m, g, "behind", VX_VARIABLE_PADDING, Align(1), std::next(g.getIterator()));
}

} // namespace

PreservedAnalyses SeparateVariablesPass::run(Module &m, ModuleAnalysisManager &) {
  if (!deviceOption::forCheckers(m))
    return PreservedAnalyses::all();
  SmallVector<GlobalVariable *, 16> variables;
  for (GlobalVariable &g : m.globals())
    if (isSeparable(g))
      variables.push_back(&g);
  for (GlobalVariable *g : variables)
    separate(m, *g);
  return PreservedAnalyses::none();
}

} // namespace vx
