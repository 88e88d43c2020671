// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device in a few lines: byte-exact memory with permissions of nothing but existence, and a
// "kernel" that is a C++ function of the test. It checks what the runtime does to a device.

#ifndef VX_TEST_RUNTIME_FAKEDEVICE_H
#define VX_TEST_RUNTIME_FAKEDEVICE_H

#include "intrinsics/abi/LaunchDescriptor.h"
#include "runtime/core/Allocator.h"
#include "runtime/core/Device.h"
#include <cstring>
#include <functional>
#include <map>

namespace vx::rt::test {

class FakeDevice : public Device {
public:
  /// Runs when the device is started; its result is what readyWait() reports.
  using Program = std::function<RunReport(FakeDevice &, const abi::LaunchDescriptor &)>;

  std::map<Cap, uint64_t> capabilities = {{Cap::NumThreads, 4},
                                          {Cap::NumWarps, 4},
                                          {Cap::NumCores, 2},
                                          {Cap::NumBarriers, 2},
                                          {Cap::LocalMemSize, 16384},
                                          {Cap::LocalMemBase, 0x1FFFF0000},
                                          {Cap::Xlen, 64},
                                          {Cap::WarpIsa, 2},
                                          {Cap::Zicond, 1},
                                          {Cap::StackBytes, 8192},
                                          {Cap::MaxStackBytes, 1 << 20},
                                          {Cap::GlobalMemSize, 1 << 26}};
  Program program;
  uint64_t clock = 0;
  std::map<uint64_t, std::vector<uint8_t>> blocks; // mapped memory

  /// Memory is given out from BASE.
  explicit FakeDevice(uint64_t base = 0x10000)
      : arena{base, 1 << 27}, allocator(std::span(&arena, 1), 1 << 26) {}

  std::string description() const override { return "fake"; }
  uint64_t caps(Cap cap) const override {
    auto it = capabilities.find(cap);
    return it == capabilities.end() ? 0 : it->second;
  }

  Result<uint64_t> memAlloc(uint64_t size, uint8_t) override {
    std::optional<uint64_t> base = allocator.allocate(size);
    if (!base)
      return Failure{"out of memory"};
    blocks[*base].assign(size, 0xba);
    return *base;
  }
  Result<void> memReserve(uint64_t address, uint64_t size, uint8_t) override {
    for (auto &[base, bytes] : blocks)
      if (AddressRange{base, bytes.size()}.overlaps(address, size))
        return Failure{"in use"};
    blocks[address].assign(size, 0xba);
    return {};
  }
  Result<void> memFree(uint64_t address) override {
    allocator.release(address);
    return blocks.erase(address) ? Result<void>() : Failure{"nothing there"};
  }
  MemInfo memInfo() const override {
    return {allocator.capacity() - allocator.used(), allocator.capacity()};
  }

  Result<void> copyToDev(uint64_t destination, std::span<const uint8_t> source) override {
    uint8_t *to = at(destination, source.size());
    if (!to)
      return Failure{"unmapped"};
    std::memcpy(to, source.data(), source.size());
    return {};
  }
  Result<void> copyFromDev(std::span<uint8_t> destination, uint64_t source) override {
    uint8_t *from = at(source, destination.size());
    if (!from)
      return Failure{"unmapped"};
    std::memcpy(destination.data(), from, destination.size());
    return {};
  }
  Result<void> fill(uint64_t destination, uint8_t value, uint64_t size) override {
    uint8_t *to = at(destination, size);
    if (!to)
      return Failure{"unmapped"};
    std::memset(to, value, size);
    return {};
  }

  Result<void> dcrWrite(uint32_t, uint32_t) override { return {}; }
  Result<uint32_t> dcrRead(uint32_t) override { return 0u; }
  Result<void> setStackLog2Size(uint32_t log2) override {
    if (log2 > stackLog2Limit)
      return Failure{"no memory for stacks"};
    stackLog2Size = log2;
    return {};
  }
  Result<void> start(uint64_t entry, uint64_t argument) override {
    startedAt = entry;
    descriptorAddress = argument;
    return {};
  }
  RunReport readyWait() override {
    clock += 1000;
    abi::LaunchDescriptor descriptor = load<abi::LaunchDescriptor>(descriptorAddress);
    return program ? program(*this, descriptor) : RunReport();
  }
  void requestStop() override {}
  uint64_t cycles() const override { return clock; }

  uint8_t *at(uint64_t address, uint64_t size) {
    auto it = blocks.upper_bound(address);
    if (it == blocks.begin())
      return nullptr;
    --it;
    if (!AddressRange{it->first, it->second.size()}.contains(address, size))
      return nullptr;
    return it->second.data() + (address - it->first);
  }
  template <typename T> T load(uint64_t address) {
    T value{};
    if (uint8_t *from = at(address, sizeof value))
      std::memcpy(&value, from, sizeof value);
    return value;
  }
  template <typename T> void store(uint64_t address, const T &value) {
    if (uint8_t *to = at(address, sizeof value))
      std::memcpy(to, &value, sizeof value);
  }

  uint64_t startedAt = 0, descriptorAddress = 0;
  uint32_t stackLog2Size = 0, stackLog2Limit = 18; // of a lane

private:
  AddressRange arena;
  Allocator allocator;
};

} // namespace vx::rt::test

#endif // VX_TEST_RUNTIME_FAKEDEVICE_H
