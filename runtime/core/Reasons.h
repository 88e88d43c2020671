// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a call of the API fails, in words, for the reports of the checkers (VX_CHECK): what finds the
// mistake says so, and what returns the error to the program (recordError) reports it.

#ifndef VX_RUNTIME_CORE_REASONS_H
#define VX_RUNTIME_CORE_REASONS_H

#include "driver_types.h"
#include <cstdint>
#include <string>

namespace vx::rt {

/// What is known of a call that fails.
struct FailureReason {
  cudaError_t error = cudaSuccess; ///< that it is about; cudaSuccess: nothing is known
  std::string text;                ///< may be empty
  uint64_t address = 0, size = 0;  ///< of device memory that the call is about; 0: none
  std::string kernel;              ///< whose launch it is; may be empty
  bool isReported = false;         ///< already, by what has found it
};

/// Keeps, for the call that the calling thread is in, that ERROR is because of TEXT, which is about
/// SIZE bytes at ADDRESS. What was kept for the same error stays. Returns ERROR.
cudaError_t because(cudaError_t error, std::string text, uint64_t address = 0, uint64_t size = 0);
/// Does the same with the kernel that was not launched.
cudaError_t becauseOfLaunch(cudaError_t error, std::string kernel);
/// Keeps that ERROR has been reported already.
void markReported(cudaError_t error);
/// Returns what was kept for ERROR, and forgets everything.
FailureReason takeReason(cudaError_t error);

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_REASONS_H
