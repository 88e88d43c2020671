// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA that nvcc's front end accepts and clang's does not, put right in the text before clang reads
// it. Other tokens keep their lines and, except after an inserted character, their columns.
//
//   k << <1, 2 >> > (p);           ->  k <<< 1, 2 >>>  (p);
//   k<<<{1, 2}, {3, 4}>>>(p);      ->  k<<<dim3{1, 2}, dim3{3, 4}>>>(p);
//   asm("…" :: "r"(x) "r"(y));     ->  asm("…" :: "r"(x),"r"(y));
//   asm("mov.u32 %0, %laneid;" : …  ->  asm("mov.u32 %0, %%laneid;" : …
//   X<T>::cast<3>(v)               ->  X<T>::template cast<3>(v)
//   #define UNROLL #pragma unroll  ->  #define UNROLL _Pragma("unroll")
//
// The same goes for templates of known headers that name members that do not exist, if nothing
// instantiates them.

#ifndef VX_FRONTEND_NVCC_SPELLINGS_H
#define VX_FRONTEND_NVCC_SPELLINGS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class CompilerInstance;
class LangOptions;
} // namespace clang

namespace vx {

/// Returns TEXT as clang accepts it, or nothing if it is that already. Only what cannot be C++ is
/// touched, or means the same with `template` or `_Pragma`.
std::optional<std::string> acceptNvccSpellings(llvm::StringRef text,
                                               const clang::LangOptions &language);

/// Makes INSTANCE, before it runs, read its CUDA source and whatever that includes in this way.
void acceptNvccSpellings(clang::CompilerInstance &instance);

} // namespace vx

#endif // VX_FRONTEND_NVCC_SPELLINGS_H
