// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in device code. Clang takes them with relocatable device code only, which also changes
// how it names and links what it emits. Here, Sema always sees that option and code generation what
// was asked for: of two AST consumers, one before code generation and one after it, the first
// restores the option and the second sets it again. Code generation itself may load declarations of
// a precompiled header, which come to both while it runs.

#include "frontend/cuda/DeviceLaunches.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"

namespace vx {
namespace {

/// The number of calls of code generation that the thread is in.
thread_local unsigned depth = 0;

/// Sets the option at each call: before code generation to what was asked for, after the outermost
/// call as Sema needs it.
template <bool InFront> class Switch final : public clang::ASTConsumer {
public:
  explicit Switch(clang::CompilerInstance &compiler)
      : options(compiler.getLangOpts()),
        value(options.GPURelocatableDeviceCode || (!InFront && options.CUDA)) {
    depth = 0;
  }

  void Initialize(clang::ASTContext &) override { set(); }
  bool HandleTopLevelDecl(clang::DeclGroupRef) override { return set(); }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *) override { set(); }
  void HandleInterestingDecl(clang::DeclGroupRef) override { set(); }
  void HandleTranslationUnit(clang::ASTContext &) override { set(); }
  void HandleTagDeclDefinition(clang::TagDecl *) override { set(); }
  void HandleTagDeclRequiredDefinition(const clang::TagDecl *) override { set(); }
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl *) override { set(); }
  void HandleTopLevelDeclInObjCContainer(clang::DeclGroupRef) override { set(); }
  void HandleImplicitImportDecl(clang::ImportDecl *) override { set(); }
  void CompleteTentativeDefinition(clang::VarDecl *) override { set(); }
  void CompleteExternalDeclaration(clang::DeclaratorDecl *) override { set(); }
  void AssignInheritanceModel(clang::CXXRecordDecl *) override { set(); }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *) override { set(); }
  void HandleVTable(clang::CXXRecordDecl *) override { set(); }

private:
  bool set() {
    if constexpr (InFront)
      ++depth;
    else if (--depth)
      return true;
    options.GPURelocatableDeviceCode = value;
    return true;
  }
  clang::LangOptions &options;
  bool value;
};

} // namespace

void acceptDeviceLaunches() {
  using Registry = clang::FrontendPluginRegistry;
  using Front = PluginAction<Switch<true>>;
  using Back = PluginAction<Switch<false>, clang::PluginASTAction::AddAfterMainAction>;
  static Registry::Add<Front> front("vx-restore-rdc", "for code generation");
  static Registry::Add<Back> back("vx-set-rdc", "for Sema");
}

} // namespace vx
