// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that clang does not give with -fgpu-defer-diag although code is made of what has them:
//
//   Pair p({0}, {1});                       ambiguous, outside of functions
//   auto p = Pair({0}, {1}).get();          in a function of the host, in the device half, and
//   k<<<1, 1>>>([=] __device__(int i) { p[i] = i; });       device code that uses what is left
//   [](auto x) { Pair p({0}, {1}); }        in what functions of both sides are instantiated from
//
// What is left has no type, and code generation takes every expression to have one. In front of it,
// a consumer gives instantiations the errors that wait for what they are made of, which the need
// for them then brings out. For the rest it reports an error, and the source is read again without
// the option (LenientCode).

#include "frontend/cuda/LostErrors.h"
#include "frontend/cuda/DeviceBodies.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

namespace vx {
namespace {

bool lacksTypes(const clang::CXXRecordDecl &record) {
  return llvm::any_of(record.fields(), [](const clang::FieldDecl *field) {
    return field->getType()->isDependentType() || field->getType()->isUndeducedType();
  });
}

bool in(const clang::Expr *e) {
  return e && e->containsErrors();
}

bool in(clang::QualType type) {
  const auto *ofExpression = type->getAs<clang::DecltypeType>();
  return type->containsErrors() || (ofExpression && in(ofExpression->getUnderlyingExpr()));
}

/// Returns true if an error is in an expression of BODY, the bodies of lambdas aside.
bool in(const clang::Stmt *body) {
  llvm::SmallVector<const clang::Stmt *, 32> open{body};
  while (!open.empty()) {
    const clang::Stmt *at = open.pop_back_val();
    const auto *expression = llvm::dyn_cast_or_null<clang::Expr>(at);
    if (expression && expression->containsErrors())
      return true;
    if (at && !expression)
      open.append(at->child_begin(), at->child_end());
  }
  return false;
}

/// Returns true if an error is in what DECL is declared as, or in the body of a function of the
/// host.
bool hasError(const clang::Decl &decl) {
  if (const auto *assertion = llvm::dyn_cast<clang::StaticAssertDecl>(&decl))
    return in(assertion->getAssertExpr());
  if (const auto *enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(&decl))
    return in(enumerator->getInitExpr());
  if (const auto *name = llvm::dyn_cast<clang::TypedefNameDecl>(&decl))
    return in(name->getUnderlyingType());
  if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(&decl))
    if (field->hasInClassInitializer() && in(field->getInClassInitializer()))
      return true;
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl))
    if (in(variable->getInit()))
      return true;
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl)) {
    bool isOfHost =
        !function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::CUDAGlobalAttr>();
    if (isOfHost && function->doesThisDeclarationHaveABody() && in(function->getBody()))
      return true;
    if (llvm::any_of(function->parameters(), [&](const clang::ParmVarDecl *one) {
          return one->hasDefaultArg() && !one->hasUnparsedDefaultArg() &&
                 !one->hasUninstantiatedDefaultArg() && in(one->getDefaultArg());
        }))
      return true;
  }
  const auto *value = llvm::dyn_cast<clang::ValueDecl>(&decl);
  return value && in(value->getType());
}

class LostErrorConsumer final : public DeviceBodies {
public:
  void InitializeSema(clang::Sema &s) override { sema = s.getLangOpts().CUDA ? &s : nullptr; }
  void ForgetSema() override { sema = nullptr; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *decl : group) {
      if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl); sema && function)
        inherit(*function);
      // The device half needs little of what is outside of functions, and takes the other half's
      // word for it.
      if (sema && !context)
        visitDeclaration(*decl);
    }
    return DeviceBodies::HandleTopLevelDecl(group);
  }

