// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ELF half of ElfImage. Every offset and count that comes from the file goes through slice(),
// which checks it against the file's size, so nothing here reads outside the input.

#include "intrinsics/text/Hex.h"
#include "simulator/api/ElfImage.h"
#include "simulator/api/ElfSections.h"
#include "simulator/api/Simulator.h"
#include <algorithm>
#include <cstring>
#include <elf.h>

namespace vx::sim {

namespace {

struct Elf32 {
  using Header = Elf32_Ehdr;
  using Segment = Elf32_Phdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
  static constexpr unsigned xlen = 32;
};
struct Elf64 {
  using Header = Elf64_Ehdr;
  using Segment = Elf64_Phdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
  static constexpr unsigned xlen = 64;
};

} // namespace

/// Fills an ElfImage from a file; each step returns the first problem it finds.
class ElfReader {
public:
  ElfReader(std::span<const uint8_t> file, ElfMachine machine) : file(file) {
    image.codeMachine = machine;
  }

  /// Reads what the loader wants, or only SECTIONS.
  Result<ElfImage> run(bool sections = false) {
    onlySections = sections;
    if (!ElfImage::isElf(file) || file.size() < EI_NIDENT)
      return fail("not an ELF file");
    if (file[EI_DATA] != ELFDATA2LSB)
      return fail("not little-endian");
    if (file[EI_CLASS] == ELFCLASS32)
      return read<Elf32>();
    if (file[EI_CLASS] == ELFCLASS64)
      return read<Elf64>();
    return fail("unknown ELF class " + std::to_string(file[EI_CLASS]));
  }

private:
  static Failure fail(const std::string &what) { return {"bad ELF image: " + what}; }

  /// Copies a T at OFFSET, or says no.
  template <typename T> bool get(uint64_t offset, T &value) const {
    if (offset > file.size() || file.size() - offset < sizeof(T))
      return false;
    std::memcpy(&value, file.data() + offset, sizeof(T));
    return true;
  }

  /// The SIZE bytes at OFFSET; an empty optional when they are not all in the file.
  std::optional<std::span<const uint8_t>> slice(uint64_t offset, uint64_t size) const {
    if (offset > file.size() || file.size() - offset < size)
      return std::nullopt;
    return file.subspan(offset, size);
  }

  template <typename E> Result<ElfImage> read() {
    typename E::Header header;
    if (!get(0, header))
      return fail("the file is truncated (header)");
    if (header.e_machine != uint16_t(image.codeMachine))
      return fail("the machine is " + std::to_string(header.e_machine) + ", not " +
                  (image.codeMachine == ElfMachine::RiscV ? "RISC-V (243)" : "x86-64 (62)"));
    image.registerWidth = E::xlen;
    if (onlySections) {
      if (Result<void> r = readSections<E>(header); !r)
        return r.error();
      return std::move(image);
    }
    if (header.e_type != ET_EXEC)
      return fail("not an executable (type " + std::to_string(header.e_type) + ")");
    image.entryAddress = header.e_entry;
    if (Result<void> r = readSegments<E>(header); !r)
      return r.error();
    if (Result<void> r = checkSegments(); !r)
      return r.error();
    if (Result<void> r = readSections<E>(header); !r)
      return r.error();
    return std::move(image);
  }

  template <typename E> Result<void> readSegments(const typename E::Header &header) {
    if (header.e_phnum == 0)
      return fail("it has no segments");
    if (header.e_phentsize != sizeof(typename E::Segment))
      return fail("program header entries of " + std::to_string(header.e_phentsize) + " bytes");
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      typename E::Segment segment;
      if (!get(uint64_t(header.e_phoff) + uint64_t(i) * sizeof segment, segment))
        return fail("the file is truncated (program header " + std::to_string(i) + ")");
      if (segment.p_type == PT_INTERP)
        return fail("it asks for a dynamic linker");
      if (segment.p_type != PT_LOAD || segment.p_memsz == 0)
        continue;
      if (Result<void> r = addSegment(segment, E::xlen); !r)
        return r;
    }
    return {};
  }

  template <typename Segment> Result<void> addSegment(const Segment &s, unsigned xlen) {
    std::string name = "segment at " + hexText(s.p_vaddr);
    uint64_t limit = xlen == 32 ? uint64_t(1) << 32 : ~uint64_t(0);
    if (s.p_filesz > s.p_memsz)
      return fail(name + " has more bytes in the file than in memory");
    if (s.p_memsz > limit - s.p_vaddr)
      return fail(name + " wraps around the address space (size " + hexText(s.p_memsz) + ")");
    if (s.p_align > 1 && (s.p_align & (s.p_align - 1)))
      return fail(name + " has alignment " + hexText(s.p_align) + ", not a power of two");
    if (s.p_align > 1 && ((s.p_vaddr ^ s.p_offset) & (s.p_align - 1)))
      return fail(name + " is not aligned to " + hexText(s.p_align) + " as its file offset");
    auto bytes = slice(s.p_offset, s.p_filesz);
    if (!bytes)
      return fail("the file is truncated (" + name + ")");
    ImageSegment segment;
    segment.address = s.p_vaddr;
    segment.memorySize = s.p_memsz;
    segment.permission = ((s.p_flags & PF_R) ? kRead : 0) | ((s.p_flags & PF_W) ? kWrite : 0) |
                         ((s.p_flags & PF_X) ? kExecute : 0);
    segment.bytes.assign(bytes->begin(), bytes->end());
    image.segmentList.push_back(std::move(segment));
    return {};
  }

