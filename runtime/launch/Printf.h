// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats what device code printed.

#ifndef VX_RUNTIME_LAUNCH_PRINTF_H
#define VX_RUNTIME_LAUNCH_PRINTF_H

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace vx::rt {

/// Reads the NUL-terminated string at a device address.
using StringReader = std::function<std::string(uint64_t address)>;

/// Expands FORMAT with ARGUMENTS in vprintf's layout: promoted as for C's `...`, each at its
/// natural alignment. A conversion whose argument is missing prints as it is written; so does one
/// that is not C's.
std::string formatDevicePrintf(std::string_view format, std::span<const uint8_t> arguments,
                               const StringReader &readString);

/// Prints all records of a printf buffer (abi::PrintfRecord); BYTES are the records, USED how many
/// bytes were asked for. A damaged record ends it.
std::string formatPrintfRecords(std::span<const uint8_t> bytes, uint64_t used,
                                const StringReader &readString);

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_PRINTF_H
