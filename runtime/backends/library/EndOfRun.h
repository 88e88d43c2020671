// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a driver of Vortex knows of a run is what the program leaves at VX_MPM_ADDR when it ends,
// which images of vxcc do not do by themselves: the code would cost cycles on every device. Here
// their last instruction is replaced by a jump to code that leaves cycles and instructions of the
// core, as Vortex's kernel library does, and then ends the warp.

#ifndef VX_RUNTIME_BACKENDS_LIBRARY_ENDOFRUN_H
#define VX_RUNTIME_BACKENDS_LIBRARY_ENDOFRUN_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vx::rt {

/// The code for registers of XLEN bits. It may lie anywhere and uses t0 and t1.
std::vector<uint32_t> endOfRunCode(uint32_t xlen);

/// How far into an image's start-up code the instruction is that ends a warp; none: it is
/// another's.
std::optional<uint64_t> findWarpEnd(std::span<const uint32_t> startUpCode);

/// The jump from FROM to TO; none if it is too far.
std::optional<uint32_t> jumpTo(uint64_t from, uint64_t to);

} // namespace vx::rt

#endif // VX_RUNTIME_BACKENDS_LIBRARY_ENDOFRUN_H
