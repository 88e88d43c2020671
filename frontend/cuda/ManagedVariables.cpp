// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __managed__ variables. Clang has them for HIP: both halves reach the variable through a pointer
// of its name, which the runtime fills in, and its initial value is in another variable,
// NAME.managed (CGNVCUDARuntime). An attribute of our own gives CUDA variables the one that HIP's
// have.

#include "frontend/cuda/ManagedVariables.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"
#include <atomic>

namespace vx {
namespace {

std::atomic<bool> anyManaged = false;

class ManagedVariable final : public clang::ParsedAttrInfo {
public:
  ManagedVariable() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_GNU, "vx_managed"}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attribute,
                            const clang::Decl *decl) const override {
    // That a local variable is not a device variable is said for `device`, which stands next to it.
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
      return variable->hasGlobalStorage();
    unsigned id = sema.getDiagnostics().getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                        "'__managed__' is for variables only");
    sema.Diag(attribute.getLoc(), id);
    return false;
  }

  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *decl,
                                   const clang::ParsedAttr &attribute) const override {
    if (decl->hasAttr<clang::CUDASharedAttr>() || decl->hasAttr<clang::CUDAConstantAttr>()) {
      unsigned id = sema.getDiagnostics().getCustomDiagID(
          clang::DiagnosticsEngine::Error,
          "a '__managed__' variable cannot be '__constant__' or '__shared__'");
      sema.Diag(attribute.getLoc(), id);
      return AttributeNotApplied;
    }
    anyManaged = true;
    if (!decl->hasAttr<clang::HIPManagedAttr>())
      decl->addAttr(clang::HIPManagedAttr::CreateImplicit(sema.Context));
    if (!decl->hasAttr<clang::CUDADeviceAttr>())
      decl->addAttr(clang::CUDADeviceAttr::CreateImplicit(sema.Context));
    return AttributeApplied;
  }
};

/// Looks for a managed variable that an expression names where it is evaluated.
class FindManaged final : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::DeclRefExpr *found = nullptr;
  bool VisitDeclRefExpr(clang::DeclRefExpr *expression) override {
    if (expression->getDecl()->hasAttr<clang::HIPManagedAttr>())
      found = expression;
    return !found;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) override { return true; }
};

/// The host half takes the address of a managed variable for a constant, which it is not: it would
/// be the one of the initial value. In an initializer that is evaluated at the start all is well.
class CheckInitializers final : public clang::ASTConsumer, clang::DynamicRecursiveASTVisitor {
public:
  explicit CheckInitializers(clang::CompilerInstance &compiler) : compiler(compiler) {
    ShouldVisitTemplateInstantiations = true;
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (anyManaged && !context.getLangOpts().CUDAIsDevice &&
        !context.getDiagnostics().hasErrorOccurred())
      TraverseDecl(context.getTranslationUnitDecl());
  }

private:
  bool VisitVarDecl(clang::VarDecl *variable) override {
    const clang::Expr *init = variable->getInit();
    if (!variable->hasGlobalStorage() || !init || init->isValueDependent() ||
        init->isTypeDependent())
      return true;
    FindManaged find;
    find.TraverseStmt(const_cast<clang::Expr *>(init));
    if (!find.found || !init->isConstantInitializer(variable->getASTContext(),
                                                    variable->getType()->isReferenceType()))
      return true;
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    unsigned id = diagnostics.getCustomDiagID(
        clang::DiagnosticsEngine::Error,
        "the address of the '__managed__' variable %0 is not a constant; assign it in a "
        "function");
    diagnostics.Report(find.found->getLocation(), id) << find.found->getDecl() << variable;
    return true;
  }

  clang::CompilerInstance &compiler;
};

} // namespace

void acceptManagedVariables() {
  static clang::ParsedAttrInfoRegistry::Add<ManagedVariable> managed("vx_managed",
                                                                     "__managed__ variables");
  static clang::FrontendPluginRegistry::Add<PluginAction<CheckInitializers>> check(
      "vx-managed-initializers", "finds addresses of __managed__ variables in initializers");
}

} // namespace vx
