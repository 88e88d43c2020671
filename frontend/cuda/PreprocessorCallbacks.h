// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_PREPROCESSORCALLBACKS_H
#define VX_FRONTEND_CUDA_PREPROCESSORCALLBACKS_H

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include <functional>
#include <memory>

namespace vx {

/// Makes INSTANCE's preprocessor call what MAKE returns, from before it reads anything, whatever
/// the instance makes of the source.
inline void
addCallbacks(clang::CompilerInstance &instance,
             std::function<std::unique_ptr<clang::PPCallbacks>(clang::Preprocessor &)> make) {
  struct Attachment : clang::DependencyCollector {
    decltype(make) callbacks;
    void attachToPreprocessor(clang::Preprocessor &pp) override {
      pp.addPPCallbacks(callbacks(pp));
    }
  };
  auto attachment = std::make_shared<Attachment>();
  attachment->callbacks = std::move(make);
  instance.addDependencyCollector(std::move(attachment));
}

} // namespace vx

#endif // VX_FRONTEND_CUDA_PREPROCESSORCALLBACKS_H
