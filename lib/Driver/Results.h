// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a step of the driver: its diagnostics, its file, its exit code. As with nvcc the code
// is 2 when a CUDA source has errors and 1 for everything else that goes wrong.

#ifndef VX_LIB_DRIVER_RESULTS_H
#define VX_LIB_DRIVER_RESULTS_H

#include "frontend/DiagnosticLog.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace vx::driver {

/// Prints what LOG holds, and how many warnings and errors.
void report(DiagnosticLog &log);

/// Returns the exit code after the errors in LOG, those of a CUDA source: 1 if it could not be read
/// to its end because a header is missing, else 2.
int compileErrorCode(const DiagnosticLog &log);

/// Writes BYTES to PATH ("-": the standard output); 0, or the exit code after reporting an error.
int writeFile(llvm::StringRef path, llvm::ArrayRef<char> bytes);

} // namespace vx::driver

#endif // VX_LIB_DRIVER_RESULTS_H
