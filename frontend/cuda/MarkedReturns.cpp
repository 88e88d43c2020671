// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks of the `return`s of device code that is compiled for the checkers (-fvx-check):
//
//     if (t >= n)                       if (t >= n) {
//       return;                           __vx_leave(1);
//     __syncthreads();                    return;
//                                       }
//                                       __syncthreads();
//
// A thread may leave a kernel before a barrier by `return`, but may not go around the barrier and
// end there. In IR both are a branch to the end of the function. __vx_leave(0) at the beginning of
// a function says that its returns are marked; vx-insert-sync-hints makes a variable of the marks.
// Constexpr functions are left as they are, so that they can be evaluated; they do not synchronize,
// except for lambdas, which are constexpr unless they say otherwise.

#include "frontend/cuda/MarkedReturns.h"
#include "frontend/cuda/DeviceBodies.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"

namespace vx {
namespace {

class ReturnConsumer final : public DeviceBodies {
  void visitFunction(clang::FunctionDecl &one) override {
    auto *body = one.doesThisDeclarationHaveABody()
                     ? llvm::dyn_cast_or_null<clang::CompoundStmt>(one.getBody())
                     : nullptr;
    bool isLambda = clang::isLambdaCallOperator(&one) && one.getReturnType()->isVoidType();
    if (!body || (one.isConstexpr() && !isLambda) || one.isDependentContext() || !findMark())
      return;
    DeviceBodies::visitFunction(one);
    if (function == &one && done.insert(body).second) {
      clang::Stmt *marked = together(callMark(false, body->getBeginLoc()), body);
      done.insert(marked);
      one.setBody(marked);
    }
    function = nullptr;
  }

  void visitStatement(clang::Stmt &statement) override {
    for (clang::Stmt *&child : statement.children())
      if (auto *leaves = llvm::dyn_cast_or_null<clang::ReturnStmt>(child);
          leaves && done.insert(leaves).second)
        child = together(callMark(true, leaves->getBeginLoc()), leaves);
  }

  /// Finds the function of the headers that marks; false if they do not declare it.
  bool findMark() {
    if (mark)
      return true;
    clang::DeclarationName name(&context->Idents.get("__vx_leave"));
    for (clang::NamedDecl *found : context->getTranslationUnitDecl()->lookup(name))
      mark = llvm::dyn_cast<clang::FunctionDecl>(found);
    return mark != nullptr;
  }

  clang::Expr *callMark(bool isReturn, clang::SourceLocation at) {
    clang::ASTContext &c = *context;
    auto *reference =
        clang::DeclRefExpr::Create(c, {}, {}, mark, false, at, mark->getType(), clang::VK_LValue);
    auto *callee = clang::ImplicitCastExpr::Create(c, c.getPointerType(mark->getType()),
                                                   clang::CK_FunctionToPointerDecay, reference,
                                                   nullptr, clang::VK_PRValue, {});
    clang::Expr *argument = clang::IntegerLiteral::Create(
        c, llvm::APInt(c.getIntWidth(c.IntTy), isReturn), c.IntTy, at);
    return clang::CallExpr::Create(c, callee, argument, c.VoidTy, clang::VK_PRValue, at, {});
  }

  clang::Stmt *together(clang::Stmt *first, clang::Stmt *second) {
    clang::Stmt *both[] = {first, second};
    return clang::CompoundStmt::Create(*context, both, {}, second->getBeginLoc(),
                                       second->getEndLoc());
  }

  clang::FunctionDecl *mark = nullptr;
  llvm::DenseSet<const clang::Stmt *> done;
};

} // namespace

void markReturns() {
  static clang::FrontendPluginRegistry::Add<PluginAction<ReturnConsumer>> action(
      "vx-mark-returns", "marks the returns of device code for the checkers");
}

} // namespace vx
