// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in device code. Clang takes them with relocatable device code only, which also changes
// how it names and links what it emits. Here, Sema always sees that option and code generation what
// was asked for: of two AST consumers, one in front of code generation and one behind it, the first
// restores the option and the second sets it again.

#include "frontend/DeviceLaunches.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace vx {
namespace {

/// Sets the option to VALUE at each call.
class Switch : public clang::ASTConsumer {
public:
  Switch(clang::LangOptions &options, bool value) : options(options), value(value) {}

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
    options.GPURelocatableDeviceCode = value;
    return true;
  }
  clang::LangOptions &options;
  bool value;
};

template <bool InFront> class Action : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef) override {
    clang::LangOptions &options = instance.getLangOpts();
    bool asked = options.GPURelocatableDeviceCode;
    return std::make_unique<Switch>(options, InFront ? asked : asked || options.CUDA);
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return InFront ? AddBeforeMainAction : AddAfterMainAction; }
};

} // namespace

void acceptDeviceLaunches() {
  using Registry = clang::FrontendPluginRegistry;
  static Registry::Add<Action<true>> front("vx-restore-rdc", "for code generation");
  static Registry::Add<Action<false>> back("vx-set-rdc", "for Sema");
}

} // namespace vx
