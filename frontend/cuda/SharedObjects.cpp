// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __shared__ objects with constructors, such as cuda::barrier. nvcc warns that the constructor is
// not called; clang refuses the variable, in the middle of Sema. So an attribute of our own, which
// __shared__ has besides clang's, makes such a variable a plain static one for Sema, and a consumer
// in front of code generation turns it back. Code generation never initializes shared variables.
//
// Sema checks that the host can call the constructors of static variables. Objects whose
// constructor is __device__ only are variables with automatic storage for it instead.

#include "frontend/cuda/SharedObjects.h"
#include "frontend/cuda/OwnWarnings.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/DenseSet.h"
#include <atomic>

namespace vx {
namespace {

/// The mark of a variable between the attribute and the consumer; templates pass it on.
constexpr llvm::StringLiteral kMark = "vx.shared";

std::atomic<bool> anyShared = false;

/// Returns true if Sema would look at constructors of a shared variable of type TYPE, now or once
/// the template is instantiated.
bool mayHaveConstructor(clang::Sema &sema, clang::QualType type, clang::SourceLocation place) {
  type = sema.Context.getBaseElementType(type);
  if (type->isDependentType())
    return true;
  const auto *record = type->getAsCXXRecordDecl();
  return record && sema.isCompleteType(place, type) &&
         !(record->hasTrivialDefaultConstructor() && record->hasTrivialDestructor());
}

/// Makes FUNCTION, a constructor or destructor of the host that does nothing, one of both sides.
void addDevice(clang::Sema &sema, clang::FunctionDecl &function) {
  if (sema.CUDA().IdentifyTarget(&function) != clang::CUDAFunctionTarget::Host)
    return;
  if (!function.hasAttr<clang::CUDAHostAttr>())
    function.addAttr(clang::CUDAHostAttr::CreateImplicit(sema.Context));
  function.addAttr(clang::CUDADeviceAttr::CreateImplicit(sema.Context));
}

/// Accepts constructors and destructors without attributes that do nothing, as nvcc does.
void acceptEmptyFunctions(clang::Sema &sema, clang::QualType type, clang::SourceLocation place) {
  auto *record = sema.Context.getBaseElementType(type)->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isDependentContext())
    return;
  for (clang::CXXConstructorDecl *constructor : record->ctors())
    if (constructor->isDefaultConstructor() && sema.CUDA().isEmptyConstructor(place, constructor))
      addDevice(sema, *constructor);
  clang::CXXDestructorDecl *destructor = record->getDestructor();
  if (destructor && sema.CUDA().isEmptyDestructor(place, destructor))
    addDevice(sema, *destructor);
}

bool isBuiltOnDeviceOnly(clang::Sema &sema, clang::QualType type) {
  const auto *record = sema.Context.getBaseElementType(type)->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  for (const clang::CXXConstructorDecl *constructor : record->ctors())
    if (constructor->isDefaultConstructor())
      return sema.CUDA().IdentifyTarget(constructor) == clang::CUDAFunctionTarget::Device;
  return false;
}

class SharedObject final : public clang::ParsedAttrInfo {
public:
  SharedObject() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_GNU, "vx_shared"}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *decl,
                                   const clang::ParsedAttr &attribute) const override {
    auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable || !variable->isLocalVarDecl() || variable->hasExternalStorage() ||
        !variable->hasAttr<clang::CUDASharedAttr>() ||
        !mayHaveConstructor(sema, variable->getType(), variable->getLocation()))
      return AttributeApplied;
    anyShared = true;
    variable->dropAttr<clang::CUDASharedAttr>();
    acceptEmptyFunctions(sema, variable->getType(), variable->getLocation());
    variable->addAttr(
        clang::AnnotateAttr::CreateImplicit(sema.Context, kMark, nullptr, 0, attribute));
    if (!isBuiltOnDeviceOnly(sema, variable->getType()))
      variable->setStorageClass(clang::SC_Static);
    return AttributeApplied;
  }
};

/// Makes marked variables shared again.
class SharedConsumer final : public clang::SemaConsumer {
public:
  void InitializeSema(clang::Sema &s) override { sema = &s; }
  void ForgetSema() override { sema = nullptr; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (anyShared)
      for (clang::Decl *decl : group)
        visit(decl);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override {
    if (anyShared)
      visit(function);
  }

private:
  void visit(clang::Decl *decl) {
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
      return restore(variable);
    auto *context = llvm::dyn_cast<clang::DeclContext>(decl);
    if (context && !context->isDependentContext())
      for (clang::Decl *inner : context->decls())
        visit(inner);
  }

  void restore(clang::VarDecl *variable) {
    if (!variable->hasAttr<clang::AnnotateAttr>())
      return;
    auto isMark = [](const clang::Attr *a) {
      const auto *annotation = llvm::dyn_cast<clang::AnnotateAttr>(a);
      return annotation && annotation->getAnnotation() == kMark;
    };
    clang::AttrVec &attributes = variable->getAttrs();
    auto end = llvm::remove_if(attributes, isMark);
    if (end == attributes.end())
      return;
    attributes.erase(end, attributes.end());
    if (attributes.empty())
      variable->dropAttrs();
    variable->addAttr(clang::CUDASharedAttr::CreateImplicit(variable->getASTContext()));
    variable->setStorageClass(clang::SC_Static);
    checkInitializer(variable);
  }

  /// Says that a constructor is not called; refuses other initializers.
  void checkInitializer(clang::VarDecl *variable) {
    const clang::Expr *init = variable->getInit();
    if (!init || !sema || variable->isInvalidDecl())
      return;
    const auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit());
    bool isDefault = construction && variable->getInitStyle() == clang::VarDecl::CallInit &&
                     construction->getParenOrBraceRange().isInvalid();
    if (!isDefault) {
      sema->Diag(variable->getLocation(), clang::diag::err_shared_var_init)
          << init->getSourceRange();
      return;
    }
    if (sema->CUDA().isEmptyConstructor(variable->getLocation(), construction->getConstructor()) ||
        !reported.insert(variable->getLocation()).second)
      return;
    unsigned id = ownWarning(sema->getDiagnostics(),
                             "the constructor of the '__shared__' variable %0 is not called");
    sema->Diag(variable->getLocation(), id) << variable;
  }

  clang::Sema *sema = nullptr;
  llvm::DenseSet<clang::SourceLocation> reported;
};

} // namespace

void acceptSharedObjects() {
  static clang::ParsedAttrInfoRegistry::Add<SharedObject> shared("vx_shared", "__shared__ objects");
  static clang::FrontendPluginRegistry::Add<PluginAction<SharedConsumer>> restore(
      "vx-shared-objects", "makes __shared__ objects shared for code generation");
}

} // namespace vx
