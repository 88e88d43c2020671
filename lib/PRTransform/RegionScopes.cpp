// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/RegionScopes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

class Scopes {
public:
  explicit Scopes(Module &m) : m(m) {}

  void separate(Instruction &i) {
    DILocation *at = i.getDebugLoc();
    if (!at || isa<PHINode>(i))
      return;
    DILocation *&own = locations[at];
    if (!own)
      own = DILocation::get(m.getContext(), at->getLine(), at->getColumn(), scopeOf(i, *at),
                            at->getInlinedAt());
    i.setDebugLoc(own);
  }

private:
  DILocalScope *scopeOf(Instruction &i, DILocation &at) {
    DILexicalBlock *&own = scopes[{at.getScope(), at.getInlinedAt()}];
    if (!own) {
      DILocalScope *scope = at.getScope();
      own = DILexicalBlock::getDistinct(m.getContext(), scope, scope->getFile(), at.getLine(),
                                        at.getColumn());
      addVariable(i, *own, at);
    }
    return own;
  }

  /// Lexical blocks without variables are left out of the debug information, and gdb takes no
  /// notice of those without a name in them. It does not show labels.
  void addVariable(Instruction &i, DILexicalBlock &scope, DILocation &at) {
    DIBuilder builder(m, /*AllowUnresolved=*/false, scope.getSubprogram()->getUnit());
    DIBasicType *type = builder.createBasicType("int", 32, dwarf::DW_ATE_signed);
    DILocalVariable *variable =
        DILocalVariable::get(m.getContext(), &scope, "", scope.getFile(), at.getLine(), type, 0,
                             DINode::FlagArtificial, 0, nullptr);
    DILocation *location =
        DILocation::get(m.getContext(), at.getLine(), at.getColumn(), &scope, at.getInlinedAt());
    Value *zero = ConstantInt::get(Type::getInt32Ty(m.getContext()), 0);
    i.getParent()->insertDbgRecordBefore(DbgVariableRecord::createDbgVariableRecord(
                                             zero, variable, builder.createExpression(), location),
                                         i.getIterator());
    DILabel *label = builder.createLabel(&scope, "region", scope.getFile(), at.getLine(),
                                         at.getColumn(), /*IsArtificial=*/true, std::nullopt,
                                         /*AlwaysPreserve=*/false);
    i.getParent()->insertDbgRecordBefore(new DbgLabelRecord(label, DebugLoc(location)),
                                         i.getIterator());
  }

  Module &m;
  DenseMap<DILocation *, DILocation *> locations;
  DenseMap<std::pair<DILocalScope *, DILocation *>, DILexicalBlock *> scopes;
};

} // namespace

void separateScopes(ArrayRef<BasicBlock *> blocks) {
  if (blocks.empty())
    return;
  Scopes scopes(*blocks.front()->getModule());
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb)
      scopes.separate(i);
}

} // namespace vx
