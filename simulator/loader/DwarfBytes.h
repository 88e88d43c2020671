// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The encodings of DWARF, read from a section that is not trusted.

#ifndef VX_SIMULATOR_LOADER_DWARFBYTES_H
#define VX_SIMULATOR_LOADER_DWARFBYTES_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace vx::sim {

/// A cursor over bytes; after a read past the end, everything reads as 0 and ok() is false.
class DwarfBytes {
public:
  explicit DwarfBytes(std::span<const uint8_t> data) : data(data) {}

  bool ok() const { return good; }
  bool atEnd() const { return position >= data.size() || !good; }
  uint64_t offset() const { return position; }
  void seek(uint64_t to) { good = good && to <= data.size() ? (position = to, true) : false; }
  void skip(uint64_t size) {
    good = good && size <= data.size() - position;
    position += good ? size : 0;
  }

  uint64_t fixed(unsigned size) {
    uint64_t value = 0;
    if (data.size() - std::min<uint64_t>(position, data.size()) < size) {
      good = false;
      return 0;
    }
    std::memcpy(&value, data.data() + position, size);
    position += size;
    return value;
  }
  uint8_t u8() { return uint8_t(fixed(1)); }
  uint16_t u16() { return uint16_t(fixed(2)); }
  uint32_t u32() { return uint32_t(fixed(4)); }
  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; good; shift += 7) {
      uint8_t byte = u8();
      if (shift < 64)
        value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        break;
    }
    return value;
  }
  int64_t sleb() {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0;
    do {
      byte = u8();
      if (shift < 64)
        value |= uint64_t(byte & 0x7f) << shift;
      shift += 7;
    } while (good && (byte & 0x80));
    if (shift < 64 && (byte & 0x40))
      value |= ~uint64_t(0) << shift;
    return int64_t(value);
  }
  std::string text() {
    const void *end = good && position < data.size()
                          ? std::memchr(data.data() + position, 0, data.size() - position)
                          : nullptr;
    if (!end) {
      good = false;
      return {};
    }
    const char *start = reinterpret_cast<const char *>(data.data()) + position;
    std::string value(start, static_cast<const char *>(end));
    position += value.size() + 1;
    return value;
  }
  DwarfBytes part(uint64_t from, uint64_t to) const {
    from = std::min<uint64_t>(from, data.size());
    to = std::clamp<uint64_t>(to, from, data.size());
    return DwarfBytes(data.subspan(from, to - from));
  }

private:
  std::span<const uint8_t> data;
  uint64_t position = 0;
  bool good = true;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_LOADER_DWARFBYTES_H
