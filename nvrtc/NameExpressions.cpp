// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nvrtc/NameExpressions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace vx::nvrtc {

static std::string variableName(size_t i) {
  return "__vx_name_expression_" + utostr(i);
}

std::string declareNames(ArrayRef<std::string> expressions) {
  std::string text;
  for (size_t i = 0; i < expressions.size(); ++i)
    text += "#line 1 \"name expression\"\n"
            "__attribute__((device, used)) auto " +
            variableName(i) + " = (" + expressions[i] + ");\n";
  return text;
}

std::vector<std::string> takeNames(Module &module, size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    names.emplace_back();
    GlobalVariable *variable = module.getGlobalVariable(variableName(i), /*AllowInternal=*/true);
    if (!variable)
      continue;
    if (variable->hasInitializer()) {
      Constant *value = variable->getInitializer()->stripPointerCasts();
      if (auto *named = dyn_cast<GlobalValue>(value)) {
        names.back() = named->getName().str();
        if (named->hasLocalLinkage())
          named->setLinkage(GlobalValue::ExternalLinkage);
      }
    }
    removeFromUsedLists(module, [&](Constant *c) { return c->stripPointerCasts() == variable; });
    variable->removeDeadConstantUsers();
    if (variable->use_empty())
      variable->eraseFromParent();
  }
  return names;
}

void exposeStaticVariables(Module &module) {
  for (GlobalVariable &variable : module.globals()) {
    unsigned space = variable.getAddressSpace();
    StringRef name = variable.getName();
    size_t length = 0;
    // _ZL, the length of the name, the name.
    if (!variable.hasLocalLinkage() ||
        (space != NVPTXAS::ADDRESS_SPACE_GLOBAL && space != NVPTXAS::ADDRESS_SPACE_CONST) ||
        !name.consume_front("_ZL") || name.consumeInteger(10, length) || name.size() != length)
      continue;
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setExternallyInitialized(true); // the host writes it
    if (!module.getNamedValue(name))
      variable.setName(name.str());
  }
}

} // namespace vx::nvrtc
