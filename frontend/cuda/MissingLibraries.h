// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries of NVIDIA's toolkit that vxcc does not have, such as cuFFT: the error at the include of
// one of their headers says what the source wants of it.

#ifndef VX_FRONTEND_MISSING_LIBRARIES_H
#define VX_FRONTEND_MISSING_LIBRARIES_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace vx {

/// Makes INSTANCE, before it runs, name the functions that a source calls of a library whose header
/// is not found. A source that names nothing of the library is compiled without the header, with a
/// warning.
void explainMissingLibraries(clang::CompilerInstance &instance);

} // namespace vx

#endif // VX_FRONTEND_MISSING_LIBRARIES_H
