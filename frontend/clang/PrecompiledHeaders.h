// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers that every CUDA source begins with (include/vx/cuda/wrapper.h), precompiled:
// reading them is most of the time that small sources take. The first compilation with some set of
// options makes a precompiled header of them and keeps it in a folder; later ones load what they
// need of it.
//
//   VXCC_HEADER_CACHE   the folder; 0: nothing is precompiled. Else "vxcc/headers" in the user's
//                       folder for caches
//
// A source means the same with and without it, because its options go one of three ways:
//
//   - Macros that the headers never name, and folders for headers with none that they ask for, are
//     left out: many projects share one file.
//   - What concerns one source only (names of files, warnings) is left out.
//   - All else is compiled in and part of the file's name, with the compiler and the macros that
//     the headers do name. The headers themselves are compared by size and time.

#ifndef VX_FRONTEND_CLANG_PRECOMPILEDHEADERS_H
#define VX_FRONTEND_CLANG_PRECOMPILEDHEADERS_H

#include "frontend/Frontend.h"
#include "frontend/clang/CacheFolder.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace clang {
class CompilerInvocation;
}

namespace vx {

class PrecompiledHeaders {
public:
  /// Returns the headers for the -cc1 line ARGS, made if need be; empty if there are none for it.
  /// ADJUST makes the changes that the invocation of ARGS gets, and SETTINGS says which. FILES are
  /// those of the request that exist in memory only.
  static PrecompiledHeaders find(const Cc1Args &args, llvm::StringRef settings,
                                 llvm::function_ref<void(clang::CompilerInvocation &)> adjust,
                                 llvm::ArrayRef<std::pair<std::string, std::string>> files = {});

  explicit operator bool() const { return bool(file); }

  /// Makes INVOCATION load them from a file system of over().
  void use(clang::CompilerInvocation &invocation) const;

  /// FILES, with the precompiled file over it.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
  over(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) const;

private:
  CachedFile file;
};

} // namespace vx

#endif // VX_FRONTEND_CLANG_PRECOMPILEDHEADERS_H
