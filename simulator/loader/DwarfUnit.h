// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of a unit of .debug_info (DWARF 4 and 5). Each is the code of an abbreviation, which
// says what attributes follow and in which forms, then their values.

#ifndef VX_SIMULATOR_LOADER_DWARFUNIT_H
#define VX_SIMULATOR_LOADER_DWARFUNIT_H

#include "simulator/api/ElfImage.h"
#include "simulator/loader/DwarfBytes.h"
#include <map>
#include <vector>

namespace vx::sim {

namespace dwarf {
/// Tags, then attributes.
enum : unsigned { kCompileUnit = 0x11, kInlinedSubroutine = 0x1d, kSubprogram = 0x2e };
enum : unsigned {
  kName = 0x03,
  kStmtList = 0x10,
  kLowPc = 0x11,
  kHighPc = 0x12,
  kAbstractOrigin = 0x31,
  kSpecification = 0x47,
  kRanges = 0x55,
  kCallFile = 0x58,
  kCallLine = 0x59,
  kLinkageName = 0x6e,
  kStrOffsetsBase = 0x72,
  kAddrBase = 0x73,
  kRnglistsBase = 0x74,
};
} // namespace dwarf

/// The value of an attribute; what its number means is up to the form.
struct DwarfValue {
  uint64_t form = 0, number = 0;
  std::string text; ///< if it stands in the entry
};

struct DwarfEntry {
  uint64_t offset = 0; ///< in .debug_info
  uint64_t tag = 0;    ///< 0: the end of a list of children
  bool hasChildren = false;
  std::map<uint64_t, DwarfValue> values; ///< by attribute

  const DwarfValue *find(uint64_t attribute) const {
    auto found = values.find(attribute);
    return found == values.end() ? nullptr : &found->second;
  }
  uint64_t number(uint64_t attribute) const {
    const DwarfValue *value = find(attribute);
    return value ? value->number : 0;
  }
};

class DwarfUnit {
public:
  /// Reads the unit whose length field is at START; BYTES are those of the section after that
  /// field, up to the unit's end, and offsets are of OFFSETBYTES bytes.
  DwarfUnit(const ElfImage &image, uint64_t start, DwarfBytes bytes, unsigned offsetBytes);

  /// Reads the next entry; false: there is none, or none that can be read.
  bool next(DwarfEntry &entry);

  uint64_t address(const DwarfValue &value) const;
  std::string text(const DwarfValue &value) const;
  /// The entry that VALUE refers to, as an offset in the section.
  uint64_t reference(const DwarfValue &value) const;
  /// The addresses [first, end) of ENTRY's code, as many as MOST.
  std::vector<std::pair<uint64_t, uint64_t>> ranges(const DwarfEntry &entry, size_t most) const;

private:
  struct Attribute {
    uint64_t name, form;
    int64_t constant; ///< of an implicit constant
  };
  struct Abbreviation {
    uint64_t tag = 0;
    bool hasChildren = false;
    std::vector<Attribute> attributes;
  };
  using Ranges = std::vector<std::pair<uint64_t, uint64_t>>;

  void readAbbreviations(uint64_t at);
  bool readValue(DwarfValue &value);
  void open(const DwarfEntry &entry);
  uint64_t indexed(const char *section, uint64_t base, uint64_t index, unsigned size) const;
  void readList4(uint64_t at, size_t most, Ranges &all) const;
  void readList5(const DwarfValue &value, size_t most, Ranges &all) const;

  const ElfImage &image;
  uint64_t start;
  DwarfBytes unit;
  unsigned version = 0, addressBytes = 8, offsetBytes;
  bool isReadable = false;
  std::map<uint64_t, Abbreviation> abbreviations; ///< by code
  // Attributes of the entry of the unit.
  uint64_t strOffsetsBase = 0, addrBase = 0, rnglistsBase = 0, unitAddress = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_LOADER_DWARFUNIT_H
