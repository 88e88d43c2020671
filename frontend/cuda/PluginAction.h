// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_PLUGINACTION_H
#define VX_FRONTEND_CUDA_PLUGINACTION_H

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include <memory>
#include <type_traits>

namespace vx {

/// The plugin action that puts a CONSUMER, made of the compiler instance if it takes one, before
/// code generation, or after it. To be registered with clang::FrontendPluginRegistry.
template <class Consumer, auto Place = clang::PluginASTAction::AddBeforeMainAction>
class PluginAction final : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    if constexpr (std::is_constructible_v<Consumer, clang::CompilerInstance &>)
      return std::make_unique<Consumer>(compiler);
    else
      return std::make_unique<Consumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return Place; }
};

} // namespace vx

#endif // VX_FRONTEND_CUDA_PLUGINACTION_H
