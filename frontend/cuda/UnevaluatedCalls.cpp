// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are not evaluated: in signatures, constraints and the arguments of templates.
//
//     template <class F> auto test(F f) -> decltype(f(0));
//     template <std::invocable<int> F> __device__ int use(F f);
//
// nvcc asks for no side there. Clang resolves the call for a function of the host in the first line
// and for the function that calls use() in the second, so a functor of the other side has none, and
// what it remembers of a concept depends on who asks first. Sema tells a callback when it begins to
// substitute into such places. While it does, the functions that it resolves calls for are made
// __host__ __device__, implicitly, as clang makes constexpr functions. And no error is deferred
// there: a call of a deleted function is still a call to clang, which looks whether it has given
// the error.

#include "frontend/cuda/UnevaluatedCalls.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/TemplateInstCallback.h"

namespace vx {
namespace {

using Synthesis = clang::Sema::CodeSynthesisContext;

bool isUnevaluated(Synthesis::SynthesisKind kind) {
  switch (kind) {
  case Synthesis::DefaultTemplateArgumentInstantiation:
  case Synthesis::DefaultTemplateArgumentChecking:
  case Synthesis::ExplicitTemplateArgumentSubstitution:
  case Synthesis::DeducedTemplateArgumentSubstitution:
  case Synthesis::PriorTemplateArgumentSubstitution:
  case Synthesis::ExceptionSpecInstantiation:
  case Synthesis::RequirementInstantiation:
  case Synthesis::RequirementParameterInstantiation:
  case Synthesis::NestedRequirementConstraintsCheck:
  case Synthesis::ConstraintsCheck:
  case Synthesis::ConstraintSubstitution:
  case Synthesis::ConstraintNormalization:
  case Synthesis::ParameterMappingSubstitution:
  case Synthesis::TypeAliasTemplateInstantiation:
    return true;
  default:
    return false;
  }
}

/// Returns true if an error in such a substitution means that there is no such function, or that
/// the constraint is not met.
bool failsSilently(Synthesis::SynthesisKind kind) {
  switch (kind) {
  case Synthesis::ExplicitTemplateArgumentSubstitution:
  case Synthesis::DeducedTemplateArgumentSubstitution:
  case Synthesis::RequirementInstantiation:
  case Synthesis::ConstraintSubstitution:
    return true;
  default:
    return false;
  }
}

/// A function of one side that is of both for a while.
class OnBothSides {
public:
  explicit OnBothSides(clang::FunctionDecl &function) : function(&function) {
    clang::ASTContext &context = function.getASTContext();
    kernel = function.getAttr<clang::CUDAGlobalAttr>();
    function.dropAttr<clang::CUDAGlobalAttr>();
    addsHost = !function.hasAttr<clang::CUDAHostAttr>();
    if (addsHost)
      function.addAttr(clang::CUDAHostAttr::CreateImplicit(context));
    addsDevice = !function.hasAttr<clang::CUDADeviceAttr>();
    if (addsDevice)
      function.addAttr(clang::CUDADeviceAttr::CreateImplicit(context));
  }
  void end() const { restore(*function); }

  /// Notes MADE if it is made of the function, and of its attributes.
  void note(const clang::FunctionTemplateDecl &of, const clang::FunctionDecl &one) {
    if (of.getTemplatedDecl()->getCanonicalDecl() == function->getCanonicalDecl())
      made.push_back(const_cast<clang::FunctionDecl *>(&one));
  }
  void endMade() const {
    for (clang::FunctionDecl *one : made)
      restore(*one);
  }

private:
  void restore(clang::FunctionDecl &changed) const {
    if (addsHost)
      changed.dropAttr<clang::CUDAHostAttr>();
    if (addsDevice)
      changed.dropAttr<clang::CUDADeviceAttr>();
    if (kernel && !changed.hasAttr<clang::CUDAGlobalAttr>())
      changed.addAttr(&changed == function ? kernel : kernel->clone(changed.getASTContext()));
  }

