// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --time: how long the driver's steps take, in the columns of nvcc.

#ifndef VX_LIB_DRIVER_STEPTIMES_H
#define VX_LIB_DRIVER_STEPTIMES_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <string>

namespace vx::driver {

class StepTimes {
public:
  /// Notes the step that began where the one before it ended.
  void add(llvm::StringRef source, llvm::StringRef step, llvm::StringRef inputs,
           llvm::StringRef output);

  /// Appends the table to FILE ("-": standard output), with a heading if that is empty; false after
  /// reporting an error.
  bool write(const std::string &file) const;

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  std::string rows;
};

} // namespace vx::driver

#endif // VX_LIB_DRIVER_STEPTIMES_H
