// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/nvrtc/NameExpressions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <utility>

using namespace llvm;

namespace vx::nvrtc {

static constexpr StringLiteral kPrefix = "__vx_name_expression_";

static std::string variableName(size_t i) {
  return kPrefix.str() + utostr(i);
}

std::string declareNames(ArrayRef<std::string> expressions) {
  std::string text;
  for (size_t i = 0; i < expressions.size(); ++i)
    text += "#line 1 \"name expression\"\n"
            "__attribute__((device, used)) auto " +
            variableName(i) + " = (\n#line 1 \"name expression\"\n" + expressions[i] + "\n);\n";
  return text;
}

std::string hideDeclarations(StringRef log) {
  std::string text;
  bool isCaretNext = false;
  while (!log.empty()) {
    auto [line, rest] = log.split('\n');
    log = rest;
    bool isCaret = std::exchange(isCaretNext, false) && line.trim().starts_with("|");
    size_t at = line.find(kPrefix);
    if (isCaret)
      continue;
    if (at == StringRef::npos) {
      text += (line + "\n").str();
      continue;
    }
    isCaretNext = true; // below a line of the source, if this is one
    // variable 'NAME' with type 'auto' has incompatible initializer of type '…'
    auto [before, message] = line.split("variable '");
    auto [name, after] = message.split(" has incompatible initializer of ");
    if (!after.empty())
      text += (before + "the name expression is of " + after + "\n").str();
  }
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
      auto *named = dyn_cast<GlobalValue>(value);
      auto *function = dyn_cast_or_null<Function>(named);
      if (named && (!function || function->getCallingConv() == CallingConv::PTX_Kernel)) {
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
