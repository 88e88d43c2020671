// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images in general: the simple forms, queries, and loading into a simulator.

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/StackShift.h"
#include "intrinsics/text/Hex.h"
#include "simulator/api/ElfImage.h"
#include "simulator/api/Simulator.h"
#include <cstring>

namespace vx::sim {

namespace {

constexpr uint8_t kAllPermissions = kRead | kWrite | kExecute;

struct VxbinHeader {
  uint64_t begin, end;
};

std::span<const uint8_t> bytesOf(const uint32_t &word) {
  return {reinterpret_cast<const uint8_t *>(&word), sizeof word};
}

bool readVxbinHeader(std::span<const uint8_t> file, VxbinHeader &header) {
  if (file.size() < sizeof header)
    return false;
  std::memcpy(&header, file.data(), sizeof header);
  return true;
}

} // namespace

bool ElfImage::isElf(std::span<const uint8_t> file) {
  return file.size() >= 4 && std::memcmp(file.data(), "\177ELF", 4) == 0;
}

bool ElfImage::isVxbin(std::span<const uint8_t> file) {
  VxbinHeader header;
  return readVxbinHeader(file, header) && header.begin < header.end && header.begin % 4 == 0 &&
         header.end - header.begin >= file.size() - sizeof header &&
         header.end - header.begin <= uint64_t(1) << 38;
}

Result<ElfImage> ElfImage::parseVxbin(std::span<const uint8_t> file) {
  VxbinHeader header;
  if (!readVxbinHeader(file, header))
    return Failure{"bad vxbin image: the file is truncated"};
  if (!isVxbin(file))
    return Failure{"bad vxbin image: address range and file size do not agree"};
  return parseRaw(file.subspan(sizeof header), header.begin, header.end - header.begin);
}

Result<ElfImage> ElfImage::parseRaw(std::span<const uint8_t> file, uint64_t address,
                                    uint64_t memorySize) {
  if (file.empty())
    return Failure{"bad image: the file is empty"};
  if (memorySize < file.size())
    memorySize = file.size();
  if (memorySize > ~address)
    return Failure{"bad image: it wraps around the address space"};
  ElfImage image;
  image.entryAddress = address;
  ImageSegment segment;
  segment.address = address;
  segment.memorySize = memorySize;
  segment.permission = kAllPermissions;
  segment.bytes.assign(file.begin(), file.end());
  image.segmentList.push_back(std::move(segment));
  return image;
}

const ImageSymbol *ElfImage::symbol(std::string_view name) const {
  auto found = symbolMap.find(name);
  return found == symbolMap.end() ? nullptr : &found->second;
}

std::string ElfImage::describe(uint64_t address) const {
  for (const auto &[name, symbol] : symbolMap)
    if (symbol.isFunction && address >= symbol.address && address - symbol.address < symbol.size)
      return name + "+" + hexText(address - symbol.address);
  return {};
}

std::span<const uint8_t> ElfImage::section(std::string_view name) const {
  auto found = sectionMap.find(name);
  return found == sectionMap.end() ? std::span<const uint8_t>()
                                   : std::span<const uint8_t>(found->second);
}

std::optional<ImageWord> ElfImage::stackShift(uint32_t log2) const {
  const ImageSymbol *place = symbol(abi::kStackShiftSymbol);
  if (!place)
    return std::nullopt;
  for (const ImageSegment &s : segmentList) {
    uint64_t offset = place->address - s.address;
    uint32_t word;
    if (place->address < s.address || s.bytes.size() < sizeof word ||
        offset > s.bytes.size() - sizeof word)
      continue;
    std::memcpy(&word, s.bytes.data() + offset, sizeof word);
    if (std::optional<uint32_t> changed = abi::withStackShift(word, log2))
      return ImageWord{place->address, *changed};
  }
  return std::nullopt;
}

Result<void> ElfImage::load(Simulator &simulator) const {
  for (const ImageSegment &s : segmentList) {
    if (Result<void> r = simulator.map(s.address, s.memorySize, s.permission); !r)
      return r;
    if (Result<void> r = simulator.write(s.address, s.bytes); !r)
      return r;
    // A raw image has no .bss: what follows its bytes is plain memory and keeps its pattern.
    uint64_t rest = s.memorySize - s.bytes.size();
    if (registerWidth && rest)
      if (Result<void> r = simulator.fill(s.address + s.bytes.size(), 0, rest); !r)
        return r;
  }
  if (std::optional<ImageWord> shift = stackShift(simulator.config().stackLog2Size))
    if (Result<void> r = simulator.write(shift->address, bytesOf(shift->word)); !r)
      return r;
  simulator.writeDcr(VX_DCR_STARTUP_ADDR0, uint32_t(entryAddress));
  simulator.writeDcr(VX_DCR_STARTUP_ADDR1, uint32_t(entryAddress >> 32));
  return {};
}

} // namespace vx::sim
