// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/LaunchServices.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include "runtime/core/Messages.h"
#include "runtime/launch/LaunchAdvice.h"
#include "runtime/launch/Printf.h"
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace vx::rt {

LaunchServices::LaunchServices(ContextState &state) : state(state) {
  wanted.stackBytes = state.device().caps(Cap::StackBytes);
}

ContextLimits LaunchServices::limits() {
  std::lock_guard lock(mutex);
  return wanted;
}

void LaunchServices::setSyncDepth(uint64_t depth) {
  std::lock_guard lock(mutex);
  wanted.syncDepth = depth;
}

void LaunchServices::setFetchBytes(uint64_t bytes) {
  std::lock_guard lock(mutex);
  wanted.fetchBytes = bytes;
}

cudaError_t LaunchServices::setStackBytes(uint64_t bytes) {
  constexpr uint64_t kUnit = 16;
  std::string asked =
      "cudaDeviceSetLimit: stacks of " + std::to_string(bytes) + " bytes for each thread: ";
  if (bytes > state.shape().maxStackBytes) {
    printMessage(asked + describeStackRoom(state.shape()));
    return cudaErrorInvalidValue;
  }
  bytes = (bytes + kUnit - 1) / kUnit * kUnit;
  Result<void> made = state.scheduler().withDevice([&] {
    uint64_t power = std::bit_ceil(std::max(bytes, state.shape().stackBytes));
    return state.device().setStackLog2Size(uint32_t(std::countr_zero(power)));
  });
  if (!made) {
    printMessage(asked + made.error().message);
    return cudaErrorMemoryAllocation;
  }
  std::lock_guard lock(mutex);
  wanted.stackBytes = bytes;
  return cudaSuccess;
}

cudaError_t LaunchServices::setPrintfBytes(uint64_t bytes) {
  state.scheduler().waitForAll();
  {
    std::lock_guard lock(mutex);
    if (hasPrinted)
      return cudaErrorInvalidValue; // as CUDA, which has its buffer then
    wanted.printfBytes = std::max<uint64_t>(bytes, 1024);
  }
  return drop(printfBuffer);
}

/// Returns true if a kernel has allocated memory.
bool LaunchServices::isHeapUsed() {
  abi::DeviceHeap header{};
  return heap.address && state.device().copyFromDev(writableBytesOf(header), heap.address) &&
         header.top;
}

cudaError_t LaunchServices::setHeapBytes(uint64_t bytes) {
  state.scheduler().waitForAll();
  if (state.scheduler().withDevice([&] { return isHeapUsed(); }))
    return cudaErrorInvalidValue; // what kernels have allocated stays
  {
    std::lock_guard lock(mutex);
    wanted.heapBytes = std::max<uint64_t>(bytes, 4096);
  }
  return drop(heap);
}

cudaError_t LaunchServices::setPendingLaunches(uint64_t count) {
  constexpr uint64_t kMost = 1 << 20;
  if (count == 0 || count > kMost)
    return cudaErrorInvalidValue;
  state.scheduler().waitForAll();
  {
    std::lock_guard lock(mutex);
    wanted.pendingLaunches = count;
  }
  return drop(queue);
}

/// Gives a buffer back. The next launch makes the buffer anew, in the size that is wanted then.
cudaError_t LaunchServices::drop(Scratch &scratch) {
  return state.scheduler().withDevice(
      [&] { return scratch.drop(state.device()) ? cudaSuccess : cudaErrorInvalidValue; });
}

/// Makes BUFFER, which begins with HEADER and is cleared, unless it is there.
template <typename Header>
Result<void> LaunchServices::ensureBuffer(Scratch &buffer, uint64_t bytes, const Header &header) {
  if (buffer.address)
    return {};
  Device &device = state.device();
  uint64_t total = sizeof header + bytes;
  Result<void> r = buffer.ensure(device, total);
  if (r)
    r = device.fill(buffer.address, 0, total);
  return r ? device.copyToDev(buffer.address, bytesOf(header)) : r;
}

Result<void> LaunchServices::ensure() {
  ContextLimits limit = limits();
  Result<void> r =
      ensureBuffer(printfBuffer, limit.printfBytes, abi::PrintfBuffer{limit.printfBytes, 0});
  return r ? ensureBuffer(heap, limit.heapBytes, abi::DeviceHeap{limit.heapBytes, 0, 0, 0}) : r;
}

/// The program sees what kernels print where it waits for them, or when there is much of it.
void LaunchServices::collectPrinted() {
  Result<std::string> text = drainPrintf();
  if (!text || text->empty())
    return;
  bool isMuch;
  {
    std::lock_guard lock(mutex);
    hasPrinted = true;
    unseenText += *text;
    isMuch = unseenText.size() >= wanted.printfBytes;
  }
  if (isMuch)
    showPrinted();
}

void LaunchServices::showPrinted() {
  std::string text;
  {
    std::lock_guard lock(mutex);
    text.swap(unseenText);
  }
  if (text.empty())
    return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// Returns what the last kernel printed; the buffer is empty afterwards.
Result<std::string> LaunchServices::drainPrintf() {
  abi::PrintfBuffer header{};
  if (Result<void> r = state.device().copyFromDev(writableBytesOf(header), printfBuffer.address);
      !r)
    return r.error();
  if (header.used == 0)
    return std::string();
  uint64_t capacity = printfBuffer.bytes - sizeof header; // the device could have changed its copy
  std::vector<uint8_t> records(std::min(header.used, capacity));
  uint64_t first = printfBuffer.address + sizeof header;
  if (Result<void> r = state.device().copyFromDev(records, first); !r)
    return r.error();
  std::string text = formatPrintfRecords(records, header.used,
                                         [this](uint64_t address) { return readString(address); });
  if (Result<void> r = state.device().fill(first, 0, records.size()); !r)
    return r.error();
  header = {capacity, 0};
  if (Result<void> r = state.device().copyToDev(printfBuffer.address, bytesOf(header)); !r)
    return r.error();
  return text;
}

std::string LaunchServices::readString(uint64_t address) {
  constexpr size_t kMost = 64 * 1024;
  std::string text;
  while (text.size() < kMost) {
    char chunk[64];
    // Whole aligned chunks first; at the end of the memory byte by byte.
    size_t size = sizeof chunk - (address + text.size()) % sizeof chunk;
    std::span bytes(reinterpret_cast<uint8_t *>(chunk), size);
    if (!state.device().copyFromDev(bytes, address + text.size())) {
      size = 1;
      if (!state.device().copyFromDev(bytes.first(1), address + text.size()))
        break;
    }
    size_t length = strnlen(chunk, size);
    text.append(chunk, length);
    if (length < size)
      break;
  }
  return text;
}

} // namespace vx::rt
