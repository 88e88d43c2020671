// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vx-objdump/ImageFile.h"
#include "tools/vx-objdump/ElfTables.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <tuple>

using namespace llvm;

namespace vx {

struct ImageFile::Elf {
  std::unique_ptr<MemoryBuffer> buffer;
  std::unique_ptr<object::ObjectFile> object;
  std::unique_ptr<DWARFContext> lines;
};

ImageFile::ImageFile() : elf(std::make_unique<Elf>()) {}
ImageFile::~ImageFile() = default;

static ArrayRef<uint8_t> bytesOf(StringRef text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

Expected<std::unique_ptr<ImageFile>> ImageFile::read(std::unique_ptr<MemoryBuffer> buffer,
                                                     const ImageOptions &options) {
  std::unique_ptr<ImageFile> image(new ImageFile);
  image->elf->buffer = std::move(buffer);
  bool isElf = image->elf->buffer->getBuffer().starts_with("\x7f"
                                                           "ELF");
  Error error = isElf && !options.raw ? image->readElf(options) : image->readFlat(options);
  if (error)
    return std::move(error);
  return std::move(image);
}

static Section readSection(const object::ELFSectionRef &section) {
  Section result;
  if (Expected<StringRef> name = section.getName())
    result.name = name->str();
  else
    consumeError(name.takeError());
  result.address = section.getAddress();
  result.size = section.getSize();
  result.isCode = section.isText();
  result.isLoaded = section.getFlags() & ELF::SHF_ALLOC;
  if (!section.isVirtual()) {
    if (Expected<StringRef> contents = section.getContents())
      result.bytes = bytesOf(*contents);
    else
      consumeError(contents.takeError()); // shown as an empty section
  }
  return result;
}

static Expected<Symbol> readSymbol(const object::ELFSymbolRef &symbol, bool demangled) {
  Expected<StringRef> name = symbol.getName();
  if (!name)
    return name.takeError();
  Expected<uint64_t> address = symbol.getAddress();
  if (!address)
    return address.takeError();
  Expected<object::section_iterator> section = symbol.getSection();
  if (!section)
    return section.takeError();
  Symbol result;
  result.name = demangled ? demangle(*name) : name->str();
  result.address = *address;
  result.size = symbol.getSize();
  if (*section == symbol.getObject()->section_end())
    result.section = symbol.getFlags().get() & object::SymbolRef::SF_Undefined ? "*UND*" : "*ABS*";
  else if (Expected<StringRef> text = (*section)->getName())
    result.section = text->str();
  else
    return text.takeError();
  result.binding = symbol.getBinding() == ELF::STB_GLOBAL ? 'g'
                   : symbol.getBinding() == ELF::STB_WEAK ? 'w'
                                                          : 'l';
  result.kind = symbol.getELFType() == ELF::STT_FUNC     ? 'F'
                : symbol.getELFType() == ELF::STT_OBJECT ? 'O'
                                                         : ' ';
  return result;
}

Error ImageFile::readElf(const ImageOptions &options) {
  auto object = object::ObjectFile::createELFObjectFile(elf->buffer->getMemBufferRef());
  if (!object)
    return object.takeError();
  elf->object = std::move(*object);
  const auto &file = *cast<object::ELFObjectFileBase>(elf->object.get());
  if (file.getEMachine() != ELF::EM_RISCV)
    return createStringError("not RISC-V code (ELF machine %u)", unsigned(file.getEMachine()));
  if (Error error = checkTables(file))
    return error;
  formatName = file.getFileFormatName().str();
  registerWidth = file.getBytesInAddress() * 8;
  relocatable = file.isRelocatableObject();
  for (object::ELFSectionRef section : file.sections())
    sectionList.push_back(readSection(section));
  for (object::ELFSymbolRef symbol : file.symbols()) {
    uint8_t type = symbol.getELFType();
    if (type == ELF::STT_SECTION || type == ELF::STT_FILE)
      continue;
    Expected<Symbol> read = readSymbol(symbol, options.demangle);
    if (!read)
      return read.takeError();
    // $x and $d mark code and data; .L names are the assembler's own.
    if (!read->name.empty() && read->name[0] != '$' && !StringRef(read->name).starts_with(".L"))
      symbolList.push_back(std::move(*read));
  }
  llvm::sort(symbolList, [](const Symbol &a, const Symbol &b) {
    return std::tie(a.address, a.name) < std::tie(b.address, b.name);
  });
  elf->lines = DWARFContext::create(*elf->object);
  return Error::success();
}

Error ImageFile::readFlat(const ImageOptions &options) {
  ArrayRef<uint8_t> bytes = bytesOf(elf->buffer->getBuffer());
  registerWidth = options.xlen;
  Section section;
  section.name = ".text";
  section.isCode = section.isLoaded = true;
  section.address = options.rawAddress;
  formatName = "raw";
  if (!options.raw) {
    // A vxbin: first address, end address, bytes.
    if (bytes.size() < 16)
      return createStringError("neither an ELF file nor a vxbin (use --raw for plain code)");
    uint64_t begin = support::endian::read64le(bytes.data());
    uint64_t end = support::endian::read64le(bytes.data() + 8);
    if (end < begin || end - begin < bytes.size() - 16)
      return createStringError("neither an ELF file nor a vxbin (use --raw for plain code)");
    section.address = begin;
    bytes = bytes.drop_front(16);
    formatName = "vxbin";
  }
  section.bytes = bytes;
  section.size = bytes.size();
  sectionList.push_back(std::move(section));
  return Error::success();
}

const Section *ImageFile::section(StringRef name) const {
  auto found = llvm::find_if(sectionList, [&](const Section &s) { return s.name == name; });
  return found == sectionList.end() ? nullptr : &*found;
}

std::string ImageFile::describe(uint64_t address) const {
  auto after = llvm::upper_bound(symbolList, address,
                                 [](uint64_t value, const Symbol &s) { return value < s.address; });
  // Several symbols may share the address: prefer a function.
  const Symbol *best = nullptr;
  while (after != symbolList.begin()) {
    const Symbol &candidate = *--after;
    if (best && candidate.address != best->address)
      break;
    bool inside = candidate.size == 0 || address - candidate.address < candidate.size;
    if (inside && candidate.kind != 'O' && candidate.section != "*UND*" &&
        candidate.section != "*ABS*" && (!best || candidate.kind == 'F'))
      best = &candidate;
  }
  if (!best)
    return "";
  if (address == best->address)
    return best->name;
  std::string text;
  raw_string_ostream(text) << best->name << llvm::format("+0x%llx", address - best->address);
  return text;
}

std::string ImageFile::sourceLine(uint64_t address) {
  if (!elf->lines)
    return "";
  DILineInfoSpecifier specifier(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath);
  std::optional<DILineInfo> info = elf->lines->getLineInfoForAddress(
      {address, object::SectionedAddress::UndefSection}, specifier);
  if (!info || !*info || info->FileName == DILineInfo::BadString || info->Line == 0)
    return "";
  std::string text;
  raw_string_ostream(text) << info->FileName << ':' << info->Line << ':' << info->Column;
  return text;
}

} // namespace vx
