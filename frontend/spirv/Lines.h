// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source lines of modules that LLVM's back end writes, which writes none of its own:
//
//   store i32 1, ptr %p, !dbg !7  ──►  call @__vx_line(0, 12, 5)  ──►  OpLine %file 12 5
//                                      store i32 1, ptr %p             OpStore %p %one

#ifndef VX_FRONTEND_SPIRV_LINES_H
#define VX_FRONTEND_SPIRV_LINES_H

#include "frontend/spirv/Module.h"

namespace llvm {
class Module;
} // namespace llvm

namespace vx::spirv {

class Lines {
public:
  /// Puts a call in front of each instruction of MODULE that another line begins with. To be called
  /// when nothing but the back end follows; debug information is gone afterwards.
  void mark(llvm::Module &module);

  /// Makes OpLine of these calls in MODULE, what the back end has written.
  void write(Words &module) const;

private:
  std::vector<std::string> files;
};

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_LINES_H
