// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device images in a program, a shared library or an object file of the host.

#ifndef VX_TOOLS_OBJDUMP_EMBEDDEDIMAGES_H
#define VX_TOOLS_OBJDUMP_EMBEDDEDIMAGES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>
#include <vector>

namespace vx {

struct EmbeddedImage {
  std::string name; ///< "program.1.auto-warp-rv64": the file, a number, what it is for
  bool isCode;      ///< an ELF file with code of the device; else of the host, or IR
  llvm::StringRef bytes;
};

/// Returns true if FILE is an ELF file of a machine that has device images in it, not such an
/// image.
bool isHostFile(llvm::MemoryBufferRef file);

/// Returns the images in FILE, in their order. An error if there are none, or they are damaged.
llvm::Expected<std::vector<EmbeddedImage>> findImages(llvm::MemoryBufferRef file);

} // namespace vx

#endif // VX_TOOLS_OBJDUMP_EMBEDDEDIMAGES_H
