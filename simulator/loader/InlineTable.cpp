// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The debug information of a unit is a tree of entries:
//
//   compile unit                          its tables
//     subprogram get                      0x29: a name
//     subprogram k                        its code
//       inlined subroutine                of 0x29, its code's ranges, file and line of the call
//         inlined subroutine …            a call inside of what was inlined
//
// Names may follow their uses, so they are put in at the end.

#include "simulator/api/InlineTable.h"
#include "simulator/loader/CodeMap.h"
#include "simulator/loader/DwarfUnit.h"

namespace vx::sim {

using namespace dwarf;

/// More ranges than that are not kept: lists that many entries share are read for each.
static constexpr size_t kMostRanges = 1 << 20;

std::string InlinedCall::text() const {
  return "inlined at " + (line.file.empty() ? "?" : line.file) + ":" + std::to_string(line.line) +
         (callee.empty() ? "" : " (call of " + callee + ")");
}

class InlineReader {
public:
  InlineReader(const ElfImage &image, const LineTable &lines, InlineTable &table)
      : image(image), lines(lines), table(table) {}

  void run() {
    DwarfBytes info(image.section(".debug_info"));
    while (!info.atEnd()) {
      uint64_t start = info.offset();
      unsigned offsetBytes = 4;
      uint64_t length = info.u32();
      if (length == 0xffffffff) {
        offsetBytes = 8;
        length = info.fixed(8);
      }
      uint64_t end = info.offset() + length;
      if (length == 0 || end < length)
        break;
      DwarfBytes bytes = info.part(0, end);
      bytes.seek(info.offset());
      DwarfUnit unit(image, start, bytes, offsetBytes);
      readTree(unit);
      info.skip(length);
    }
    for (size_t i = 0; i < origins.size(); ++i)
      table.calls[i].callee = nameOf(origins[i]);
  }

private:
  struct Name {
    std::string text;
    uint64_t other = 0; ///< the entry that has the name instead
  };

  void readTree(DwarfUnit &unit) {
    std::vector<uint32_t> depths; // of open entries: how many inlined calls they lie in
    uint64_t lineUnit = ~uint64_t(0);
    DwarfEntry entry;
    do {
      if (!unit.next(entry))
        return;
      uint32_t depth = depths.empty() ? 0 : depths.back();
      if (entry.tag == kCompileUnit) {
        if (const DwarfValue *at = entry.find(kStmtList))
          lineUnit = at->number;
      } else if (entry.tag == kSubprogram) {
        addName(unit, entry);
      } else if (entry.tag == kInlinedSubroutine) {
        addCall(unit, entry, ++depth, lineUnit);
      }
      if (entry.hasChildren)
        depths.push_back(depth);
      else if (entry.tag == 0 && !depths.empty())
        depths.pop_back();
    } while (!depths.empty());
  }

  void addName(const DwarfUnit &unit, const DwarfEntry &entry) {
    Name &name = names[entry.offset];
    const DwarfValue *other = entry.find(kSpecification);
    if (!other)
      other = entry.find(kAbstractOrigin);
    if (const DwarfValue *linkage = entry.find(kLinkageName))
      name.text = readableName(unit.text(*linkage));
    else if (const DwarfValue *plain = entry.find(kName))
      name.text = unit.text(*plain);
    else if (other)
      name.other = unit.reference(*other);
  }

  std::string nameOf(uint64_t origin) const {
    constexpr int kMostHops = 8; // entries may refer to each other
    for (int hops = 0; hops < kMostHops; ++hops) {
      auto found = names.find(origin);
      if (found == names.end())
        return {};
      if (!found->second.other)
        return found->second.text;
      origin = found->second.other;
    }
    return {};
  }

  void addCall(const DwarfUnit &unit, const DwarfEntry &entry, uint32_t depth, uint64_t lineUnit) {
    uint32_t call = uint32_t(table.calls.size());
    const DwarfValue *origin = entry.find(kAbstractOrigin);
    table.calls.push_back(
        {"",
         {lines.fileOfUnit(lineUnit, entry.number(kCallFile)), uint32_t(entry.number(kCallLine))}});
    origins.push_back(origin ? unit.reference(*origin) : 0);
    for (auto [first, end] : unit.ranges(entry, kMostRanges - table.ranges.size()))
      table.ranges.push_back({first, end, depth, call});
  }

  const ElfImage &image;
  const LineTable &lines;
  InlineTable &table;
  std::map<uint64_t, Name> names; ///< of all units, by offset
  std::vector<uint64_t> origins;  ///< of InlineTable::calls: the entries with their names
};

InlineTable::InlineTable(const ElfImage &image, const LineTable &lines) {
  InlineReader(image, lines, *this).run();
}

std::vector<InlinedCall> InlineTable::find(uint64_t address) const {
  std::map<uint32_t, uint32_t, std::greater<>> around; // depth -> call
  for (const Range &range : ranges)
    if (address >= range.first && address < range.end)
      around[range.depth] = range.call;
  std::vector<InlinedCall> chain;
  for (auto [depth, call] : around)
    chain.push_back(calls[call]);
  return chain;
}

} // namespace vx::sim
