// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/FaultReport.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/CoarsenedParts.h"
#include "intrinsics/abi/SymbolNames.h"
#include "intrinsics/text/Hex.h"
#include "simulator/api/HostAddress.h"
#include <cstring>
#include <optional>

namespace vx::rt {

static cudaError_t toCudaError(const Fault &fault) {
  switch (fault.kind) {
  case FaultKind::None:
    return cudaSuccess;
  case FaultKind::MemoryAccess:
    return cudaErrorIllegalAddress;
  case FaultKind::Misaligned:
    return cudaErrorMisalignedAddress;
  case FaultKind::IllegalInstruction:
    return cudaErrorIllegalInstruction;
  case FaultKind::InvalidPc:
    return cudaErrorInvalidPc;
  case FaultKind::StackOverflow:
    return cudaErrorHardwareStackError;
  case FaultKind::Timeout:
    return cudaErrorLaunchTimeout;
  case FaultKind::Service:
    return fault.code == VX_ECALL_ASSERT            ? cudaErrorAssert
           : fault.code == VX_ECALL_NO_LOCAL_MEMORY ? cudaErrorHardwareStackError
                                                    : cudaErrorLaunchFailure;
  case FaultKind::Trap:
  case FaultKind::Other:
    return cudaErrorLaunchFailure;
  }
  return cudaErrorUnknown;
}

static std::string triple(const uint32_t v[3]) {
  return "[" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + "]";
}

/// CUDA's own wording, which users search their logs for.
static std::string assertText(const FaultContext &context) {
  const vx::abi::StatusBlock &s = context.status;
  return context.readString(s.file) + ":" + std::to_string(s.line) + ": " +
         context.readString(s.function) + ": block: " + triple(s.blockIdx) +
         ", thread: " + triple(s.threadIdx) + " Assertion `" + context.readString(s.message) +
         "` failed.\n";
}

/// Coordinates of element LINEAR of a grid or block of shape DIM.
static std::string coordinates(uint64_t linear, const uint32_t dim[3]) {
  if (dim[0] == 0 || dim[1] == 0)
    return "[?]";
  uint32_t v[3] = {uint32_t(linear % dim[0]), uint32_t(linear / dim[0] % dim[1]),
                   uint32_t(linear / dim[0] / dim[1])};
  return triple(v);
}

/// Block and thread of the lane, as far as the device knows them: a kernel says which they are once
/// it has worked them out.
static std::string describeThread(const Fault &fault, const FaultContext &context) {
  std::string where = "(core " + std::to_string(fault.core) + ", warp " +
                      std::to_string(fault.warp) + ", lane " + std::to_string(fault.lane) + ")";
  const vx::abi::LaunchDescriptor &launch = context.descriptor;
  if (!fault.block || *fault.block >= launch.numBlocks)
    return "block and thread not known yet " + where;
  std::string block = "block: " + coordinates(*fault.block, launch.gridDim);
  if (!fault.thread || *fault.thread >= launch.blockThreads)
    return block + " " + where;
  uint32_t thread = *fault.thread;
  if (std::optional<uint32_t> part = context.partOf ? context.partOf(fault.pc) : std::nullopt)
    thread = abi::threadOfPart(thread, *part);
  return block + ", thread: " + coordinates(thread, launch.blockDim) + " " + where;
}

static bool concernsAddress(FaultKind kind) {
  return kind == FaultKind::MemoryAccess || kind == FaultKind::Misaligned ||
         kind == FaultKind::StackOverflow;
}

/// Returns what is known of ADDRESS, which the device has no memory at; may be empty.
static std::string describePlace(uint64_t address) {
  return address < sim::kNearNull ? "this is near a null pointer"
                                  : sim::describeHostAddress(address);
}

FaultReport reportFault(const Fault &fault, const FaultContext &context) {
  FaultReport report;
  report.error = toCudaError(fault);
  if (report.error == cudaErrorAssert && context.status.kind == vx::abi::kStatusAssert) {
    report.text = assertText(context);
    return report;
  }
  std::string cause = fault.cause;
  if (fault.kind == FaultKind::Service)
    cause = fault.code == VX_ECALL_PURE_VIRTUAL      ? "call of a pure virtual function"
            : fault.code == VX_ECALL_NO_LOCAL_MEMORY ? "no room for the memory of an alloca; "
                                                       "cudaLimitMallocHeapSize limits it"
                                                     : "unknown service " + hexText(fault.code);
  report.text = "kernel `" + abi::sourceName(context.kernelName) + "` stopped: " + cause;
  if (concernsAddress(fault.kind)) {
    report.text += fault.isWrite ? ", writing " : ", reading ";
    if (fault.accessBytes) // not every device knows
      report.text += std::to_string(fault.accessBytes) + " bytes ";
    report.text += "at " + hexText(fault.address);
  }
  report.text += "\n  " + describeThread(fault, context);
  std::string code = context.describeCode ? context.describeCode(fault.pc) : "";
  uint64_t pc = context.linkedAddress ? context.linkedAddress(fault.pc) : fault.pc;
  report.text += "\n  pc " + hexText(pc) + (code.empty() ? "" : " in " + code) + "\n";
  if (fault.kind == FaultKind::Timeout && fault.address) {
    code = context.describeCode ? context.describeCode(fault.address) : "";
    report.text += "  waits for the store " +
                   (code.empty() ? "at " + hexText(fault.address) : "in " + code) + "\n";
  }
  if (fault.kind == FaultKind::MemoryAccess)
    if (std::string place = describePlace(fault.address); !place.empty())
      report.text += "  " + place + "\n";
  if (!context.launchedBy.empty())
    report.text += "  launched by kernel `" + abi::sourceName(context.launchedBy) + "`\n";
  if (!fault.detail.empty())
    report.text += "  " + fault.detail + "\n";
  return report;
}

} // namespace vx::rt
