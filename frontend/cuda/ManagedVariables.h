// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_MANAGEDVARIABLES_H
#define VX_FRONTEND_CUDA_MANAGEDVARIABLES_H

namespace vx {

/// Makes clang know the attribute that __managed__ stands for, and check where addresses of such
/// variables are used. To be called before clang runs.
void acceptManagedVariables();

} // namespace vx

#endif // VX_FRONTEND_CUDA_MANAGEDVARIABLES_H
