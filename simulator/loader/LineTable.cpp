// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The DWARF line number program: a header with directory and file tables, then a byte code that
// moves a row (address, file, line) forward and emits it. Only what address-to-line needs is kept.
// The input is not trusted: DwarfBytes never reads outside its section, and never goes back; a unit
// that does not parse is skipped.

#include "simulator/api/LineTable.h"
#include "simulator/loader/DwarfBytes.h"
#include "simulator/loader/DwarfForms.h"
#include <tuple>

namespace vx::sim {

using namespace dwarf;

namespace {

enum : unsigned { kFormPath = 1, kFormDirectory = 2 };

std::string joinPath(const std::string &directory, const std::string &name) {
  bool isWhole = name.starts_with('/') || name.starts_with('<'); // <stdin> is in no directory
  return isWhole || directory.empty() ? name : directory + "/" + name;
}

} // namespace

/// One unit of .debug_line.
class LineProgram {
public:
  LineProgram(const ElfImage &image, LineTable &table, uint64_t start)
      : image(image), table(table), fileIndex(table.unitFiles[start]) {}

  /// UNIT starts after the unit length; offsets are SIZE bytes wide.
  void run(DwarfBytes unit, unsigned size) {
    version = unit.u16();
    if (version < 2 || version > 5)
      return;
    unsigned addressBytes = 8;
    if (version >= 5) {
      addressBytes = unit.u8();
      unit.u8(); // segment selector size
    }
    uint64_t headerLength = unit.fixed(size);
    uint64_t program = unit.offset() + headerLength;
    readParameters(unit);
    version >= 5 ? readTables5(unit, size) : readTables4(unit);
    if (!unit.ok())
      return;
    unit.seek(program);
    execute(unit, addressBytes);
  }

private:
  void readParameters(DwarfBytes &unit) {
    minInsnLength = unit.u8();
    if (version >= 4)
      unit.u8(); // operations per instruction
    unit.u8();   // default is_stmt
    lineBase = int8_t(unit.u8());
    lineRange = unit.u8();
    opcodeBase = unit.u8();
    for (unsigned i = 1; i < opcodeBase; ++i)
      operandCounts.push_back(unit.u8());
  }

  void readTables4(DwarfBytes &unit) {
    std::vector<std::string> directories{""};
    for (std::string name = unit.text(); !name.empty(); name = unit.text())
      directories.push_back(name);
    fileIndex.push_back(0); // files count from 1
    for (std::string name = unit.text(); !name.empty(); name = unit.text()) {
      uint64_t directory = unit.uleb();
      unit.uleb();
      unit.uleb();
      addFile(joinPath(directory < directories.size() ? directories[directory] : "", name));
    }
  }

  void readTables5(DwarfBytes &unit, unsigned size) {
    std::vector<std::string> directories;
    readEntries(unit, size,
                [&](const std::string &name, uint64_t) { directories.push_back(name); });
    readEntries(unit, size, [&](const std::string &name, uint64_t directory) {
      addFile(joinPath(directory < directories.size() ? directories[directory] : "", name));
    });
  }

  template <typename F> void readEntries(DwarfBytes &unit, unsigned size, F add) {
    std::vector<std::pair<uint64_t, uint64_t>> format(unit.u8());
    for (auto &[content, form] : format) {
      content = unit.uleb();
      form = unit.uleb();
    }
    uint64_t count = unit.uleb();
    for (uint64_t i = 0; i < count && unit.ok(); ++i) {
      uint64_t start = unit.offset();
      std::string path;
      uint64_t directory = 0;
      for (auto [content, form] : format) {
        if (content == kFormPath)
          path = readText(unit, form, size);
        else if (uint64_t value = readNumber(unit, form, size); content == kFormDirectory)
          directory = value;
      }
      if (unit.offset() == start)
        return unit.seek(~uint64_t(0)); // an entry has bytes
      add(path, directory);
    }
  }

  std::string readText(DwarfBytes &unit, uint64_t form, unsigned size) {
    if (form == kString)
      return unit.text();
    if (form != kStrp && form != kLineStrp) {
      unit.seek(~uint64_t(0));
      return {};
    }
    DwarfBytes strings(image.section(form == kStrp ? ".debug_str" : ".debug_line_str"));
    strings.seek(unit.fixed(size));
    return strings.text();
  }

  uint64_t readNumber(DwarfBytes &unit, uint64_t form, unsigned size) {
    switch (form) {
    case kData1:
      return unit.u8();
    case kData2:
      return unit.u16();
    case kData4:
      return unit.u32();
    case kData8:
      return unit.fixed(8);
    case kUdata:
      return unit.uleb();
    case kData16:
      unit.fixed(8);
      return unit.fixed(8);
    case kString:
      unit.text();
      return 0;
    case kStrp:
    case kLineStrp:
      return unit.fixed(size);
    case kBlock:
      unit.skip(unit.uleb());
      return 0;
    default:
      unit.seek(~uint64_t(0));
      return 0; // unknown: the unit cannot be read
    }
  }

