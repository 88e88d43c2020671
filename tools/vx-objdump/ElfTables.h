// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's object reader checks what it reads as it reads it, and its iterators over symbols and
// relocations have no way to return an error: they end the process. So the tables that they walk
// over are checked before.

#ifndef VX_TOOLS_OBJDUMP_ELFTABLES_H
#define VX_TOOLS_OBJDUMP_ELFTABLES_H

#include "llvm/Support/Error.h"

namespace llvm::object {
class ObjectFile;
} // namespace llvm::object

namespace vx {

/// Succeeds if every section of FILE, an ELF file, lies in the file, and the symbols and
/// relocations refer to strings, symbols and sections that exist.
llvm::Error checkTables(const llvm::object::ObjectFile &file);

} // namespace vx

#endif // VX_TOOLS_OBJDUMP_ELFTABLES_H
