// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images made with Vortex's own kernel library need more of the device than their segments:
// thread-local storage of every hardware thread after their end, stacks that other hardware threads
// read, and the words below VX_USER_BASE_ADDR where they leave counters and exit code.

#ifndef VX_SIMULATOR_API_VORTEXIMAGE_H
#define VX_SIMULATOR_API_VORTEXIMAGE_H

#include "simulator/api/ElfImage.h"
#include "simulator/api/SimConfig.h"
#include <optional>

namespace vx::sim {

/// Returns true if IMAGE follows the conventions of Vortex's kernel library rather than vxcc's: a
/// .vxbin, raw bytes, or an ELF with the symbols of that library.
bool followsVortex(const ElfImage &image);

/// Returns the number of bytes that the hardware threads of a device have for thread-local storage
/// after IMAGE, as far as it says (null: it does not), else room for what programs use.
uint64_t threadStorageBytes(const ElfImage *image, const SimConfig &config);

/// Makes the words for counters and the exit code accessible, and with CLEAR zero.
Result<void> mapVortexWords(Simulator &simulator, bool clear = true);

/// Makes the thread-local storage after all segments of IMAGE accessible, as far as nothing else of
/// it lies there.
Result<void> mapThreadStorage(Simulator &simulator, const ElfImage &image);

/// The word INDEX that the program on CORE has left (VX_MPM_ADDR).
uint64_t readVortexWord(const Simulator &simulator, uint32_t core, uint32_t index);

} // namespace vx::sim

#endif // VX_SIMULATOR_API_VORTEXIMAGE_H
