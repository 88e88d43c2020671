// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of lambdas that initialise variables of a namespace:
//
//     namespace a { auto f = [](int x) { return x + 1; }; }
//     namespace a { auto g = [](int x) { return x + 2; }; }
//
// For CUDA, clang numbers them, so that both halves have the same names for kernels that are
// instantiated with them. It counts in each part of the namespace anew, so f and g have one name
// and one body. Here, the numbers go through all parts.

#include "frontend/cuda/LambdaNumbers.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/DenseMap.h"

namespace vx {
namespace {

class LambdaNumberConsumer final : public clang::ASTConsumer, clang::ASTMutationListener {
public:
  void Initialize(clang::ASTContext &c) override { isCuda = c.getLangOpts().CUDA; }
  clang::ASTMutationListener *GetASTMutationListener() override { return this; }

private:
  /// Called at the end of each lambda, too; nothing has asked for its name before.
  void CompletedTagDefinition(const clang::TagDecl *tag) override {
    const auto *lambda = llvm::dyn_cast<clang::CXXRecordDecl>(tag);
    if (!isCuda || !lambda || !lambda->isLambda() || !lambda->hasKnownLambdaInternalLinkage() ||
        !lambda->getDeclContext()->isNamespace())
      return;
    clang::CXXRecordDecl::LambdaNumbering numbering = lambda->getLambdaNumbering();
    numbering.ManglingNumber = ++last[lambda->getDeclContext()->getPrimaryContext()];
    const_cast<clang::CXXRecordDecl *>(lambda)->setLambdaNumbering(numbering);
  }

  bool isCuda = false;
  llvm::DenseMap<const clang::DeclContext *, unsigned> last;
};

} // namespace

void numberLambdas() {
  static clang::FrontendPluginRegistry::Add<PluginAction<LambdaNumberConsumer>> action(
      "vx-lambda-numbers", "numbers the lambdas of a namespace through all its parts");
}

} // namespace vx
