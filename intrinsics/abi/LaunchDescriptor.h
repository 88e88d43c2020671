// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structure that the host hands to the device for one kernel launch. Every core starts one warp
// with one lane and CSR mscratch = the address of a LaunchDescriptor; the start-up code spawns the
// other warps and calls `kernelEntry` on every lane of every warp with a0 = that address.
//
// One definition for three readers: the compiler (which takes field offsets from here with
// offsetof), the runtime (which fills it in) and C++ device code. All fields are little endian and
// have the same place for XLEN 32 and 64: pointers are 64-bit slots.
//
// How a grid is mapped. A block occupies `warpsPerBlock` hardware warps and `blocksPerCore` blocks
// are resident on a core at a time; warp w of a core belongs to slot w / warpsPerBlock, and slots
// beyond blocksPerCore end at once. Slot s of core c runs the blocks (c * blocksPerCore + s) + k *
// (numCores * blocksPerCore), k = 0, 1, …. A block with more threads than the core has lanes runs
// in chunks: warpsPerBlock = all warps of the core, and `kernelEntry` is the chunked entry of the
// kernel. Fields that only some mappings (Mappings.def) have a meaning for are in parts of their
// own, MappingFields.

#ifndef VX_ABI_LAUNCH_DESCRIPTOR_H
#define VX_ABI_LAUNCH_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>

