// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles the hints by which code tells the checkers about itself (intrinsics/abi/CheckHints.h).

#include "intrinsics/abi/CheckHints.h"
#include "intrinsics/abi/AddressMap.h"
#include "simulator/check/AccessChecks.h"
#include "simulator/check/Text.h"

namespace vx::sim {

void AccessChecks::hinted(Exec &e, Insn &insn) {
  if (isTrial)
    return;
  uint64_t *value = e.x(insn.rs1);
  bool isNarrow = device.config.xlen == 32;
  e.forLanes([&](unsigned lane) {
    uint64_t number = isNarrow ? uint32_t(value[lane]) : value[lane];
    uint64_t &operand = e.x(Core::kSizeHintRegister * device.stride)[lane];
    switch (insn.imm) {
    case VX_HINT_BLOCK:
      e.x(Core::kBlockHintRegister * device.stride)[lane] = number;
      if (auto place = blockMemory.enter(number))
        startPlace(*place);
      if (threads) {
        threads->enterBlock(e, lane);
        threads->enterThread(e, lane);
      }
      return;
    case VX_HINT_THREAD:
      e.x(Core::kThreadHintRegister * device.stride)[lane] = number;
      if (threads)
        threads->enterThread(e, lane);
      return;
    case VX_HINT_HEAP_ALLOCATED:
      return heapAllocated(e, lane, number, operand);
    case VX_HINT_HEAP_FREE:
      return heapFreed(e, lane, value[lane]);
    case VX_HINT_LOCAL_BEGIN:
      return localBegan(number, operand);
    case VX_HINT_LOCAL_END:
      return localEnded(number);
    case VX_HINT_VECTOR_READ:
    case VX_HINT_VECTOR_WRITE:
      return checkVector(e, lane,
                         {.address = number,
                          .size = unsigned(operand),
                          .isWrite = insn.imm == VX_HINT_VECTOR_WRITE,
                          .isAtomic = false});
    case VX_HINT_SITE:
    case VX_HINT_RECORD:
      operand = number;
      return;
    default:
      if (threads)
        threads->hinted(e, lane, unsigned(insn.imm), number, operand);
    }
  });
}

void AccessChecks::localBegan(uint64_t address, uint64_t record) {
  uint32_t size = 0;
  std::span to(reinterpret_cast<uint8_t *>(&size), sizeof size);
  if ((!checksMemory && !checksValues) || !device.memory.read(record, to) || size > localLimit())
    return;
  locals[address] = {size, record + sizeof size};
  global.set(address - VX_LOCAL_PADDING, VX_LOCAL_PADDING, beyond());
  global.set(address, size, fresh());
  global.set(address + size, VX_LOCAL_PADDING, beyond());
}

void AccessChecks::localEnded(uint64_t address) {
  auto found = locals.find(address);
  if (found == locals.end())
    return;
  global.set(address - VX_LOCAL_PADDING, found->second.size + 2 * VX_LOCAL_PADDING,
             ByteState::Usable);
  locals.erase(found);
}

/// The text in the device's memory at ADDRESS, which ends with 0; empty if it is not known.
std::string AccessChecks::nameAt(uint64_t address) const {
  constexpr size_t kLongest = 256;
  std::string name;
  uint8_t letter;
  while (name.size() < kLongest && device.memory.read(address++, {&letter, 1}) && letter)
    name += char(letter);
  return name;
}

std::optional<std::string> AccessChecks::describeLocal(uint64_t address) const {
  auto after = locals.upper_bound(address + VX_LOCAL_PADDING);
  if (after == locals.begin())
    return std::nullopt;
  const auto &[start, array] = *std::prev(after);
  if (address >= start + array.size + VX_LOCAL_PADDING)
    return std::nullopt;
  std::string name = nameAt(array.name);
  std::string what = name.empty() ? "a local array" : "the local array `" + name + "`";
  if (address < start)
    return bytesText(start - address) + " before " + what + ", " + bytesText(array.size);
  return positionText(address - start, array.size, what);
}

void AccessChecks::heapAllocated(Exec &e, unsigned lane, uint64_t address, uint64_t size) {
  if (!address || address - heapBase >= heapBytes || size > heapBytes)
    return;
  global.set(address, size, fresh());
  if (races)
    races->allocated(address, size);
  Region region;
  region.address = address;
  region.size = size;
  region.what = "memory of malloc() in device code";
  region.origin = run.describeThread(e, lane);
  region.canLeak = true;
  allocations.add(std::move(region));
}

/// ADDRESS becomes 0 where nothing is allocated.
void AccessChecks::heapFreed(Exec &e, unsigned lane, uint64_t &address) {
  uint64_t at = device.config.xlen == 32 ? uint32_t(address) : address;
  if (!at)
    return;
  if (const Region *region = allocations.free(at, nullptr, run.describeThread(e, lane))) {
    if (checksMemory)
      global.set(at, region->size, ByteState::Freed);
    return;
  }
  if (checksMemory) {
    const Region *region = allocations.at(at);
    bool isDouble = region && region->isFreed;
    run.report(e, lane, "memcheck", isDouble ? "double-free" : "invalid-free", at, 1,
               "free() of " + hexText(at) +
                   (isDouble ? ", which has been freed" : ", where no allocation begins"),
               allocations.describe(at, 1));
  }
  address = 0;
}

} // namespace vx::sim
