// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of one function with different execution spaces:
//
//     __device__ int f(int x);
//     int f(int x) { return x; }
//
// For nvcc the second inherits `__device__`, and where one of both is `__host__ __device__`, so is
// the other. What is declared in a class or namespace has also what its definition outside of it
// says, which code between both may need: an error says what the declaration lacks, and the source
// is read again with it (LenientCode.h). For clang the attributes are part of the signature. It
// compares signatures right after it has given a declaration its attributes; so there is an
// attribute of our own on all functions, as by `#pragma clang attribute push`, which adds what
// earlier declarations have.
//
// Functions that are `__host__` by themselves stay separate from `__device__` ones of one
// signature, and so do those of system headers: that is how clang overloads them.

#include "frontend/cuda/ExecutionSpaces.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

namespace vx {
namespace {

constexpr const char *kSpaceAttribute = "vx_execution_space";

template <class Attribute> bool has(const clang::FunctionDecl &function) {
  const auto *attribute = function.getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

bool isForBoth(const clang::FunctionDecl &function) {
  return has<clang::CUDAHostAttr>(function) && has<clang::CUDADeviceAttr>(function);
}

template <class Attribute> void add(clang::FunctionDecl &function) {
  if (!function.hasAttr<Attribute>())
    function.addAttr(Attribute::Create(function.getASTContext()));
}

/// Gives FUNCTION and EARLIER an attribute that either has. Returns true if EARLIER did not have
/// it.
template <class Attribute> bool unite(clang::FunctionDecl &function, clang::FunctionDecl &earlier) {
  if (!has<Attribute>(function) && !has<Attribute>(earlier))
    return false;
  bool isLate = !earlier.hasAttr<Attribute>();
  add<Attribute>(function);
  add<Attribute>(earlier);
  return isLate;
}

/// Says that EARLIER lacks what TEXT has, where that can be written there. A specialization is only
/// used after its definition.
void reportLate(clang::Sema &sema, const clang::FunctionDecl &earlier, llvm::StringRef text) {
  if (earlier.getInstantiatedFromMemberFunction())
    return;
  clang::SourceLocation at = earlier.getInnerLocStart();
  if (at.isFileID() || // or the first of a macro
      clang::Lexer::isAtStartOfMacroExpansion(at, sema.SourceMgr, sema.getLangOpts(), &at))
    sema.Diag(at, lateExecutionSpace(sema.getDiagnostics()))
        << &earlier << clang::FixItHint::CreateInsertion(at, text);
}

void share(clang::Sema &sema, clang::FunctionDecl &function, clang::FunctionDecl &earlier) {
  const clang::DeclContext *written = function.getLexicalDeclContext();
  if (written != function.getDeclContext() && !written->isRecord()) {
    bool lacksHost = unite<clang::CUDAHostAttr>(function, earlier);
    bool lacksDevice = unite<clang::CUDADeviceAttr>(function, earlier);
    if (lacksHost || lacksDevice)
      reportLate(sema, earlier,
                 !lacksDevice ? "__attribute__((host)) "
                 : lacksHost  ? "__attribute__((host, device)) "
                              : "__attribute__((device)) ");
    return;
  }
  bool isPlain =
      !function.hasAttr<clang::CUDAHostAttr>() && !function.hasAttr<clang::CUDADeviceAttr>();
  bool isForBothNow = isForBoth(function) || isForBoth(earlier);
  for (clang::FunctionDecl *one : {&function, &earlier}) {
    if (isForBothNow || (one == &function && isPlain && has<clang::CUDAHostAttr>(earlier)))
      add<clang::CUDAHostAttr>(*one);
    if (isForBothNow || (one == &function && isPlain && has<clang::CUDADeviceAttr>(earlier)))
      add<clang::CUDADeviceAttr>(*one);
  }
}

/// Returns true if FUNCTION begins with `template <>`; what it is a specialization of is not known
/// yet.
bool isExplicitSpecialization(const clang::FunctionDecl &function) {
  unsigned lists = function.getNumTemplateParameterLists();
  return lists && function.getTemplateParameterList(lists - 1)->size() == 0;
}

class ExecutionSpace final : public clang::ParsedAttrInfo {
public:
  ExecutionSpace() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_GNU, kSpaceAttribute}};
    Spellings = spellings;
    IsSupportedByPragmaAttribute = true;
  }

