// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ELF files that are not loaded: programs of the host, of which only lines are wanted.

#ifndef VX_SIMULATOR_API_ELFSECTIONS_H
#define VX_SIMULATOR_API_ELFSECTIONS_H

#include "simulator/api/ElfImage.h"

namespace vx::sim {

/// Sections and symbols of an ELF file for MACHINE of any type: no segments, no entry.
Result<ElfImage> readElfSections(std::span<const uint8_t> file, ElfMachine machine);

} // namespace vx::sim

#endif // VX_SIMULATOR_API_ELFSECTIONS_H
