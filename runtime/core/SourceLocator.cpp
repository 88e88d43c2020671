// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line-number program of each unit is run (DWARF 5, section 6.2) until a row pair encloses the
// address. ByteReader never reads beyond its bytes: it turns `failed` and yields zeros, and loops
// end on that.

#include "runtime/core/SourceLocator.h"
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace vx::rt {

namespace {

class ByteReader {
public:
  explicit ByteReader(std::span<const uint8_t> bytes) : bytes(bytes) {}

  bool failed = false;
  bool atEnd() const { return failed || position >= bytes.size(); }
  size_t offset() const { return position; }

  uint64_t fixed(unsigned size) {
    if (size > 8 || bytes.size() - position < size) {
      failed = true;
      return 0;
    }
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + position, size);
    position += size;
    return value;
  }
  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; !failed; shift += 7) {
      uint64_t byte = fixed(1);
      if (shift < 64)
        value |= (byte & 0x7f) << shift;
      if (!(byte & 0x80))
        break;
    }
    return value;
  }
  int64_t sleb() {
    int64_t value = 0;
    for (unsigned shift = 0; !failed; shift += 7) {
      uint64_t byte = fixed(1);
      if (shift < 64)
        value |= int64_t((byte & 0x7f) << shift);
      if (byte & 0x80)
        continue;
      if ((byte & 0x40) && shift + 7 < 64)
        value |= -(int64_t(1) << (shift + 7));
      break;
    }
    return value;
  }
  std::string_view string() {
    std::span<const uint8_t> rest = bytes.subspan(position);
    const char *text = reinterpret_cast<const char *>(rest.data());
    size_t length = strnlen(text, rest.size());
    if (length == rest.size()) {
      failed = true;
      return {};
    }
    position += length + 1;
    return {text, length};
  }
  void skip(uint64_t count) {
    if (bytes.size() - position < count)
      failed = true;
    else
      position += count;
  }
  /// The next SIZE bytes as a reader of their own.
  ByteReader sub(uint64_t size) {
    if (bytes.size() - position < size) {
      failed = true;
      return ByteReader({});
    }
    ByteReader part(bytes.subspan(position, size));
    position += size;
    return part;
  }

private:
  std::span<const uint8_t> bytes;
  size_t position = 0;
};

enum Form : unsigned {
  kData2 = 0x05,
  kData4 = 0x06,
  kData8 = 0x07,
  kString = 0x08,
  kBlock = 0x09,
  kData1 = 0x0b,
  kStrp = 0x0e,
  kUdata = 0x0f,
  kData16 = 0x1e,
  kLineStrp = 0x1f,
};
enum Content : unsigned { kPath = 1, kDirectoryIndex = 2 };

struct FileName {
  std::string_view name;
  uint64_t directory = 0;
};

/// One unit of .debug_line.
class LineUnit {
public:
  LineUnit(const LineSections &sections, ByteReader reader) : sections(sections), r(reader) {}

  std::optional<SourceLocation> find(uint64_t pc) {
    if (!readHeader())
      return std::nullopt;
    return runProgram(pc);
  }

private:
  const LineSections &sections;
  ByteReader r;
  unsigned version = 0, addressSize = 8, offsetSize = 4, minInstruction = 1, lineRange = 1,
           opcodeBase = 1;
  int lineBase = 0;
  std::vector<uint8_t> operandCounts;
  std::vector<std::string_view> directories;
  std::vector<FileName> files;

  std::string_view stringAt(std::span<const uint8_t> section, uint64_t offset) {
    if (offset >= section.size())
      return {};
    ByteReader strings(section.subspan(offset));
    return strings.string();
  }

  std::string_view readPath(unsigned form) {
    switch (form) {
    case kString:
      return r.string();
    case kLineStrp:
      return stringAt(sections.lineStr, r.fixed(offsetSize));
    case kStrp:
      return stringAt(sections.str, r.fixed(offsetSize));
    }
    r.failed = true;
    return {};
  }

  uint64_t readNumber(unsigned form) {
    switch (form) {
    case kData1:
      return r.fixed(1);
    case kData2:
      return r.fixed(2);
    case kData4:
      return r.fixed(4);
    case kData8:
      return r.fixed(8);
    case kUdata:
      return r.uleb();
    case kData16:
      r.skip(16);
      return 0;
    case kBlock:
      r.skip(r.uleb());
      return 0;
    case kString:
      r.string();
      return 0;
    case kLineStrp:
    case kStrp:
      r.fixed(offsetSize);
      return 0;
    }
    r.failed = true;
    return 0;
  }

  /// DWARF 5: a table of entries whose columns are described in front of it.
  std::vector<FileName> readEntryTable() {
    std::vector<std::pair<unsigned, unsigned>> columns;
    for (unsigned n = unsigned(r.fixed(1)); n && !r.failed; --n) {
      unsigned content = unsigned(r.uleb());
      columns.emplace_back(content, unsigned(r.uleb()));
    }
    std::vector<FileName> entries;
    for (uint64_t n = columns.empty() ? 0 : r.uleb(); n && !r.failed; --n) {
      FileName entry;
      for (auto [content, form] : columns) {
        if (content == kPath)
          entry.name = readPath(form);
        else if (content == kDirectoryIndex)
          entry.directory = readNumber(form);
        else
          readNumber(form);
      }
      entries.push_back(entry);
    }
    return entries;
  }