  void getPragmaAttributeMatchRules(
      llvm::SmallVectorImpl<std::pair<clang::attr::SubjectMatchRule, bool>> &rules,
      const clang::LangOptions &) const override {
    rules.emplace_back(clang::attr::SubjectMatchRule_function, true);
  }

  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *decl,
                                   const clang::ParsedAttr &) const override {
    auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (!function || isLeftToClang(sema, *function) || function->hasAttr<clang::CUDAGlobalAttr>())
      return AttributeApplied;
    llvm::SmallVector<clang::FunctionDecl *, 2> templates;
    for (clang::NamedDecl *one :
         function->getDeclContext()->getRedeclContext()->lookup(function->getDeclName())) {
      clang::FunctionDecl *earlier = one->getAsFunction();
      if (!earlier || earlier == function || isLeftToClang(sema, *earlier))
        continue;
      if (earlier->getDescribedFunctionTemplate())
        templates.push_back(earlier);
      if (earlier->isDefined() || earlier->hasAttr<clang::CUDAGlobalAttr>() ||
          sema.IsOverload(function, earlier, /*UseMemberUsingDeclRules=*/false,
                          /*ConsiderCudaAttrs=*/false))
        continue;
      share(sema, *function, *earlier);
      return AttributeApplied;
    }
    if (isExplicitSpecialization(*function))
      inherit(*function, templates);
    return AttributeApplied;
  }

private:
  static bool isLeftToClang(clang::Sema &sema, const clang::FunctionDecl &function) {
    return function.getLocation().isInvalid() ||
           sema.SourceMgr.isInSystemHeader(function.getLocation());
  }

  /// Gives the specialization FUNCTION what the TEMPLATES that it may be of have in common.
  static void inherit(clang::FunctionDecl &function,
                      llvm::ArrayRef<clang::FunctionDecl *> templates) {
    auto haveAll = [&](auto test) { return !templates.empty() && llvm::all_of(templates, test); };
    if (function.hasAttr<clang::CUDAHostAttr>() || function.hasAttr<clang::CUDADeviceAttr>())
      return;
    if (haveAll([](auto *one) { return has<clang::CUDADeviceAttr>(*one); }))
      add<clang::CUDADeviceAttr>(function);
    if (haveAll([](auto *one) { return has<clang::CUDAHostAttr>(*one); }))
      add<clang::CUDAHostAttr>(function);
  }
};

/// Puts the attribute on all functions up to the end of the source.
class ExecutionSpaceConsumer final : public clang::SemaConsumer {
public:
  void InitializeSema(clang::Sema &s) override {
    if (!s.getLangOpts().CUDA)
      return;
    sema = &s;
    clang::Preprocessor &preprocessor = s.getPreprocessor();
    group = preprocessor.getIdentifierInfo("vx");
    s.ActOnPragmaAttributeEmptyPush({}, group);
    clang::ParsedAttr *attribute =
        attributes.addNew(preprocessor.getIdentifierInfo(kSpaceAttribute), {}, {}, nullptr, 0,
                          clang::ParsedAttr::Form::GNU());
    clang::attr::ParsedSubjectMatchRuleSet rules;
    rules[clang::attr::SubjectMatchRule_function] = {};
    s.ActOnPragmaAttributeAttribute(*attribute, {}, std::move(rules));
    preprocessor.setTokenWatcher([this](const clang::Token &token) {
      if (token.is(clang::tok::eof))
        end();
    });
  }
  void ForgetSema() override { sema = nullptr; }

private:
  void end() {
    if (sema) {
      // The region may have no function.
      sema->getDiagnostics().setSeverityForGroup(clang::diag::Flavor::WarningOrError,
                                                 "pragma-clang-attribute",
                                                 clang::diag::Severity::Ignored);
      sema->ActOnPragmaAttributePop({}, group);
    }
    sema = nullptr;
  }

  clang::Sema *sema = nullptr;
  clang::AttributeFactory factory;
  clang::ParsedAttributes attributes{factory};
  const clang::IdentifierInfo *group = nullptr;
};

} // namespace

unsigned lateExecutionSpace(const clang::DiagnosticsEngine &diagnostics) {
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(
      {clang::diag::Severity::Error,
       "the definition of %0 has an execution space that its declaration lacks"});
}

void shareExecutionSpaces() {
  static clang::ParsedAttrInfoRegistry::Add<ExecutionSpace> space(
      kSpaceAttribute, "what declarations of a function have in common");
  static clang::FrontendPluginRegistry::Add<PluginAction<ExecutionSpaceConsumer>> consumer(
      "vx-execution-spaces", "lets declarations share their execution spaces");
}

} // namespace vx
