// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel table of an image: section `.vx.kernels` (not loaded), written by the compiler and
// read by the runtime. A header, then `numKernels` records, then the bytes that nameOffset and
// paramsOffset point at (offsets count from the start of the section). Names are the mangled
// device names, as in __cudaRegisterFunction. A kernel that is lowered in several ways has as
// many records of one name, each with the mappings that its entries are for. Device variables are
// ordinary ELF symbols. KernelFields.def says what is in a record; KernelTableReader.h reads it.

#ifndef VX_ABI_KERNEL_TABLE_H
#define VX_ABI_KERNEL_TABLE_H

#include "intrinsics/abi/Mappings.h"
#include <cstdint>

namespace vx::abi {

inline constexpr uint32_t kKernelTableMagic = 0x4B545856; // "VXTK"
inline constexpr uint32_t kKernelTableVersion = 4;
inline constexpr const char *kKernelTableSection = ".vx.kernels";
/// Section with the addresses of conditional branches proven uniform (8 bytes each, not loaded);
/// each entry is the address of a point in straight-line code before its branch.
inline constexpr const char *kUniformBranchSection = ".vx.uniform";

/// The most that the argument block of a kernel may take, as in CUDA from sm_70 on.
inline constexpr uint32_t kMaxArgumentBytes = 32764;

/// The most shared memory that a kernel may have without what launches ask for: that of the largest
/// core. It keeps sums of sizes within 32 bits.
inline constexpr uint32_t kMaxOwnSharedBytes = 1 << 24;

struct KernelTableHeader {
  uint32_t magic;
  uint32_t version; // kKernelTableVersion
  uint32_t numKernels;
  uint32_t recordSize; // sizeof(KernelRecord) of the writer: readers step by it
};

struct KernelParam {
  uint32_t offset; // bytes, in the argument block
  uint32_t size;   // bytes
};

/// The work of a hardware warp in a part of an entry, counted by the compiler in 1 / kCostUnit.
struct LevelCost {
  uint32_t instructions;
  uint32_t cycles;   // if it runs alone
  uint32_t accesses; // of memory
  uint32_t far;      // those of them in which lanes that run different blocks are far apart
  uint32_t stack;    // those in which all lanes are
  uint32_t warp;     // instructions of the device: votes, shuffles, splits, barriers
};
inline constexpr uint32_t kCostUnit = 16;

/// The cost of an entry (runtime/plan/CostModel.h): of every hardware warp, once of those that have
/// work, for each block that they run and, in loops over CUDA warps and over threads, for each of
/// those.
struct EntryCost {
  uint32_t code; // instructions in memory
  LevelCost start, once, block, warp, thread;
};

struct KernelRecord {
#define KERNEL_ENTRY(NAME, TEXT) uint64_t NAME;
#define KERNEL_LAYOUT(NAME, TEXT) uint32_t NAME;
#define KERNEL_FIELD(NAME, ATTRIBUTE, TEXT) uint32_t NAME;
#define KERNEL_COST(NAME, TEXT) EntryCost NAME;
#include "intrinsics/abi/KernelFields.def"
};
static_assert(sizeof(KernelRecord) % 8 == 0, "records follow each other");

enum KernelFlags : uint32_t {
#define KERNEL_FLAG(NAME, BIT, WORD, TEXT) kKernel##NAME = 1u << BIT,
#include "intrinsics/abi/KernelFields.def"
};

/// Returns true if the entries of RECORD are for MAPPING.
constexpr bool isFor(const KernelRecord &record, Mapping mapping) {
  return record.mappings & bitOf(mapping);
}

/// Returns the mapping that the entries of RECORD are for first of all; Hardware if there is none.
constexpr Mapping firstMapping(const KernelRecord &record) {
  for (const MappingInfo &info : kMappings)
    if (isFor(record, info.mapping))
      return info.mapping;
  return Mapping::Hardware;
}

} // namespace vx::abi

#endif // VX_ABI_KERNEL_TABLE_H
