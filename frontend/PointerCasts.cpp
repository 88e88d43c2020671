// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access through a pointer cast has the alignment of the type that it is cast to:
//
//     __shared__ char bytes[64];
//     *(int *)(bytes + 4 * i) = 1;
//
// For nvcc this is a store of four bytes, and an error on the device where the address is no
// multiple of four. Clang remembers that `bytes` may be at any address, and makes four stores of
// it. So, in front of code generation, a consumer puts an expression between such a cast in device
// code and its operand that has no effect, but through which clang does not look for the
// alignment. Arrays are aligned for it by vx-align-variables.

#include "frontend/PointerCasts.h"
#include "frontend/PluginAction.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/ExprCXX.h"

namespace vx {
namespace {

class PointerCastConsumer final : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext &c) override {
    context = c.getLangOpts().CUDAIsDevice ? &c : nullptr;
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (context)
      for (clang::Decl *decl : group)
        visit(decl);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override {
    if (context)
      visitFunction(*function);
  }

private:
  void visit(clang::Decl *decl) {
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl))
      return visitFunction(*function);
    auto *inner = llvm::dyn_cast<clang::DeclContext>(decl);
    if (inner && !inner->isDependentContext())
      for (clang::Decl *one : inner->decls())
        visit(one);
  }

  void visitFunction(clang::FunctionDecl &function) {
    if (!function.isDependentContext() && function.doesThisDeclarationHaveABody() &&
        (function.hasAttr<clang::CUDADeviceAttr>() || function.hasAttr<clang::CUDAGlobalAttr>()))
      visit(function.getBody());
  }

  void visit(clang::Stmt *statement) {
    llvm::SmallVector<clang::Stmt *, 32> open{statement};
    while (!open.empty()) {
      clang::Stmt *at = open.pop_back_val();
      if (!at)
        continue;
      if (auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(at))
        visitCast(*cast);
      for (clang::Stmt *child : at->children())
        open.push_back(child);
    }
  }

  /// The alignment of what is at a pointer of TYPE; 0: not known.
  int64_t alignmentAt(clang::QualType type) const {
    clang::QualType pointee = type->getPointeeType();
    if (pointee.isNull() || pointee->isDependentType() || pointee->isFunctionType() ||
        pointee->isIncompleteType())
      return 0;
    return context->getTypeAlignInChars(pointee).getQuantity();
  }

  void visitCast(clang::ExplicitCastExpr &cast) {
    clang::Expr *operand = cast.getSubExpr();
    if (cast.getCastKind() != clang::CK_BitCast || !cast.getType()->isPointerType() ||
        !operand->getType()->isPointerType() || llvm::isa<clang::ExprWithCleanups>(operand))
      return;
    if (alignmentAt(cast.getType()) > std::max<int64_t>(alignmentAt(operand->getType()), 1))
      cast.setSubExpr(clang::ExprWithCleanups::Create(*context, operand,
                                                      /*CleanupsHaveSideEffects=*/false, {}));
  }

  clang::ASTContext *context = nullptr;
};

} // namespace

void alignPointerCasts() {
  static clang::FrontendPluginRegistry::Add<PluginAction<PointerCastConsumer>> casts(
      "vx-pointer-casts", "gives accesses through pointer casts the alignment of the type");
}

} // namespace vx
