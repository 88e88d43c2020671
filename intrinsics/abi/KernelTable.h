// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel table of an image: section `.vx.kernels` (not loaded), written by the compiler and
// read by the runtime. A header, then `numKernels` records, then the bytes that nameOffset and
// paramsOffset point at (offsets count from the start of the section). Names are the mangled
// device names, as in __cudaRegisterFunction. A kernel that is lowered in several ways has as
// many records of one name: those of the sw lowering have kKernelSerial or kKernelTeams. Device
// variables are ordinary ELF symbols.

#ifndef VX_ABI_KERNEL_TABLE_H
#define VX_ABI_KERNEL_TABLE_H

#include <cstdint>

namespace vx::abi {

inline constexpr uint32_t kKernelTableMagic = 0x4B545856; // "VXTK"
inline constexpr const char *kKernelTableSection = ".vx.kernels";
/// Section with the addresses of conditional branches proven uniform (8 bytes each, not loaded);
/// each entry is the address of a point in straight-line code before its branch.
inline constexpr const char *kUniformBranchSection = ".vx.uniform";

/// The most that the argument block of a kernel may take, as in CUDA from sm_70 on.
inline constexpr uint32_t kMaxArgumentBytes = 32764;

struct KernelTableHeader {
  uint32_t magic;
  uint32_t version; // kAbiVersion
  uint32_t numKernels;
  uint32_t recordSize; // sizeof(KernelRecord) of the writer: readers step by it
};

struct KernelParam {
  uint32_t offset; // bytes, in the argument block
  uint32_t size;   // bytes
};

struct KernelRecord {
  uint64_t directEntry;  // blocks that fit the core: one thread on one lane
  uint64_t chunkedEntry; // any block: a loop over chunks between barriers
  uint32_t nameOffset;   // NUL-terminated
  uint32_t paramsOffset; // KernelParam[numParams]
  uint32_t numParams;
  uint32_t argBytes;          // size of the argument block
  uint32_t staticSharedBytes; // a multiple of 16; dynamic shared memory starts there
  uint32_t tailSharedBytes;   // bookkeeping after the dynamic part (barrier reductions), aligned 16
  uint32_t contextBytes;      // chunked entry: bytes per thread of values that live across regions
  uint32_t localBytes;        // stack bytes of one thread; see kKernelOpenStack
  uint32_t constBytes;        // bytes of __constant__ data the module holds
  uint32_t maxThreads;        // __launch_bounds__, 0: none
  uint32_t minBlocks;         // __launch_bounds__'s second value, 0: none
  uint32_t numRegs;           // integer and floating-point registers used
  uint32_t flags;             // KernelFlags
  uint32_t isaProfile;        // IsaProfile: the instructions that the entries need
  uint32_t groupThreads;      // threads that must execute together: 4, 8, 16, 32; 0: any number
  uint32_t contextFixedBytes; // as contextBytes, per block
  uint32_t clusterDim;        // __cluster_dims__: x | y << 8 | z << 16; 0: none
  uint32_t reserved;
};

enum KernelFlags : uint32_t {
  kKernelUsesBarrier = 1u << 0, // more than one warp of a block meets: needs a hardware barrier
  kKernelRegroups = 1u << 1,    // the entries merge hardware warps where the descriptor says so
  kKernelSerial = 1u << 2,      // sw lowering: one hardware thread runs a whole block
  kKernelExactGroups = 1u << 3, // groups of exactly groupThreads: wider warps are cut
  kKernelTeams = 1u << 4,       // sw lowering: hardware warps exchange values in local memory
  kKernelFlat = 1u << 5,        // the entries are for blocks of one dimension
  kKernelLoneTeams = 1u << 6,   // a group must be within one hardware warp
  kKernelSpreads = 1u << 7,     // kKernelSerial: several hardware threads may share a block
  kKernelWaits = 1u << 8,     // kKernelSerial: blocks may wait for others: a hardware warp for each
  kKernelOpenStack = 1u << 9, // may need more than localBytes (recursion, variable-length arrays)
  kKernelLanesWait = 1u << 10, // hw lowering: lanes of a warp may wait for each other, and hang
  kKernelLaunches = 1u << 11,  // may launch kernels: a run of it may have a part of its blocks
  kKernelClusters = 1u << 12,  // uses its cluster: the blocks of one must be resident together
};

} // namespace vx::abi

#endif // VX_ABI_KERNEL_TABLE_H
