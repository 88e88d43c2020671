// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's switches of stock code generation that keep a branch next to its marker, and the one that
// chooses the machine scheduler. They exist only as command-line options, which are global to the
// process: one thread's link with lld resets them all while another thread generates code. So code
// that depends on them says for how long.

#ifndef VX_PASSES_LOWER_CODEGENSWITCHES_H
#define VX_PASSES_LOWER_CODEGENSWITCHES_H

namespace vx {

/// While it lives, the switches stay as MODE says in the whole process; waits until no
/// thread needs them otherwise. A thread must not hold two.
class CodegenSwitches {
public:
  enum class Mode {
    Device,  ///< for annotated IR of the device
    Default, ///< as LLVM has them; they may be reset, as lld does
  };
  explicit CodegenSwitches(Mode mode);
  ~CodegenSwitches();
  CodegenSwitches(const CodegenSwitches &) = delete;
  CodegenSwitches &operator=(const CodegenSwitches &) = delete;
};

} // namespace vx

#endif // VX_PASSES_LOWER_CODEGENSWITCHES_H
