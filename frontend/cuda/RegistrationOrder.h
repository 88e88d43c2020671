// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When host objects announce their kernels and variables to the runtime.

#ifndef VX_FRONTEND_CUDA_REGISTRATIONORDER_H
#define VX_FRONTEND_CUDA_REGISTRATIONORDER_H

namespace clang {
class CodeGenOptions;
}

namespace vx {

/// Makes code that is generated with OPTIONS announce its kernels before the program's own
/// constructors run, which may launch them, and take them back after its destructors.
void registerKernelsFirst(clang::CodeGenOptions &options);

} // namespace vx

#endif // VX_FRONTEND_CUDA_REGISTRATIONORDER_H