  void addFile(const std::string &path) {
    table.files.push_back(path);
    fileIndex.push_back(uint32_t(table.files.size()));
  }

  void emit(bool endOfSequence) {
    uint32_t index = file < fileIndex.size() ? fileIndex[file] : 0;
    table.rows.push_back({address, endOfSequence ? 0 : index, uint32_t(line), discriminator});
    discriminator = 0; // it is of one row
  }

  void resetRow() {
    address = 0;
    file = 1;
    line = 1;
    discriminator = 0;
  }

  void execute(DwarfBytes &code, unsigned addressBytes) {
    resetRow();
    while (!code.atEnd()) {
      uint8_t opcode = code.u8();
      if (opcode >= opcodeBase) {
        if (lineRange == 0)
          return;
        unsigned adjusted = opcode - opcodeBase;
        address += uint64_t(adjusted / lineRange) * minInsnLength;
        line += lineBase + int(adjusted % lineRange);
        emit(false);
      } else if (opcode == 0) {
        extended(code, addressBytes);
      } else {
        standard(code, opcode);
      }
    }
  }

  /// Bytes of an extended operation that are looked at: the longest that is known has an address.
  static constexpr uint64_t kLongest = 9;

  void extended(DwarfBytes &code, unsigned addressBytes) {
    uint64_t length = code.uleb();
    DwarfBytes operands = code.part(code.offset(), code.offset() + std::min(length, kLongest));
    code.skip(length);
    switch (operands.u8()) {
    case 1: // end of sequence
      emit(true);
      resetRow();
      break;
    case 2: // set address
      address = operands.fixed(std::min(addressBytes, 8u));
      break;
    case 4:
      discriminator = uint32_t(operands.uleb());
      break;
    default:
      break;
    }
  }

  void standard(DwarfBytes &code, uint8_t opcode) {
    switch (opcode) {
    case 1:
      emit(false);
      break;
    case 2:
      address += code.uleb() * minInsnLength;
      break;
    case 3:
      line += code.sleb();
      break;
    case 4:
      file = code.uleb();
      break;
    case 8:
      if (lineRange)
        address += uint64_t((255 - opcodeBase) / lineRange) * minInsnLength;
      break;
    case 9:
      address += code.u16();
      break;
    default: // no effect on the row; skip the operands
      for (unsigned i = 0; i < operandCounts[opcode - 1]; ++i)
        code.uleb();
    }
  }

  const ElfImage &image;
  LineTable &table;
  std::vector<uint32_t> &fileIndex; ///< LineTable::unitFiles of the unit
  unsigned version = 0;
  unsigned minInsnLength = 1, lineRange = 1, opcodeBase = 1;
  int lineBase = 0;
  std::vector<uint8_t> operandCounts;
  uint64_t address = 0, file = 1;
  int64_t line = 1;
  uint32_t discriminator = 0;
};

LineTable::LineTable(const ElfImage &image) {
  DwarfBytes section(image.section(".debug_line"));
  while (!section.atEnd()) {
    uint64_t offset = section.offset();
    unsigned size = 4;
    uint64_t length = section.u32();
    if (length == 0xffffffff) {
      size = 8;
      length = section.fixed(8);
    }
    uint64_t start = section.offset();
    if (length == 0 || start + length < start)
      break;
    LineProgram(image, *this, offset).run(section.part(start, start + length), size);
    section.seek(start + length);
  }
  // At an address where one sequence ends and the next starts, the start counts; if several rows
  // are for one address, the last in the table does.
  std::vector<uint32_t> order(rows.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = uint32_t(i);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(rows[a].address, rows[a].file != 0, a) <
           std::tuple(rows[b].address, rows[b].file != 0, b);
  });
  std::vector<Row> sorted;
  for (uint32_t index : order)
    sorted.push_back(rows[index]);
  rows = std::move(sorted);
}

std::string LineTable::fileOfUnit(uint64_t offset, uint64_t index) const {
  auto unit = unitFiles.find(offset);
  if (unit == unitFiles.end() || index >= unit->second.size() || !unit->second[index])
    return {};
  return files[unit->second[index] - 1];
}

SourceLine LineTable::find(uint64_t address) const {
  auto after = std::upper_bound(rows.begin(), rows.end(), address,
                                [](uint64_t value, const Row &row) { return value < row.address; });
  if (after == rows.begin() || std::prev(after)->file == 0)
    return {};
  const Row &row = *std::prev(after);
  return {files[row.file - 1], row.line, row.discriminator};
}

} // namespace vx::sim
