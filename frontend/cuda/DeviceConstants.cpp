// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of the device that the host looks up:
//
//     static __device__ const double half = 0.5; // cudaMemcpyFromSymbol(&h, half, sizeof h)
//
// Clang notes which variables of the device host functions use, and keeps these for the host. In
// the device half, it gives constants an implicit __constant__ that those of the host get, too, and
// so takes the variable for one of both halves. Here they are noted when they are used.

#include "frontend/cuda/DeviceConstants.h"
#include "frontend/cuda/PluginAction.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"

namespace vx {
namespace {

class DeviceConstantConsumer final : public clang::ASTConsumer, clang::ASTMutationListener {
public:
  void Initialize(clang::ASTContext &c) override {
    context = c.getLangOpts().CUDAIsDevice ? &c : nullptr;
  }
  clang::ASTMutationListener *GetASTMutationListener() override { return this; }

private:
  void DeclarationMarkedUsed(const clang::Decl *decl) override {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!context || !variable || variable->hasExternalStorage())
      return;
    const auto *device = variable->getAttr<clang::CUDADeviceAttr>();
    const auto *constant = variable->getAttr<clang::CUDAConstantAttr>();
    if (device && !device->isImplicit() && constant && constant->isImplicit())
      context->CUDADeviceVarODRUsedByHost.insert(variable);
  }

  clang::ASTContext *context = nullptr;
};

} // namespace

void keepDeviceConstants() {
  static clang::FrontendPluginRegistry::Add<PluginAction<DeviceConstantConsumer>> action(
      "vx-device-constants", "keeps constants of the device that the host looks up");
}

} // namespace vx