private:
  void report(clang::SourceLocation place) {
    clang::DiagnosticsEngine &engine = sema->getDiagnostics();
    if (!engine.hasErrorOccurred())
      engine.Report(place, lostError(engine));
  }

  void visitDeclaration(const clang::Decl &decl) {
    // What clang makes by itself, as deduction guides, it tries only.
    if (decl.isImplicit())
      return;
    if (hasError(decl))
      report(decl.getLocation());
    if (const auto *pattern = llvm::dyn_cast<clang::TemplateDecl>(&decl);
        pattern && pattern->getTemplatedDecl())
      visitDeclaration(*pattern->getTemplatedDecl());
    const auto *inner = llvm::dyn_cast<clang::DeclContext>(&decl);
    if (inner && !inner->isFunctionOrMethod())
      for (const clang::Decl *one : inner->decls())
        visitDeclaration(*one);
  }

  bool waitsFor(const clang::FunctionDecl &function) const {
    auto found = sema->DeviceDeferredDiags.find(&function);
    return found != sema->DeviceDeferredDiags.end() && !found->second.empty();
  }

  /// Lets the errors that wait for what FUNCTION is an instantiation of wait for it, too.
  void inherit(const clang::FunctionDecl &function) {
    const clang::FunctionDecl *pattern = function.getTemplateInstantiationPattern();
    if (!pattern || sema->DeviceDeferredDiags.empty() || waitsFor(function))
      return;
    std::vector<clang::PartialDiagnosticAt> errors;
    collect(*pattern, errors);
    if (!errors.empty())
      sema->DeviceDeferredDiags[&function] = std::move(errors);
  }

  /// Returns true if PLACE is in the body of FUNCTION or an initializer of a constructor.
  bool isInDefinition(clang::SourceLocation place, const clang::FunctionDecl &function) const {
    auto has = [&](clang::SourceRange range) {
      return range.isValid() &&
             sema->getSourceManager().isPointWithin(place, range.getBegin(), range.getEnd());
    };
    if (const clang::Stmt *body = function.getBody(); body && has(body->getSourceRange()))
      return true;
    const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function);
    return constructor &&
           llvm::any_of(constructor->inits(), [&](const clang::CXXCtorInitializer *one) {
             return has(one->getSourceRange());
           });
  }

  /// Collects the errors of FUNCTION and of lambdas in it. Where a function of the other half is
  /// called or an exception is thrown, each instantiation has an error of its own; an error in a
  /// signature, where arguments do not fit it, is of none: there is no such overload.
  void collect(const clang::FunctionDecl &function,
               std::vector<clang::PartialDiagnosticAt> &errors) const {
    if (waitsFor(function))
      for (const clang::PartialDiagnosticAt &one : sema->DeviceDeferredDiags[&function])
        if (unsigned id = one.second.getDiagID();
            id != clang::diag::err_ref_bad_target &&
            id != clang::diag::err_cuda_device_exceptions && isInDefinition(one.first, function) &&
            sema->getDiagnostics().getDiagnosticLevel(id, one.first) >=
                clang::DiagnosticsEngine::Error)
          errors.push_back(one);
    for (const clang::Decl *inner : function.decls())
      if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(inner);
          record && record->isLambda())
        collect(*record->getLambdaCallOperator(), errors);
  }

  void visitFunction(clang::FunctionDecl &one) override {
    // Functions that are for both sides by themselves may not be needed.
    const auto *device = one.getAttr<clang::CUDADeviceAttr>();
    if (one.isDependentContext() ||
        (device ? device->isImplicit() : !one.hasAttr<clang::CUDAGlobalAttr>()))
      return;
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&one);
    if (method && lacksTypes(*method->getParent()))
      report(method->getParent()->getLocation());
    for (const clang::ParmVarDecl *parameter : one.parameters())
      if (const auto *record = parameter->getType()->getAsCXXRecordDecl();
          record && record->hasDefinition() && lacksTypes(*record))
        report(parameter->getLocation());
    DeviceBodies::visitFunction(one);
  }

  void visitStatement(clang::Stmt &statement) override {
    const auto *expression = llvm::dyn_cast<clang::Expr>(&statement);
    const auto *use = llvm::dyn_cast<clang::DeclRefExpr>(&statement);
    if (expression && (expression->containsErrors() || (use && use->getDecl()->isInvalidDecl())) &&
        !waitsFor(*function))
      report(expression->getExprLoc());
  }

  clang::Sema *sema = nullptr;
};

} // namespace

unsigned lostError(const clang::DiagnosticsEngine &diagnostics) {
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(
      {clang::diag::Severity::Error, "an error elsewhere has left this without a type",
       clang::DiagnosticIDs::CLASS_ERROR});
}

void findLostErrors() {
  static clang::FrontendPluginRegistry::Add<PluginAction<LostErrorConsumer>> action(
      "vx-lost-errors", "finds what errors that were not given have left in code");
}

} // namespace vx
