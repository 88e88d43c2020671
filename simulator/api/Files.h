// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole files, read and written.

#ifndef VX_SIMULATOR_API_FILES_H
#define VX_SIMULATOR_API_FILES_H

#include "simulator/api/Result.h"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vx::sim {

/// The bytes of the file PATH, which may be a pipe. The Failure names it and says why.
Result<std::vector<uint8_t>> readFile(const std::string &path);

/// Makes BYTES the content of the file PATH. The Failure names it and says why.
Result<void> writeFile(const std::string &path, std::span<const uint8_t> bytes);

} // namespace vx::sim

#endif // VX_SIMULATOR_API_FILES_H
