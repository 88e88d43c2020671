// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that kernels make. The device writes them into a queue, in the order in which threads
// make them; the runtime takes them out when the grid, or a part of its blocks, has ended. The
// address of a kernel on the device is that of its KernelHandle, a variable of the image with the
// symbol kKernelHandlePrefix + mangled name.

#ifndef VX_ABI_DEVICE_LAUNCH_H
#define VX_ABI_DEVICE_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

namespace vx::abi {

inline constexpr const char kKernelHandlePrefix[] = "__vx_kernel.";
inline constexpr uint32_t kKernelHandleMagic = 0x4B485856; // "VXHK"

/// The compiler fills in the first two fields, the runtime the rest
/// before the first run that may use it.
struct KernelHandle {
  uint32_t magic;
  uint32_t maxThreads;       // of a block
  uint32_t maxDynamicShared; // bytes that a launch may ask for
  uint32_t staticSharedBytes;
  uint32_t constBytes;
  uint32_t localBytes;
  uint32_t numRegs;
  uint32_t reserved;
};

enum LaunchKind : uint32_t { kLaunchKernel = 0, kLaunchCopy = 1, kLaunchFill = 2 };

struct LaunchRecord {
  uint64_t kernel;     // device address of a KernelHandle; copies and fills: 0
  uint64_t parameters; // device address of the argument block, or of a CopyOperation
  uint32_t grid[3], block[3];
  uint32_t sharedBytes; // dynamic
  uint32_t kind;        // LaunchKind
  uint32_t stream;      // DeviceStream, or a stream that the device made
  uint32_t valid;       // 1 once the rest is written
};

/// Rows of bytes: row y of slice z is at address + (z * height + y) * pitch.
struct CopyOperation {
  uint64_t destination, destinationPitch, destinationHeight;
  uint64_t source, sourcePitch, sourceHeight; // a fill: source is the value
  uint64_t width, rows, slices;
};

enum DeviceStream : uint32_t {
  kStreamDefault = 0,
  kStreamLegacy = 1,
  kStreamPerThread = 2,
  kStreamTailLaunch = 3,
  kStreamFireAndForget = 4,
};
/// Streams and events that the device makes are numbers from here on.
inline constexpr uint32_t kFirstDeviceHandle = 0x80000000;
/// Nested launches, as in CUDA.
inline constexpr uint32_t kMaxLaunchDepth = 24;

/// The last error of a thread: an element of a table with open addressing.
struct ThreadError {
  uint32_t state; // 0: free, 1: being written, 2: of a thread
  uint32_t block; // linear number
  uint32_t thread;
  uint32_t error; // cudaError_t
};
inline constexpr uint32_t kThreadErrors = 1024; // a power of two

inline constexpr uint32_t kDeviceAttributes = 160;
inline constexpr uint32_t kDeviceLimits = 8;

/// The data with which device code launches kernels, and what it has launched. The runtime writes
/// it before each run of a kernel that may launch others.
struct LaunchQueue {
  uint32_t limit;      // launches that may be added
  uint32_t reserved;   // buffers for arguments that were handed out
  uint32_t count;      // records
  uint32_t depth;      // of the running grid; 0: launched by the host
  uint64_t records;    // device address of LaunchRecord[]
  uint64_t arena;      // device address of the memory for arguments
  uint32_t arenaBytes; // its size
  uint32_t arenaUsed;  // bytes asked for so far; may exceed the size
  uint32_t nextHandle; // the next stream or event
  uint32_t errorCount; // elements of `errors` in use
  uint32_t lostError;  // of threads that found no element; 0: none
  uint32_t device, deviceCount;
  uint32_t unused;
  uint64_t limits[kDeviceLimits];        // by cudaLimit
  int32_t attributes[kDeviceAttributes]; // by cudaDeviceAttr
  ThreadError errors[kThreadErrors];
};
static_assert(offsetof(LaunchQueue, errors) % 16 == 0, "what comes before is written by itself");

} // namespace vx::abi

#endif // VX_ABI_DEVICE_LAUNCH_H
