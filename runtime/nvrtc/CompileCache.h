// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that has been compiled for running programs is kept in a folder for later runs, as CUDA's
// driver does with PTX:
//
//   CUDA_CACHE_PATH      the folder; else vxcc in XDG_CACHE_HOME or in ~/.cache
//   CUDA_CACHE_DISABLE   1: nothing is kept, nor taken from there
//   CUDA_CACHE_MAXSIZE   bytes of all files (1 GiB); the oldest go first
//
// A file is named by a hash of what was compiled, how, and by which compiler.

#ifndef VX_NVRTC_COMPILE_CACHE_H
#define VX_NVRTC_COMPILE_CACHE_H

#include "frontend/clang/CacheFolder.h"
#include "intrinsics/abi/RuntimeCompiler.h"
#include "runtime/nvrtc/DeviceImages.h"
#include <string>

namespace vx::nvrtc {

class CompileCache {
public:
  explicit CompileCache(const abi::RuntimeCompileRequest &request);

  /// Reads what was kept for the request; false if there is nothing.
  bool find(Bytes &image) const;
  void keep(const Bytes &image) const;

private:
  CacheFolder folder;
  std::string key;
};

} // namespace vx::nvrtc

#endif // VX_NVRTC_COMPILE_CACHE_H
