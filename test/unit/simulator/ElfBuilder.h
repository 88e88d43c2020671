// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small valid ELF64 RISC-V executable whose headers a test can spoil before it is written.

#ifndef VX_TEST_UNIT_SIMULATOR_ELFBUILDER_H
#define VX_TEST_UNIT_SIMULATOR_ELFBUILDER_H

#include "simulator/api/ElfImage.h"
#include <algorithm>
#include <cstring>
#include <elf.h>
#include <string>
#include <vector>

namespace vx::sim::test {

class ElfBuilder {
public:
  /// Layout of the file: header, 2 program headers, code (16 bytes at 0x1000 modulo the page size),
  /// data, names, symbols, section headers.
  static constexpr uint64_t kCodeAt = 0x1000, kDataAt = 0x1010, kNamesAt = 0x1018,
                            kSymbolsAt = 0x1080, kTableAt = 0x10b0, kSectionsAt = 0x10c0;
  static constexpr size_t kLongestName = 31;

  Elf64_Ehdr header{};
  Elf64_Phdr segments[2]{};
  Elf64_Shdr sections[4]{};
  std::string symbolName = "kernel"; // of the second to the third instruction
  std::vector<uint32_t> code{0x00000013, 0x05d00893, 0x00000073, 0x00000013}; // exit(a0)

  ElfBuilder() {
    std::memcpy(header.e_ident, "\177ELF\2\1\1", 7);
    header.e_type = ET_EXEC;
    header.e_machine = 243;
    header.e_version = 1;
    header.e_entry = 0x80000000;
    header.e_phoff = sizeof header;
    header.e_phnum = 2;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_shoff = kSectionsAt;
    header.e_shnum = 4;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shstrndx = 1;
    segments[0] = {PT_LOAD, PF_R | PF_X, kCodeAt, 0x80000000, 0x80000000, 16, 16, 0x1000};
    segments[1] = {PT_LOAD, PF_R | PF_W, kDataAt, 0x80001000, 0x80001000, 8, 0x100, 8};
    segments[1].p_vaddr = 0x80001000;
    sections[1] = {1, SHT_STRTAB, 0, 0, kNamesAt, sizeof kNames + kLongestName + 1, 0, 0, 1, 0};
    sections[2] = {11, SHT_SYMTAB,       0, 0, kSymbolsAt, 2 * sizeof(Elf64_Sym), 1, 1,
                   8,  sizeof(Elf64_Sym)};
    sections[3] = {19, SHT_PROGBITS, 0, 0, kTableAt, 5, 0, 0, 1, 0};
  }

  std::vector<uint8_t> build() const {
    std::vector<uint8_t> file(kSectionsAt + sizeof sections);
    auto put = [&](uint64_t at, const void *bytes, size_t size) {
      std::memcpy(file.data() + at, bytes, size);
    };
    put(0, &header, sizeof header);
    put(sizeof header, segments, sizeof segments);
    put(kCodeAt, code.data(), 16);
    put(kDataAt, "datadata", 8);
    put(kNamesAt, kNames, sizeof kNames);
    put(kNamesAt + sizeof kNames, symbolName.c_str(), std::min(symbolName.size(), kLongestName));
    Elf64_Sym symbols[2]{};
    symbols[1] = {sizeof kNames, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, 0x80000004, 8};
    put(kSymbolsAt, symbols, sizeof symbols);
    put(kTableAt, "table", 5);
    put(kSectionsAt, sections, sizeof sections);
    return file;
  }

private:
  static constexpr char kNames[] = "\0.shstrtab\0.symtab\0.vx.kernels";
  //                                0 1          11       19
};

} // namespace vx::sim::test

#endif // VX_TEST_UNIT_SIMULATOR_ELFBUILDER_H