  Result<void> checkSegments() {
    auto &list = image.segmentList;
    if (list.empty())
      return fail("it has no loadable segment");
    std::sort(list.begin(), list.end(),
              [](const auto &a, const auto &b) { return a.address < b.address; });
    for (size_t i = 1; i < list.size(); ++i)
      if (list[i].address - list[i - 1].address < list[i - 1].memorySize)
        return fail("segments at " + hexText(list[i - 1].address) + " and " +
                    hexText(list[i].address) + " overlap");
    if (image.codeMachine == ElfMachine::X86)
      return {}; // its kernels are called one by one
    for (const ImageSegment &s : list)
      if ((s.permission & kExecute) && image.entryAddress - s.address < s.memorySize) {
        if (image.entryAddress & 3)
          return fail("the entry point " + hexText(image.entryAddress) + " is not 4-byte aligned");
        return {};
      }
    return fail("the entry point " + hexText(image.entryAddress) + " is in no executable segment");
  }

  template <typename E> Result<void> readSections(const typename E::Header &header) {
    if (header.e_shoff == 0 || header.e_shnum == 0)
      return {};
    if (header.e_shentsize != sizeof(typename E::Section))
      return fail("section header entries of " + std::to_string(header.e_shentsize) + " bytes");
    std::vector<typename E::Section> sections(header.e_shnum);
    for (unsigned i = 0; i < header.e_shnum; ++i)
      if (!get(uint64_t(header.e_shoff) + uint64_t(i) * sizeof(sections[0]), sections[i]))
        return fail("the file is truncated (section header " + std::to_string(i) + ")");
    std::span<const uint8_t> names;
    if (header.e_shstrndx < sections.size())
      if (auto bytes = contents(sections[header.e_shstrndx]))
        names = *bytes;
    for (const auto &section : sections)
      if (Result<void> r = addSection<E>(section, sections, names); !r)
        return r;
    return {};
  }

  template <typename Section>
  std::optional<std::span<const uint8_t>> contents(const Section &section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL)
      return std::span<const uint8_t>();
    return slice(section.sh_offset, section.sh_size);
  }

  /// The NUL-terminated string at OFFSET of a string table; empty when it is not inside.
  static std::string text(std::span<const uint8_t> table, uint64_t offset) {
    if (offset >= table.size())
      return {};
    const char *start = reinterpret_cast<const char *>(table.data()) + offset;
    return std::string(start, strnlen(start, table.size() - offset));
  }

  template <typename E>
  Result<void> addSection(const typename E::Section &section,
                          const std::vector<typename E::Section> &sections,
                          std::span<const uint8_t> names) {
    std::string name = text(names, section.sh_name);
    auto bytes = contents(section);
    if (!bytes)
      return fail("the file is truncated (section '" + name + "')");
    if (section.sh_type == SHT_SYMTAB && section.sh_link < sections.size()) {
      auto strings = contents(sections[section.sh_link]);
      if (!strings)
        return fail("the file is truncated (symbol names)");
      addSymbols<E>(*bytes, *strings);
    }
    // Loaded bytes are in the segments already; keep the rest (tables, debug information).
    if (!name.empty() && !(section.sh_flags & SHF_ALLOC) && !bytes->empty())
      image.sectionMap.try_emplace(name, bytes->begin(), bytes->end());
    return {};
  }

  template <typename E>
  void addSymbols(std::span<const uint8_t> table, std::span<const uint8_t> strings) {
    using Symbol = typename E::Symbol;
    for (size_t at = 0; table.size() - at >= sizeof(Symbol); at += sizeof(Symbol)) {
      Symbol symbol;
      std::memcpy(&symbol, table.data() + at, sizeof symbol);
      unsigned type = symbol.st_info & 0xf, binding = symbol.st_info >> 4;
      std::string name = text(strings, symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF || name.empty() || type == STT_SECTION || type == STT_FILE)
        continue;
      ImageSymbol value{symbol.st_value, symbol.st_size, type == STT_FUNC};
      if (binding == STB_LOCAL)
        image.symbolMap.try_emplace(name, value);
      else
        image.symbolMap.insert_or_assign(name, value);
    }
  }

  std::span<const uint8_t> file;
  ElfImage image;
  bool onlySections = false;
};

Result<ElfImage> ElfImage::parse(std::span<const uint8_t> file, ElfMachine machine) {
  return ElfReader(file, machine).run();
}

Result<ElfImage> readElfSections(std::span<const uint8_t> file, ElfMachine machine) {
  return ElfReader(file, machine).run(/*sections=*/true);
}

} // namespace vx::sim
