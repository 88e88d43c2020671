// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_DEVICEBODIES_H
#define VX_FRONTEND_CUDA_DEVICEBODIES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/SemaConsumer.h"

namespace vx {

/// A consumer for the device half that is shown each statement of each function, in front of code
/// generation. A body may be shown twice.
class DeviceBodies : public clang::SemaConsumer {
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
  void HandleInlineFunctionDefinition(clang::FunctionDecl *one) override {
    if (context)
      visit(one);
  }
  /// Visits the end of the unit: code for lambdas outside of functions and namespaces is generated
  /// at the end.
  void HandleTranslationUnit(clang::ASTContext &c) override {
    if (!context)
      return;
    for (clang::Decl *decl : c.getTranslationUnitDecl()->noload_decls())
      if (auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(decl); record && record->isLambda())
        visit(record);
  }

protected:
  /// Called for each function, of the host, too.
  virtual void visitFunction(clang::FunctionDecl &one) {
    if (one.isDependentContext() || !one.doesThisDeclarationHaveABody() ||
        !(one.hasAttr<clang::CUDADeviceAttr>() || one.hasAttr<clang::CUDAGlobalAttr>()))
      return;
    function = &one;
    if (auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
      for (clang::CXXCtorInitializer *initializer : constructor->inits())
        visit(initializer->getInit());
    visit(function->getBody());
  }

  /// Called for STATEMENT, whose children follow; those that are replaced do so as they are then.
  virtual void visitStatement(clang::Stmt &statement) = 0;

  clang::ASTContext *context = nullptr;
  clang::FunctionDecl *function = nullptr; ///< whose statements are shown

private:
  void visit(clang::Decl *decl) {
    if (auto *one = llvm::dyn_cast<clang::FunctionDecl>(decl))
      visitFunction(*one);
    auto *inner = llvm::dyn_cast<clang::DeclContext>(decl);
    if (inner && !inner->isDependentContext())
      for (clang::Decl *one : inner->decls())
        visit(one);
  }

  void visit(clang::Stmt *statement) {
    llvm::SmallVector<clang::Stmt *, 32> open{statement};
    while (!open.empty()) {
      clang::Stmt *at = open.pop_back_val();
      if (!at)
        continue;
      visitStatement(*at);
      for (clang::Stmt *child : at->children())
        open.push_back(child);
    }
  }
};

} // namespace vx

#endif // VX_FRONTEND_CUDA_DEVICEBODIES_H
