// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The detection idiom asks by overload resolution whether a call is possible, and of which type:
//
//     template <class F> static std::true_type test(decltype(std::declval<F>()(0)) *);
//     template <class F> static std::false_type test(...);
//
// Clang resolves the call in the signature for a function of the host, which test() is, so a
// functor whose operator is __device__ has none. nvcc asks for no side in what is not evaluated;
// std::result_of and std::is_invocable are written like that, and CUB asks them for functors of the
// device. A consumer makes such templates __host__ __device__, implicitly, as clang makes constexpr
// functions. An overload for any arguments beside it tells test() from a template of the host that
// is only declared here and has its definition elsewhere.

#include "frontend/DetectionIdiom.h"
#include "frontend/PluginAction.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace vx {
namespace {

/// Looks for a call in a type as it is written.
struct CallFinder : clang::DynamicRecursiveASTVisitor {
  bool VisitCallExpr(clang::CallExpr *) override { return false; }
};

bool hasCall(const clang::FunctionDecl &function) {
  const clang::TypeSourceInfo *type = function.getTypeSourceInfo();
  return type && !CallFinder().TraverseTypeLoc(type->getTypeLoc());
}

/// Whether an overload of FUNCTION ends with `...`, for when there is no such call.
bool hasFallback(const clang::FunctionDecl &function) {
  auto overloads = function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName());
  return llvm::any_of(overloads, [](const clang::NamedDecl *overload) {
    const clang::FunctionDecl *other = overload->getAsFunction();
    return other && other->isVariadic();
  });
}

class DetectionConsumer final : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext &c) override { context = c.getLangOpts().CUDA ? &c : nullptr; }

  /// Members, as soon as their class is complete, so that they can be asked in the same namespace.
  void HandleTagDeclDefinition(clang::TagDecl *tag) override {
    if (context && llvm::isa<clang::CXXRecordDecl>(tag))
      visitTemplatesIn(*tag);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (context)
      for (clang::Decl *decl : group)
        visit(decl);
    return true;
  }

private:
  void visitTemplatesIn(clang::DeclContext &scope) {
    for (clang::Decl *decl : scope.decls())
      visit(decl);
  }

  void visit(clang::Decl *decl) {
    if (auto *function = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      return visitTemplate(*function->getTemplatedDecl());
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl))
      visitTemplatesIn(*llvm::cast<clang::DeclContext>(decl));
  }

  void visitTemplate(clang::FunctionDecl &function) {
    if (function.doesThisDeclarationHaveABody() || function.isConstexpr() ||
        function.hasAttr<clang::CUDAHostAttr>() || function.hasAttr<clang::CUDADeviceAttr>() ||
        function.hasAttr<clang::CUDAGlobalAttr>() || !hasCall(function) || !hasFallback(function))
      return;
    function.addAttr(clang::CUDAHostAttr::CreateImplicit(*context));
    function.addAttr(clang::CUDADeviceAttr::CreateImplicit(*context));
  }

  clang::ASTContext *context = nullptr;
};

} // namespace

void detectOnBothSides() {
  static clang::FrontendPluginRegistry::Add<PluginAction<DetectionConsumer>> action(
      "vx-detection-idiom", "asks for functions of both sides in signatures");
}

} // namespace vx
