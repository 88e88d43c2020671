// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_DETECTIONIDIOM_H
#define VX_FRONTEND_DETECTIONIDIOM_H

namespace vx {

/// Lets function templates that only serve to ask whether a call is possible, std::result_of's
/// among them, see functions of both sides in every compilation that follows, as with nvcc. Once is
/// enough.
void detectOnBothSides();

} // namespace vx

#endif // VX_FRONTEND_DETECTIONIDIOM_H