  void readTablesOfDwarf4() {
    directories.emplace_back(); // 0: the compilation directory, named elsewhere
    for (std::string_view name; !(name = r.string()).empty() && !r.failed;)
      directories.push_back(name);
    files.emplace_back();
    for (std::string_view name; !(name = r.string()).empty() && !r.failed;) {
      FileName file{name, r.uleb()};
      r.uleb(); // time of modification
      r.uleb(); // length
      files.push_back(file);
    }
  }

  bool readHeader() {
    version = unsigned(r.fixed(2));
    if (version < 3 || version > 5)
      return false;
    if (version >= 5) {
      addressSize = unsigned(r.fixed(1));
      r.fixed(1); // segment selector size
    }
    uint64_t headerLength = r.fixed(offsetSize);
    uint64_t programAt = r.offset() + headerLength;
    minInstruction = unsigned(r.fixed(1));
    if (version >= 4)
      r.fixed(1); // operations per instruction: 1 but on VLIW machines
    r.fixed(1);   // default_is_stmt
    lineBase = int8_t(r.fixed(1));
    lineRange = unsigned(r.fixed(1));
    opcodeBase = unsigned(r.fixed(1));
    if (lineRange == 0 || opcodeBase == 0)
      return false;
    for (unsigned i = 1; i < opcodeBase; ++i)
      operandCounts.push_back(uint8_t(r.fixed(1)));
    if (version >= 5) {
      for (const FileName &directory : readEntryTable())
        directories.push_back(directory.name);
      files = readEntryTable();
    } else {
      readTablesOfDwarf4();
    }
    if (r.failed || programAt < r.offset())
      return false;
    r.skip(programAt - r.offset());
    return !r.failed;
  }

  SourceLocation location(uint64_t file, uint64_t line) {
    SourceLocation result;
    result.line = uint32_t(line);
    if (file >= files.size())
      return result;
    result.file = files[file].name;
    uint64_t directory = files[file].directory;
    if (!result.file.starts_with('/') && directory > 0 && directory < directories.size())
      result.file = std::string(directories[directory]) + "/" + result.file;
    return result;
  }

  std::optional<SourceLocation> runProgram(uint64_t pc);
};

/// The registers of the line-number machine.
struct Row {
  uint64_t address = 0, file = 1;
  int64_t line = 1;
};

} // namespace

std::optional<SourceLocation> LineUnit::runProgram(uint64_t pc) {
  Row row, previous;
  bool havePrevious = false;
  auto covers = [&] { return havePrevious && previous.address <= pc && pc < row.address; };
  while (!r.atEnd()) {
    unsigned opcode = unsigned(r.fixed(1));
    bool emits = false;
    if (opcode >= opcodeBase) {
      unsigned adjusted = opcode - opcodeBase;
      row.address += uint64_t(adjusted / lineRange) * minInstruction;
      row.line += lineBase + int(adjusted % lineRange);
      emits = true;
    } else if (opcode == 0) { // extended
      ByteReader body = r.sub(r.uleb());
      unsigned extended = unsigned(body.fixed(1));
      if (extended == 1) { // end of sequence
        if (covers())
          return location(previous.file, uint64_t(previous.line));
        row = Row();
        havePrevious = false;
      } else if (extended == 2) { // set address
        row.address = body.fixed(addressSize);
      }
    } else if (opcode == 1) { // copy
      emits = true;
    } else if (opcode == 2) { // advance pc
      row.address += r.uleb() * minInstruction;
    } else if (opcode == 3) { // advance line
      row.line += r.sleb();
    } else if (opcode == 4) { // set file
      row.file = r.uleb();
    } else if (opcode == 8) { // const add pc
      row.address += uint64_t((255 - opcodeBase) / lineRange) * minInstruction;
    } else if (opcode == 9) { // fixed advance pc
      row.address += r.fixed(2);
    } else {
      for (unsigned n = operandCounts[opcode - 1]; n; --n)
        r.uleb();
    }
    if (!emits)
      continue;
    if (covers())
      return location(previous.file, uint64_t(previous.line));
    previous = row;
    havePrevious = true;
  }
  return std::nullopt;
}

std::optional<SourceLocation> locateSource(const LineSections &sections, uint64_t pc) {
  ByteReader all(sections.line);
  while (!all.atEnd()) {
    uint64_t length = all.fixed(4);
    if (length >= 0xfffffff0) // 64-bit DWARF is not made by the compiler
      return std::nullopt;
    ByteReader unit = all.sub(length);
    if (all.failed)
      return std::nullopt;
    if (std::optional<SourceLocation> found = LineUnit(sections, unit).find(pc))
      return found;
  }
  return std::nullopt;
}

} // namespace vx::rt
