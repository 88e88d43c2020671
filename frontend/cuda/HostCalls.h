// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_HOSTCALLS_H
#define VX_FRONTEND_CUDA_HOSTCALLS_H

namespace clang {
class CompilerInvocation;
}
namespace llvm {
class Module;
}

namespace vx {

/// Lets every compilation that follows accept calls of `__host__` functions in `__host__
/// __device__` functions that device code needs, with a warning, as nvcc does. Once is enough.
void acceptHostCalls();

/// Makes the compilation of device code INVOCATION ask acceptHostCalls()'s consumer about each
/// body.
void letHostCallsWait(clang::CompilerInvocation &invocation);

/// Makes what such calls lead to in device code M functions that stop the thread.
void defineHostCalls(llvm::Module &m);

} // namespace vx

#endif // VX_FRONTEND_CUDA_HOSTCALLS_H
