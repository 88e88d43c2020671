// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_DEVICETHROWS_H
#define VX_FRONTEND_CUDA_DEVICETHROWS_H

namespace clang {
class FunctionDecl;
}

namespace vx {

/// Returns whether FUNCTION is one that clang makes `__host__ __device__` because it is constexpr,
/// as std::array::at(). Lambdas, which are constexpr by themselves, are not.
bool isConstexprForBoth(const clang::FunctionDecl &function);

/// Makes device code of every compilation that follows stop where a constexpr function throws. Once
/// is enough.
void stopAtThrows();

} // namespace vx

#endif // VX_FRONTEND_CUDA_DEVICETHROWS_H
