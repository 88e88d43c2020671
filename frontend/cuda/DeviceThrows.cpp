// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions of constexpr functions in device code:
//
//     constexpr int index(int i) { return i < 4 ? i : throw std::out_of_range("index"); }
//
// As with nvcc and --expt-relaxed-constexpr, such a function is one of the device, too; a thread
// that comes to the `throw` is stopped. In front of code generation, a consumer leaves a `throw`
// without the exception, which the import makes a trap, and the block of each `try`. Elsewhere in
// device code, exceptions are clang's error.

#include "frontend/cuda/DeviceThrows.h"
#include "frontend/cuda/DeviceBodies.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/StmtCXX.h"

namespace vx {
namespace {

class ThrowConsumer final : public DeviceBodies {
  void visitStatement(clang::Stmt &statement) override {
    if (!isConstexprForBoth(*function))
      return;
    if (llvm::isa<clang::CXXThrowExpr>(statement))
      for (clang::Stmt *&thrown : statement.children())
        thrown = nullptr;
    if (auto *whole = llvm::dyn_cast<clang::CXXTryStmt>(&statement);
        whole && function->getBody() == whole)
      function->setBody(whole->getTryBlock());
    for (clang::Stmt *&child : statement.children())
      if (auto *attempt = llvm::dyn_cast_or_null<clang::CXXTryStmt>(child))
        child = attempt->getTryBlock();
  }
};

} // namespace

bool isConstexprForBoth(const clang::FunctionDecl &function) {
  const auto *host = function.getAttr<clang::CUDAHostAttr>();
  return host && host->isImplicit() && function.hasAttr<clang::CUDADeviceAttr>() &&
         function.isConstexpr() && !clang::isLambdaCallOperator(&function);
}

void stopAtThrows() {
  static clang::FrontendPluginRegistry::Add<PluginAction<ThrowConsumer>> action(
      "vx-device-throws", "stops threads of the device where constexpr functions throw");
}

} // namespace vx
