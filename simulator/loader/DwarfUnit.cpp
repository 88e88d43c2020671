// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/loader/DwarfUnit.h"
#include "simulator/loader/DwarfForms.h"

namespace vx::sim {

using namespace dwarf;

DwarfUnit::DwarfUnit(const ElfImage &image, uint64_t start, DwarfBytes bytes, unsigned offsetBytes)
    : image(image), start(start), unit(bytes), offsetBytes(offsetBytes) {
  constexpr unsigned kCompile = 1, kPartial = 3;
  version = unit.u16();
  unsigned kind = version == 5 ? unit.u8() : kCompile;
  if (version == 5)
    addressBytes = unit.u8();
  uint64_t abbreviationsAt = unit.fixed(offsetBytes);
  if (version == 4)
    addressBytes = unit.u8();
  isReadable = (version == 4 || version == 5) && (kind == kCompile || kind == kPartial) &&
               (addressBytes == 4 || addressBytes == 8);
  if (isReadable)
    readAbbreviations(abbreviationsAt);
}

void DwarfUnit::readAbbreviations(uint64_t at) {
  DwarfBytes bytes(image.section(".debug_abbrev"));
  bytes.seek(at);
  for (uint64_t code = bytes.uleb(); code && bytes.ok(); code = bytes.uleb()) {
    Abbreviation &entry = abbreviations[code];
    entry = {bytes.uleb(), bytes.u8() != 0, {}};
    for (;;) {
      Attribute a{bytes.uleb(), bytes.uleb(), 0};
      if (a.form == kImplicitConst)
        a.constant = bytes.sleb();
      if ((!a.name && !a.form) || !bytes.ok())
        break;
      entry.attributes.push_back(a);
    }
  }
}

bool DwarfUnit::next(DwarfEntry &entry) {
  entry = {unit.offset(), 0, false, {}};
  if (!isReadable || unit.atEnd())
    return false;
  uint64_t code = unit.uleb();
  if (code == 0)
    return unit.ok();
  auto found = abbreviations.find(code);
  if (found == abbreviations.end())
    return false;
  entry.tag = found->second.tag;
  entry.hasChildren = found->second.hasChildren;
  for (const Attribute &a : found->second.attributes) {
    DwarfValue value{a.form, uint64_t(a.constant), {}};
    if (!readValue(value))
      return false;
    entry.values[a.name] = std::move(value);
  }
  if (entry.tag == kCompileUnit)
    open(entry);
  return unit.ok();
}

/// Reads a value of the form that VALUE names. Returns false if the form is not known, so that
/// nothing after it can be read. Its length is the number of forms: a case for each.
bool DwarfUnit::readValue(DwarfValue &value) {
  switch (value.form) {
  case kAddr:
    value.number = unit.fixed(addressBytes);
    return true;
  case kData1:
  case kRef1:
  case kFlag:
    value.number = unit.u8();
    return true;
  case kData2:
  case kRef2:
    value.number = unit.u16();
    return true;
  case kData4:
  case kRef4:
    value.number = unit.u32();
    return true;
  case kData8:
  case kRef8:
  case kRefSig8:
    value.number = unit.fixed(8);
    return true;
  case kData16:
    unit.skip(16);
    return true;
  case kSdata:
    value.number = uint64_t(unit.sleb());
    return true;
  case kUdata:
  case kRefUdata:
  case kStrx:
  case kAddrx:
  case kLoclistx:
  case kRnglistx:
    value.number = unit.uleb();
    return true;
  case kStrp:
  case kLineStrp:
  case kRefAddr:
  case kSecOffset:
    value.number = unit.fixed(offsetBytes);
    return true;
  case kString:
    value.text = unit.text();
    return true;
  case kBlock1:
    unit.skip(unit.u8());
    return true;
  case kBlock2:
    unit.skip(unit.u16());
    return true;
  case kBlock4:
    unit.skip(unit.u32());
    return true;
  case kBlock:
  case kExprloc:
    unit.skip(unit.uleb());
    return true;
  case kFlagPresent:
  case kImplicitConst:
    return true;
  default:
    if (value.form >= kStrx1 && value.form <= kAddrx4) { // of 1 to 4 bytes each
      value.number = unit.fixed(unsigned(value.form - kStrx1) % 4 + 1);
      return true;
    }
    return false;
  }
}

void DwarfUnit::open(const DwarfEntry &entry) {
  strOffsetsBase = entry.number(kStrOffsetsBase);
  addrBase = entry.number(kAddrBase);
  rnglistsBase = entry.number(kRnglistsBase);
  if (const DwarfValue *low = entry.find(kLowPc))
    unitAddress = address(*low);
}

/// Number INDEX of a table of SECTION that begins at BASE and has numbers of SIZE bytes.
uint64_t DwarfUnit::indexed(const char *section, uint64_t base, uint64_t index,
                            unsigned size) const {
  std::span<const uint8_t> all = image.section(section);
  if (index > all.size() || base > all.size())
    return 0;
  DwarfBytes table(all);
  table.seek(base + index * size);
  return table.fixed(size);
}

uint64_t DwarfUnit::address(const DwarfValue &value) const {
  bool isIndex = value.form == kAddrx || (value.form >= kAddrx1 && value.form <= kAddrx4);
  return isIndex ? indexed(".debug_addr", addrBase, value.number, addressBytes) : value.number;
}

std::string DwarfUnit::text(const DwarfValue &value) const {
  if (value.form == kString)
    return value.text;
  bool isIndex = value.form == kStrx || (value.form >= kStrx1 && value.form <= kStrx4);
  DwarfBytes strings(image.section(value.form == kLineStrp ? ".debug_line_str" : ".debug_str"));
  strings.seek(isIndex ? indexed(".debug_str_offsets", strOffsetsBase, value.number, offsetBytes)
                       : value.number);
  return strings.text();
}

uint64_t DwarfUnit::reference(const DwarfValue &value) const {
  return value.form == kRefAddr ? value.number : start + value.number;
}

DwarfUnit::Ranges DwarfUnit::ranges(const DwarfEntry &entry, size_t most) const {
  Ranges all;
  if (const DwarfValue *list = entry.find(kRanges)) {
    version == 5 ? readList5(*list, most, all) : readList4(list->number, most, all);
    return all;
  }
  const DwarfValue *low = entry.find(kLowPc), *high = entry.find(kHighPc);
  if (low && high && most) {
    uint64_t first = address(*low);
    all.push_back({first, high->form == kAddr ? high->number : first + high->number});
  }
  return all;
}

void DwarfUnit::readList4(uint64_t at, size_t most, Ranges &all) const {
  DwarfBytes list(image.section(".debug_ranges"));
  list.seek(at);
  uint64_t base = unitAddress, none = addressBytes == 4 ? 0xffffffff : ~uint64_t(0);
  while (!list.atEnd() && all.size() < most) {
    uint64_t first = list.fixed(addressBytes), end = list.fixed(addressBytes);
    if (!first && !end)
      return;
    if (first == none)
      base = end;
    else
      all.push_back({base + first, base + end});
  }
}

void DwarfUnit::readList5(const DwarfValue &value, size_t most, Ranges &all) const {
  uint64_t at = value.number;
  if (value.form == kRnglistx)
    at = rnglistsBase + indexed(".debug_rnglists", rnglistsBase, value.number, offsetBytes);
  DwarfBytes list(image.section(".debug_rnglists"));
  list.seek(at);
  uint64_t base = unitAddress;
  auto indexedAddress = [&] { return indexed(".debug_addr", addrBase, list.uleb(), addressBytes); };
  while (!list.atEnd() && all.size() < most) {
    uint64_t first, end;
    switch (list.u8()) {
    case 1:
      base = indexedAddress();
      continue;
    case 2:
      first = indexedAddress();
      end = indexedAddress();
      break;
    case 3:
      first = indexedAddress();
      end = first + list.uleb();
      break;
    case 4:
      first = base + list.uleb();
      end = base + list.uleb();
      break;
    case 5:
      base = list.fixed(addressBytes);
      continue;
    case 6:
      first = list.fixed(addressBytes);
      end = list.fixed(addressBytes);
      break;
    case 7:
      first = list.fixed(addressBytes);
      end = first + list.uleb();
      break;
    default: // the end, or nothing that is known
      return;
    }
    all.push_back({first, end});
  }
}

} // namespace vx::sim