  clang::FunctionDecl *function;
  clang::CUDAGlobalAttr *kernel;
  bool addsHost, addsDevice;
  llvm::SmallVector<clang::FunctionDecl *, 1> made;
};

struct Substitution {
  llvm::SmallVector<OnBothSides, 2> changed; ///< functions that are of both sides now
  bool deferredBefore;                       ///< errors were deferred when it began
};

/// The substitutions and instantiations that are under way.
using Substitutions = llvm::SmallVector<Substitution, 16>;

class SubstitutionCallback final : public clang::TemplateInstantiationCallback {
public:
  SubstitutionCallback(Substitutions &substitutions, clang::LangOptions &options)
      : substitutions(substitutions), options(options), defers(options.GPUDeferDiag) {}

  void initialize(const clang::Sema &) override {}
  void finalize(const clang::Sema &) override {}

  void atTemplateBegin(const clang::Sema &sema, const Synthesis &synthesis) override {
    Substitution &substitution = substitutions.emplace_back();
    substitution.deferredBefore = options.GPUDeferDiag;
    options.GPUDeferDiag = defers && !failsSilently(synthesis.Kind);
    if (!isUnevaluated(synthesis.Kind))
      return;
    for (clang::FunctionDecl *function :
         {sema.getCurFunctionDecl(/*AllowLambda=*/true),
          synthesis.Entity ? synthesis.Entity->getAsFunction() : nullptr})
      if (function &&
          !(function->hasAttr<clang::CUDAHostAttr>() && function->hasAttr<clang::CUDADeviceAttr>()))
        substitution.changed.emplace_back(*function);
  }

  void atTemplateEnd(const clang::Sema &, const Synthesis &) override {
    const Substitution &substitution = substitutions.back();
    for (const OnBothSides &function : llvm::reverse(substitution.changed)) {
      function.endMade();
      function.end();
    }
    options.GPUDeferDiag = substitution.deferredBefore;
    substitutions.pop_back();
  }

private:
  Substitutions &substitutions;
  clang::LangOptions &options;
  const bool defers;
};

class UnevaluatedConsumer final : public clang::SemaConsumer, clang::ASTMutationListener {
public:
  explicit UnevaluatedConsumer(clang::CompilerInstance &compiler)
      : options(compiler.getLangOpts()) {}
  void InitializeSema(clang::Sema &sema) override {
    if (options.CUDA)
      sema.TemplateInstCallbacks.push_back(
          std::make_unique<SubstitutionCallback>(substitutions, options));
  }
  clang::ASTMutationListener *GetASTMutationListener() override { return this; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (options.CUDA)
      for (clang::Decl *decl : group)
        visit(*decl);
    return true;
  }

private:
  /// Puts std::declval, which is never evaluated, on both sides.
  void visit(clang::Decl &decl) {
    auto *scope = llvm::dyn_cast<clang::DeclContext>(&decl);
    if (scope && (scope->isStdNamespace() || scope->isExternCXXContext()))
      for (clang::Decl *inner : scope->decls())
        visit(*inner);
    auto *function = llvm::dyn_cast<clang::FunctionTemplateDecl>(&decl);
    if (function && function->isInStdNamespace() && function->getDeclName().isIdentifier() &&
        function->getName() == "declval")
      OnBothSides(*function->getTemplatedDecl());
  }

  /// Gives attributes of a template to what is made of it.
  void AddedCXXTemplateSpecialization(const clang::FunctionTemplateDecl *of,
                                      const clang::FunctionDecl *made) override {
    if (!substitutions.empty())
      for (OnBothSides &function : substitutions.back().changed)
        function.note(*of, *made);
  }
  using clang::ASTMutationListener::AddedCXXTemplateSpecialization;

  clang::LangOptions &options;
  Substitutions substitutions;
};

} // namespace

void acceptUnevaluatedCalls() {
  static clang::FrontendPluginRegistry::Add<PluginAction<UnevaluatedConsumer>> action(
      "vx-unevaluated-calls", "resolves calls that are not evaluated for both sides");
}

} // namespace vx