namespace vx::abi {

inline constexpr uint32_t kAbiVersion = 4;

/// Mapping hw. A kernel that exchanges values between more lanes than a hardware warp has merges
/// hardware warps first (KernelRecord::groupThreads). Blocks then occupy whole groups, which start
/// at multiples of their size, and thread and warp CSRs speak of the group.
struct GroupFields {
  uint32_t regroup;  // group mask << 8 | group size for the vx_tile at the start, 0: none
  uint32_t perBlock; // what waits at a barrier: groups, or warps where none are formed
};

/// Mapping thread-per-lane. The hardware warps that hold the threads of a CUDA warp, or of the part
/// of it that exchanges values, are a logical warp: they exchange values through local memory and
/// wait for each other at a barrier of their own. Exchange memory is two buffers, each with 8 bytes
/// for every lane of the core, then 16 bytes for every hardware warp.
struct LogicalWarpFields {
  uint64_t exchange;       // device address of the exchange memory, in local memory
  uint32_t exchangeStride; // distance of its two buffers, bytes
  uint32_t hardwareWarps;  // of a logical warp, a power of two
  uint32_t shift;          // logical warp of hardware warp w: w >> shift
  uint32_t barriers;       // barrier of logical warp l: barriers + l
};

/// Mappings block-per-lane and warps-per-lane: the CUDA warps of a block are spread over
/// `hartsPerBlock` hardware threads, `lanesPerBlock` lanes of each of `warpsPerBlock` hardware
/// warps; if that is one hardware warp, it may hold several slots, `blocksPerWarp`.
struct SerialFields {
  uint32_t hartsPerBlock;
  uint32_t lanesPerBlock;
  uint32_t blocksPerWarp;
  uint32_t contextThreads; // threads for which each hardware thread of a block has room
};

/// Fields that only some mappings use: a mapping that needs more adds its part at the end.
struct MappingFields {
  GroupFields groups;             // hw
  LogicalWarpFields logicalWarps; // thread-per-lane
  SerialFields serial;            // block-per-lane, warps-per-lane
};
/// The fields of a launch whose mapping has no meaning for them.
inline constexpr MappingFields kNoMappingFields = {{0, 1}, {0, 0, 1, 31, 0}, {1, 1, 1, 0}};

/// Fields that every entry reads first are in the first cache line, those that nearly all read in
/// the second.
struct LaunchDescriptor {
  uint64_t kernelEntry;      // device address of the entry chosen for this launch
  uint64_t args;             // device address of the argument block (CUDA's parameter layout)
  uint64_t numBlocks;        // product of gridDim; kKernelLaunches: where this run ends
  uint64_t blocksAtOnce;     // numCores * blocksPerCore: from a block of a slot to its next;
                             //   with clusters, a multiple of their size: slots beyond it idle
  uint32_t blockThreads;     // product of blockDim, 1..1024
  uint32_t warpsPerBlock;    // hardware warps that one resident block occupies, >= 1
  uint32_t blocksPerCore;    // resident blocks on a core, >= 1
  uint32_t slotInverse;      // inverseOf(warpsPerBlock)
  uint64_t spillArea;        // the middle row of the first part, see below
  uint32_t spillMask;        // bits of mhartid that number a hardware thread's column in it
  uint32_t sharedStride;     // bytes of shared memory per slot (static + dynamic + bookkeeping)
  uint64_t sharedBase;       // slot s of core c: sharedBase + c*sharedCoreStride + s*sharedStride
  uint64_t sharedCoreStride; // 0 in local memory (core-private), else bytes in global memory
  uint32_t gridDim[3];       // blocks
  uint32_t blockDim[3];      // threads
  uint32_t threadInverse[2]; // inverseOf(blockDim[0]), inverseOf(blockDim[1])
  MappingFields fields;      // of the launch's mapping
  uint32_t dynSharedOffset;  // bytes from the block's shared base to its dynamic shared memory
  uint32_t dynSharedBytes;   // bytes of dynamic shared memory asked for at launch
  uint64_t context;          // values that live across regions: slot s of core c has its area at
  uint64_t contextStride;    //   context + (c*blocksPerCore + s)*contextStride (0: none needed)
  uint64_t gridInverse[2];   // wideInverseOf(gridDim[0]), wideInverseOf(gridDim[1])
  uint64_t printfBuffer;     // device address of a PrintfBuffer, 0: output is dropped
  uint64_t heap;             // device address of a DeviceHeap, 0: malloc returns null
  uint64_t status;           // device address of a StatusBlock
  uint32_t flags;            // LaunchFlags
  uint32_t gridBarrier;      // 0 at launch; then the device's word for grid.sync()
  uint64_t firstBlock;       // kKernelLaunches: the blocks before this one have run already
  uint64_t launchQueue;      // kKernelLaunches: device address of a LaunchQueue (DeviceLaunch.h)
  uint64_t cluster;          // kKernelClusters: device address of a ClusterState (Cluster.h), or 0
};
static_assert(sizeof(LaunchDescriptor) == 256 && offsetof(LaunchDescriptor, fields) == 112 &&
                  sizeof(MappingFields) == 48,
              "offsets are part of the ABI");
static_assert(offsetof(LaunchDescriptor, spillArea) == 48 &&
                  offsetof(LaunchDescriptor, spillMask) == 56,
              "known to crt0.S");

/// The spill area holds values of entries that have no register. A part of it serves 32 hardware
/// threads: a row for each value, 8 bytes of it for each thread. In local memory every core has an
/// area of its own at the same address. Hardware thread H has column (H & spillMask) % 32 of part
/// (H & spillMask) / 32.
inline constexpr uint32_t kSpillSlots = 16;
inline constexpr uint32_t kSpillRowBytes = 32 * 8;
inline constexpr uint32_t kSpillPartBytes = kSpillSlots * kSpillRowBytes;
static_assert(kSpillPartBytes == 1 << 12, "known to crt0.S");
constexpr uint64_t spillAreaBytes(uint64_t hardwareThreads) {
  return (hardwareThreads + 31) / 32 * kSpillPartBytes;
}

/// Divisions by launch constants are multiplications on the device: for N < 1024 and D in 1..1024,
/// N / D = N * inverseOf(D) >> kInverseShift, and the product fits into 31 bits.
inline constexpr uint32_t kInverseShift = 20;
constexpr uint32_t inverseOf(uint32_t d) {
  return (1u << kInverseShift) / d + 1;
}
/// Returns the inverse of D by which others divide: for N < 2^32 and D in 1..2^31 - 1, N / D is the
/// product of N and wideInverseOf(D), of up to 96 bits, over 2^63.
constexpr uint64_t wideInverseOf(uint32_t d) {
  return (uint64_t(1) << 63) / d + 1;
}
inline constexpr uint64_t kMaxGridBlocks = uint64_t(1) << 32;

enum LaunchFlags : uint32_t {
  kLaunchCooperative = 1u << 0, // all blocks are resident: grid.sync() is legal
};

/// Ring-less printf buffer: a writer reserves `16 + argBytes` rounded up to 8 by an atomic add on
/// `used`; what does not fit is dropped and counted. Records follow the header.
struct PrintfBuffer {
  uint64_t capacity; // bytes available for records
  uint64_t used;     // bytes asked for so far; may exceed capacity
  // PrintfRecord records[];
};
struct PrintfRecord {
  uint64_t format;   // device address of the format string
  uint32_t argBytes; // bytes of packed arguments that follow (vprintf's layout: each argument at
  uint32_t valid;    //   its natural alignment, as clang packs them); valid = 1 once written
};

/// The record in which device code leaves the reason for stopping. One record: the first writer
/// wins.
struct StatusBlock {
  uint32_t kind;        // StatusKind; set by compare-and-swap from kStatusNone
  uint32_t line;        // assert: source line
  uint64_t message;     // assert: device address of the expression text
  uint64_t file;        // assert: device address of the file name
  uint64_t function;    // assert: device address of the function name
  uint32_t blockIdx[3]; // who stopped
  uint32_t threadIdx[3];
};
enum StatusKind : uint32_t {
  kStatusNone = 0,
  kStatusAssert = 1,
  kStatusPureVirtual = 2,
  kStatusNoLocalMemory = 3,
};

/// Device-side malloc arena: the runtime zero-fills it and writes `capacity`.
struct DeviceHeap {
  uint64_t capacity; // bytes after this header
  uint64_t lock;     // owned by the device code
  uint64_t freeList; // owned by the device code
  uint64_t top;      // bytes handed out from the untouched end
};

/// Per-lane control block at the very top of a lane's stack; register tp points to it. Device
/// functions that are not inlined into a kernel read the thread's coordinates from here.
struct ThreadControlBlock {
  uint64_t descriptor; // LaunchDescriptor; in code of the host, the device has it in mscratch
  uint64_t sharedBase; // of the block that this lane works on
  uint32_t threadIdx[3];
  uint32_t blockIdx[3];
  uint64_t waterfall; // lane 0's copy is the warp's broadcast slot
  uint64_t reserved[2];
};
static_assert(sizeof(ThreadControlBlock) == 64, "offsets are part of the ABI");

} // namespace vx::abi

#endif // VX_ABI_LAUNCH_DESCRIPTOR_H
