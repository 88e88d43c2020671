// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/AsmDiagnostics.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <set>

using namespace llvm;

namespace vx {

class AsmDiagnostics::Handler : public DiagnosticHandler {
public:
  Handler(std::unique_ptr<DiagnosticHandler> next, Module &m) : next(std::move(next)) {
    Type *i64 = Type::getInt64Ty(m.getContext());
    for (Function &f : m)
      for (Instruction &i : instructions(f)) {
        auto *call = dyn_cast<CallBase>(&i);
        if (!call || !call->isInlineAsm() || !call->getDebugLoc())
          continue;
        statements.push_back({&f, call->getDebugLoc().get()});
        auto *number = ConstantAsMetadata::get(ConstantInt::get(i64, statements.size()));
        call->setMetadata("srcloc", MDNode::get(m.getContext(), number));
      }
  }

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    failed |= info.getSeverity() == DS_Error;
    uint64_t number = 0;
    std::string message, line;
    if (const auto *parsed = dyn_cast<DiagnosticInfoSrcMgr>(&info)) {
      number = parsed->getLocCookie();
      const SMDiagnostic &text = parsed->getSMDiag();
      message = text.getMessage().str();
      line = (": '" + text.getLineContents().trim() + "'").str(); // with the copy's registers
    } else if (const auto *selected = dyn_cast<DiagnosticInfoInlineAsm>(&info)) {
      number = selected->getLocCookie();
      message = selected->getMsgStr().str();
    }
    if (number == 0 || number > statements.size())
      return next && next->handleDiagnostics(info);
    auto [function, place] = statements[number - 1];
    if (!known.insert({place->getFile(), place->getLine(), place->getColumn(), message}).second)
      return true;
    message += line;
    Twine text(message);
    DiagnosticInfoGenericWithLoc located(text, *function, DiagnosticLocation(DebugLoc(place)),
                                         info.getSeverity());
    return next && next->handleDiagnostics(located);
  }

  std::unique_ptr<DiagnosticHandler> next;
  bool failed = false;

private:
  /// Function and place of each asm statement, by the number in !srcloc, from 1.
  std::vector<std::pair<const Function *, const DILocation *>> statements;
  std::set<std::tuple<const DIFile *, unsigned, unsigned, std::string>> known;
};

AsmDiagnostics::AsmDiagnostics(Module &module) : context(module.getContext()) {
  auto owned = std::make_unique<Handler>(context.getDiagnosticHandler(), module);
  handler = owned.get();
  context.setDiagnosticHandler(std::move(owned), true);
}

AsmDiagnostics::~AsmDiagnostics() {
  context.setDiagnosticHandler(std::move(handler->next), true);
}

bool AsmDiagnostics::failed() const {
  return handler->failed;
}

} // namespace vx
