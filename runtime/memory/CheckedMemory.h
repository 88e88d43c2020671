// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the checkers of a device (VX_CHECK) what the program does with memory, and by which calls.
// Nothing happens on a device without checkers.

#ifndef VX_RUNTIME_MEMORY_CHECKEDMEMORY_H
#define VX_RUNTIME_MEMORY_CHECKEDMEMORY_H

#include "runtime/core/Device.h"
#include "runtime/memory/HostMemory.h"
#include "simulator/api/Checker.h"

namespace vx::rt {

/// SIZE bytes at ADDRESS were allocated for the program.
void noteAllocation(Device &device, uint64_t address, uint64_t size);
/// The program's own memory REGION is the device's, too, from here on.
void noteHostMemory(Device &device, const HostRegion &region);
/// The host memory that the context OWNER has allocated, and not freed, is lost now.
void noteHostLeaks(Device &device, uint64_t owner);
/// The calls that have led here, for HostRegion::made; null if they are not reported.
HostCalls callsFor(Device &device);
/// The memory at ADDRESS is the program's no longer.
void noteFree(Device &device, uint64_t address);
/// Others than DEVICE may write SIZE bytes at ADDRESS.
void noteSharedMemory(Device &device, uint64_t address, uint64_t size);
/// The program has asked CALL to free ADDRESS, where nothing is allocated.
void noteWrongFree(Device &device, uint64_t address, const char *call);
/// The program's call, which the calling thread is in, fails.
void noteFailedCall(Device &device, sim::FailedCall call);

} // namespace vx::rt

#endif // VX_RUNTIME_MEMORY_CHECKEDMEMORY_H
