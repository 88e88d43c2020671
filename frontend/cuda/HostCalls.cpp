// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of __host__ functions in __host__ __device__ functions. Templates for both sides often have
// them under a condition that is false on the device; Thrust's algorithms do. nvcc compiles them
// with a warning. Clang keeps an error for each, which it gives if device code needs the function.
// Here, a consumer makes warnings of those that wait, and marks the functions that are called; a
// thread on the device that calls one is stopped. Functions that are neither inline nor templates
// are surely needed, and clang would give their errors at once; it is made to let these wait, too,
// and what remains of them is given before code generation sees the function.
//
// Calls in constexpr functions, as for the exception of std::array::at(), are the same, and throw
// and try in them, which DeviceThrows.cpp makes nothing of, are accepted.
//
// Variables of the host in such functions are a warning, too. As with nvcc, there is an error if
// device code really needs the function: it has no such variable (passes/import/Unresolved.cpp).
//
// As with nvcc, `#pragma nv_exec_check_disable` (or hd_warning_disable) in front of a function is
// for headers that know what they do: no warning.

#include "frontend/cuda/HostCalls.h"
#include "frontend/cuda/DeviceThrows.h"
#include "frontend/cuda/OwnWarnings.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

namespace vx {
namespace {

/// The mark of a function that the device cannot call, as the text of __attribute__((warning)), and
/// the attribute that clang makes of it.
constexpr llvm::StringLiteral kMark = "vx.host", kWarnAttribute = "dontcall-warn";

/// Returns true only for functions that their authors call __host__ __device__; clang makes others
/// so by itself.
bool isDeclaredForBoth(const clang::FunctionDecl &function) {
  const auto *host = function.getAttr<clang::CUDAHostAttr>();
  const auto *device = function.getAttr<clang::CUDADeviceAttr>();
  return host && device && !host->isImplicit() && !device->isImplicit();
}

/// The arguments of a diagnostic that waits.
struct Arguments : clang::PartialDiagnostic {
  static const clang::DiagnosticStorage &of(const clang::PartialDiagnostic &diagnostic) {
    return *(diagnostic.*(&Arguments::DiagStorage));
  }
};

/// Returns the function or variable of the host that DIAGNOSTIC says the device cannot use; null if
/// it says something else.
clang::NamedDecl *findHostUse(const clang::PartialDiagnostic &diagnostic) {
  if (diagnostic.getDiagID() != clang::diag::err_ref_bad_target)
    return nullptr;
  // %0: the kind of what is referred to, %2: it
  const clang::DiagnosticStorage &arguments = Arguments::of(diagnostic);
  if (arguments.NumDiagArgs < 3 ||
      arguments.DiagArgumentsKind[2] != clang::DiagnosticsEngine::ak_nameddecl ||
      arguments.DiagArgumentsVal[0] != uint64_t(clang::CUDAFunctionTarget::Host))
    return nullptr;
  return reinterpret_cast<clang::NamedDecl *>(uintptr_t(arguments.DiagArgumentsVal[2]));
}

/// Notes the places after a pragma.
class ExecCheckPragma final : public clang::PragmaHandler {
public:
  ExecCheckPragma(llvm::StringRef name, llvm::DenseSet<clang::SourceLocation> &places)
      : PragmaHandler(name), places(places) {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token &) override {
    const clang::SourceManager &sources = preprocessor.getSourceManager();
    // A pragma in a macro counts where the macro is used.
    clang::SourceLocation place = sources.getExpansionRange(introducer.Loc).getBegin();
    if (introducer.Kind == clang::PIK_HashPragma)
      place = lastOfLine(sources, place);
    else if (introducer.Loc.isFileID())
      for (int tokens = 0; tokens < 3; ++tokens) // _Pragma ( text )
        place = next(preprocessor, place);
    places.insert(next(preprocessor, place));
  }

private:
  static clang::SourceLocation lastOfLine(const clang::SourceManager &sources,
                                          clang::SourceLocation place) {
    llvm::StringRef text = sources.getCharacterData(place);
    return place.getLocWithOffset(int(text.find_first_of("\r\n")) - 1);
  }
  static clang::SourceLocation next(clang::Preprocessor &preprocessor,
                                    clang::SourceLocation place) {
    auto token = clang::Lexer::findNextToken(place, preprocessor.getSourceManager(),
                                             preprocessor.getLangOpts());
    return token ? token->getLocation() : place;
  }

  llvm::DenseSet<clang::SourceLocation> &places;
};

class HostCallConsumer final : public clang::SemaConsumer {
public:
  void InitializeSema(clang::Sema &s) override {
    if (!s.getLangOpts().CUDAIsDevice)
      return;
    sema = &s;
    for (llvm::StringRef name : {"nv_exec_check_disable", "hd_warning_disable"})
      s.getPreprocessor().AddPragmaHandler(new ExecCheckPragma(name, unchecked));
  }
  void ForgetSema() override { sema = nullptr; }

  bool HandleTopLevelDecl(clang::DeclGroupRef) override {
    excuse();
    reportErrors();
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *) override { excuse(); }

