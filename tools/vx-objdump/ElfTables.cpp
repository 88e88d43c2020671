// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vx-objdump/ElfTables.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;

namespace vx {
namespace {

template <class ELFT> class TableChecker {
  using Shdr = typename ELFT::Shdr;

public:
  explicit TableChecker(const object::ELFFile<ELFT> &file) : file(file) {}

  Error run() {
    auto sections = file.sections();
    if (!sections)
      return sections.takeError();
    for (const Shdr &section : *sections)
      if (Error error = check(section))
        return error;
    return Error::success();
  }

private:
  Error check(const Shdr &section) {
    if (section.sh_type != ELF::SHT_NOBITS)
      if (auto contents = file.getSectionContents(section); !contents)
        return contents.takeError();
    if (section.sh_flags & ELF::SHF_COMPRESSED)
      if (Error error = checkCompressed(section))
        return error;
    switch (section.sh_type) {
    case ELF::SHT_SYMTAB:
    case ELF::SHT_DYNSYM:
      return checkSymbols(section);
    case ELF::SHT_SYMTAB_SHNDX:
      return file.getSHNDXTable(section).takeError();
    case ELF::SHT_REL: {
      auto entries = file.rels(section);
      return entries ? checkRelocations(section, *entries) : entries.takeError();
    }
    case ELF::SHT_RELA: {
      auto entries = file.relas(section);
      return entries ? checkRelocations(section, *entries) : entries.takeError();
    }
    default:
      return Error::success();
    }
  }

  /// Checks the size that SECTION says that it has: LLVM makes room for as many bytes.
  Error checkCompressed(const Shdr &section) {
    auto contents = file.getSectionContents(section);
    if (!contents)
      return contents.takeError();
    using Chdr = typename ELFT::Chdr;
    if (contents->size() < sizeof(Chdr))
      return createStringError("a compressed section of " + Twine(contents->size()) + " bytes");
    const auto &header = *reinterpret_cast<const Chdr *>(contents->data());
    // Zstandard's blocks of one repeated byte; zlib makes less of as many bytes.
    constexpr uint64_t kMostForByte = 1 << 15;
    if (header.ch_size / kMostForByte > contents->size())
      return createStringError("a compressed section of " + Twine(contents->size()) +
                               " bytes says that it has " + Twine(header.ch_size));
    return Error::success();
  }

  Error checkSymbols(const Shdr &table) {
    auto symbols = file.symbols(&table);
    if (!symbols)
      return symbols.takeError();
    auto names = file.getStringTableForSymtab(table);
    if (!names)
      return names.takeError();
    for (const typename ELFT::Sym &symbol : *symbols) {
      if (auto name = symbol.getName(*names); !name)
        return name.takeError();
      if (symbol.st_shndx == ELF::SHN_UNDEF || symbol.st_shndx >= ELF::SHN_LORESERVE)
        continue;
      if (auto section = file.getSection(symbol.st_shndx); !section)
        return section.takeError();
    }
    return Error::success();
  }

  template <class Range> Error checkRelocations(const Shdr &section, const Range &entries) {
    if (auto target = file.getSection(section.sh_info); !target)
      return target.takeError();
    auto table = file.getSection(section.sh_link);
    if (!table)
      return table.takeError();
    auto symbols = file.symbols(*table);
    if (!symbols)
      return symbols.takeError();
    for (const auto &entry : entries)
      if (entry.getSymbol(/*isMips64EL=*/false) >= std::max<size_t>(symbols->size(), 1))
        return createStringError("a relocation names symbol " +
                                 Twine(entry.getSymbol(/*isMips64EL=*/false)) + " of " +
                                 Twine(symbols->size()));
    return Error::success();
  }

  const object::ELFFile<ELFT> &file;
};

template <class File> Error checkAs(const File &file) {
  return TableChecker(file.getELFFile()).run();
}

} // namespace

Error checkTables(const object::ObjectFile &file) {
  if (const auto *elf = dyn_cast<object::ELF64LEObjectFile>(&file))
    return checkAs(*elf);
  if (const auto *elf = dyn_cast<object::ELF32LEObjectFile>(&file))
    return checkAs(*elf);
  return createStringError("not a little-endian ELF file");
}

} // namespace vx