  /// Returns false, as none of the bodies is skipped. Called before each body (letHostCallsWait()).
  /// What has no definition yet is not known to be needed, so that errors of the body wait.
  bool shouldSkipFunctionBody(clang::Decl *d) override {
    clang::FunctionDecl *function = d->getAsFunction();
    if (sema && function && isDeclaredForBoth(*function))
      function->setWillHaveBody(false);
    return false;
  }

private:
  /// Makes warnings of the errors that have come to wait. Clang gives them right after the last
  /// instantiation of a function, for which HandleTopLevelDecl is called, too.
  void excuse() {
    if (!sema || sema->DeviceDeferredDiags.empty())
      return;
    for (auto &[caller, diagnostics] : sema->DeviceDeferredDiags) {
      const clang::FunctionDecl *function = caller;
      if (!isDeclaredForBoth(*function) && !isConstexprForBoth(*function))
        continue;
      if (isConstexprForBoth(*function))
        llvm::erase_if(diagnostics, [](const clang::PartialDiagnosticAt &entry) {
          return entry.second.getDiagID() == clang::diag::err_cuda_device_exceptions;
        });
      for (clang::PartialDiagnosticAt &entry : diagnostics)
        if (clang::NamedDecl *used = findHostUse(entry.second))
          entry.second = warning(*function, *used);
    }
  }

  /// Gives the errors of functions that are surely needed: their code is generated at once, which
  /// takes what is in them for correct.
  void reportErrors() {
    if (!sema)
      return;
    for (auto &[caller, diagnostics] : sema->DeviceDeferredDiags) {
      const clang::FunctionDecl *function = caller;
      if (sema->getEmissionStatus(function) == clang::Sema::FunctionEmissionStatus::Emitted)
        llvm::erase_if(diagnostics, [this](const clang::PartialDiagnosticAt &entry) {
          clang::DiagnosticsEngine &engine = sema->getDiagnostics();
          unsigned id = entry.second.getDiagID();
          if (engine.getDiagnosticLevel(id, entry.first) < clang::DiagnosticsEngine::Error)
            return false;
          clang::DiagnosticBuilder builder = engine.Report(entry.first, id);
          entry.second.Emit(builder);
          return true;
        });
    }
  }

  clang::PartialDiagnostic warning(const clang::FunctionDecl &user, clang::NamedDecl &used) {
    auto *callee = llvm::dyn_cast<clang::FunctionDecl>(&used);
    if (callee && !callee->hasAttr<clang::ErrorAttr>())
      callee->addAttr(clang::ErrorAttr::CreateImplicit(sema->Context, kMark, {},
                                                       clang::ErrorAttr::GNU_warning));
    const char *text = callee ? "calling the '__host__' function %0 from the '__host__ "
                                "__device__' function %1: a thread of the device that does so is "
                                "stopped"
                              : "the host variable %0 in the '__host__ __device__' function %1 is "
                                "an error if device code needs the function: make it "
                                "'__device__', '__managed__' or an argument";
    unsigned id = ownWarning(sema->getDiagnostics(), text, !isUnchecked(user));
    clang::PartialDiagnostic result(id, sema->Context.getDiagAllocator());
    result << &used << &user;
    return result;
  }

  /// Returns true if one of the pragmas is in front of FUNCTION, or of the template that it was
  /// made of.
  bool isUnchecked(const clang::FunctionDecl &function) const {
    const clang::FunctionDecl *written = function.getTemplateInstantiationPattern();
    if (!written)
      written = &function;
    if (const clang::FunctionTemplateDecl *outer = written->getDescribedFunctionTemplate())
      if (unchecked.contains(outer->getBeginLoc()))
        return true;
    // Attributes, of which __host__ is one, are in front of what a declaration begins with.
    clang::SourceLocation begin = written->getBeginLoc();
    for (const clang::Attr *attribute : written->attrs())
      if (clang::SourceLocation place = firstLocation(*attribute); place.isValid())
        begin = sema->SourceMgr.isBeforeInTranslationUnit(place, begin) ? place : begin;
    return unchecked.contains(begin);
  }

  clang::SourceLocation firstLocation(const clang::Attr &attribute) const {
    clang::SourceLocation place = attribute.getLocation();
    return place.isValid() ? sema->SourceMgr.getExpansionLoc(place) : place;
  }

  clang::Sema *sema = nullptr;
  llvm::DenseSet<clang::SourceLocation> unchecked;
};

} // namespace

void acceptHostCalls() {
  static clang::FrontendPluginRegistry::Add<PluginAction<HostCallConsumer>> action(
      "vx-host-calls", "accepts calls of host functions in functions for both sides");
}

void letHostCallsWait(clang::CompilerInvocation &invocation) {
  invocation.getFrontendOpts().SkipFunctionBodies = true;
}

void defineHostCalls(llvm::Module &m) {
  for (llvm::Function &f : m) {
    if (!f.isDeclaration() || f.getFnAttribute(kWarnAttribute).getValueAsString() != kMark)
      continue;
    f.removeFnAttr(kWarnAttribute);
    f.addFnAttr(llvm::Attribute::AlwaysInline);
    f.setLinkage(llvm::GlobalValue::InternalLinkage);
    f.setComdat(nullptr);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(m.getContext(), "", &f));
    b.CreateIntrinsic(llvm::Intrinsic::trap, {});
    b.CreateUnreachable();
  }
}

} // namespace vx
