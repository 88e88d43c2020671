// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes device images and fat binaries in memory: an ELF with a text and a data segment, a symbol
// per variable and the kernel table.

#ifndef VX_TEST_RUNTIME_IMAGEBUILDER_H
#define VX_TEST_RUNTIME_IMAGEBUILDER_H

#include "intrinsics/abi/FatBinary.h"
#include "intrinsics/abi/KernelTable.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <vector>

namespace vx::rt::test {

using Bytes = std::vector<uint8_t>;

template <typename T> void append(Bytes &to, const T &value) {
  const uint8_t *from = reinterpret_cast<const uint8_t *>(&value);
  to.insert(to.end(), from, from + sizeof value);
}

struct KernelSpec {
  std::string name;
  std::vector<abi::KernelParam> params;
  abi::KernelRecord record{}; // argBytes, offsets and counts are filled in
};

inline KernelSpec kernelSpec(const std::string &name, std::vector<uint32_t> paramSizes) {
  KernelSpec spec;
  spec.name = name;
  uint32_t at = 0;
  for (uint32_t size : paramSizes) {
    at = (at + size - 1) / size * size;
    spec.params.push_back({at, size});
    at += size;
  }
  spec.record.argBytes = at;
  spec.record.directEntry = 0x80000010;
  spec.record.chunkedEntry = 0x80000020;
  spec.record.mappings = abi::bitOf(abi::Mapping::Hardware);
  return spec;
}

inline Bytes kernelTable(const std::vector<KernelSpec> &kernels) {
  Bytes table, tail;
  append(table, abi::KernelTableHeader{abi::kKernelTableMagic, abi::kKernelTableVersion,
                                       uint32_t(kernels.size()), sizeof(abi::KernelRecord)});
  uint32_t tailAt = uint32_t(table.size() + kernels.size() * sizeof(abi::KernelRecord));
  for (const KernelSpec &kernel : kernels) {
    abi::KernelRecord record = kernel.record;
    record.paramsOffset = tailAt + uint32_t(tail.size());
    record.numParams = uint32_t(kernel.params.size());
    for (const abi::KernelParam &param : kernel.params)
      append(tail, param);
    record.nameOffset = tailAt + uint32_t(tail.size());
    tail.insert(tail.end(), kernel.name.begin(), kernel.name.end());
    do
      tail.push_back(0);
    while (tail.size() % 4);
    append(table, record);
  }
  table.insert(table.end(), tail.begin(), tail.end());
  return table;
}

struct VariableSpec {
  std::string name;
  uint64_t offset, size; // in the data segment
};

/// The relocations that the linker keeps: places in the data segment that hold the address of the
/// first variable, and the type of a relocation in the code.
struct KeptRelocations {
  std::vector<uint64_t> storedAt;
  uint32_t typeInCode = R_RISCV_PCREL_HI20;
};

/// Returns an ELF64 for RISC-V: text of 64 bytes at BASE, DATA at BASE + 0x1000.
inline Bytes elfImage(const std::vector<KernelSpec> &kernels,
                      const std::vector<VariableSpec> &variables, const Bytes &data,
                      const KeptRelocations *relocations = nullptr, uint64_t base = 0x80000000) {
  constexpr size_t kTextSize = 64;
  Bytes table = kernelTable(kernels);
  std::string names("\0.text\0.data\0.vx.kernels\0.symtab\0.strtab\0.shstrtab\0"
                    ".rela.text\0.rela.data\0",
                    73);
  Bytes relaText, relaData;
  if (relocations) {
    append(relaText, Elf64_Rela{base + 8, ELF64_R_INFO(uint64_t(1), relocations->typeInCode), 0});
    for (uint64_t at : relocations->storedAt)
      append(relaData, Elf64_Rela{base + 0x1000 + at, ELF64_R_INFO(uint64_t(1), R_RISCV_64), 0});
  }
  std::string symbolNames(1, '\0');
  Bytes symbols;
  append(symbols, Elf64_Sym{});
  for (const VariableSpec &v : variables) {
    Elf64_Sym symbol{};
    symbol.st_name = uint32_t(symbolNames.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    symbol.st_shndx = 2;
    symbol.st_value = base + 0x1000 + v.offset;
    symbol.st_size = v.size;
    append(symbols, symbol);
    symbolNames += v.name + '\0';
  }

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_RISCV;
  header.e_version = EV_CURRENT;
  header.e_entry = base;
  header.e_phoff = sizeof header;
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = data.empty() ? 1 : 2;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 9;
  header.e_shstrndx = 6;

  size_t at = sizeof header + header.e_phnum * sizeof(Elf64_Phdr);
  size_t textAt = at, dataAt = textAt + kTextSize, tableAt = dataAt + data.size();
  size_t symbolsAt = tableAt + table.size(), symbolNamesAt = symbolsAt + symbols.size();
  size_t namesAt = symbolNamesAt + symbolNames.size();
  size_t relaTextAt = namesAt + names.size(), relaDataAt = relaTextAt + relaText.size();
  header.e_shoff = relaDataAt + relaData.size();

  Bytes file;
  append(file, header);
  append(file, Elf64_Phdr{PT_LOAD, PF_R | PF_X, textAt, base, base, kTextSize, kTextSize, 4});
  if (!data.empty())
    append(file, Elf64_Phdr{PT_LOAD, PF_R | PF_W, dataAt, base + 0x1000, base + 0x1000, data.size(),
                            data.size() + 16, 4});
  file.resize(file.size() + kTextSize, 0x13);
  file.insert(file.end(), data.begin(), data.end());
  file.insert(file.end(), table.begin(), table.end());
  file.insert(file.end(), symbols.begin(), symbols.end());
  file.insert(file.end(), symbolNames.begin(), symbolNames.end());
  file.insert(file.end(), names.begin(), names.end());
  file.insert(file.end(), relaText.begin(), relaText.end());
  file.insert(file.end(), relaData.begin(), relaData.end());
  auto section = [&](uint32_t name, uint32_t type, uint64_t flags, uint64_t address, size_t offset,
                     size_t size, uint32_t link, uint32_t info, uint64_t entry) {
    append(file, Elf64_Shdr{name, type, flags, address, offset, size, link, info, 1, entry});
  };
  section(0, SHT_NULL, 0, 0, 0, 0, 0, 0, 0);
  section(1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, base, textAt, kTextSize, 0, 0, 0);
  section(7, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, base + 0x1000, dataAt, data.size(), 0, 0, 0);
  section(13, SHT_PROGBITS, 0, 0, tableAt, table.size(), 0, 0, 0);
  section(25, SHT_SYMTAB, 0, 0, symbolsAt, symbols.size(), 5, 1, sizeof(Elf64_Sym));
  section(33, SHT_STRTAB, 0, 0, symbolNamesAt, symbolNames.size(), 0, 0, 0);
  section(41, SHT_STRTAB, 0, 0, namesAt, names.size(), 0, 0, 0);
  section(51, SHT_RELA, 0, 0, relaTextAt, relaText.size(), 4, 1, sizeof(Elf64_Rela));
  section(62, SHT_RELA, 0, 0, relaDataAt, relaData.size(), 4, 2, sizeof(Elf64_Rela));
  return file;
}

struct FatSpec {
  Bytes elf;
  abi::Lowering lowering = abi::Lowering::Hw;
  abi::IsaProfile profile = abi::IsaProfile::Base;
  uint32_t xlen = 64;
  uint32_t omits = 0;
};

/// COMPILER: the path that follows the images.
inline Bytes fatBinary(const std::vector<FatSpec> &images, const std::string &compiler = "") {
  auto align = [](size_t n) { return (n + 15) & ~size_t(15); };
  size_t at = align(sizeof(abi::FatBinaryHeader) + images.size() * sizeof(abi::FatBinaryEntry));
  Bytes entries, blobs;
  for (const FatSpec &image : images) {
    append(entries, abi::FatBinaryEntry{image.lowering, image.profile, image.xlen, image.omits,
                                        at + blobs.size(), image.elf.size()});
    blobs.insert(blobs.end(), image.elf.begin(), image.elf.end());
    blobs.resize(align(blobs.size()));
  }
  Bytes file;
  append(file, abi::FatBinaryHeader{abi::kFatBinaryMagic, abi::kAbiVersion, uint32_t(images.size()),
                                    at + blobs.size() + compiler.size(), at + blobs.size(),
                                    compiler.size()});
  file.insert(file.end(), entries.begin(), entries.end());
  file.resize(at);
  file.insert(file.end(), blobs.begin(), blobs.end());
  file.insert(file.end(), compiler.begin(), compiler.end());
  return file;
}

/// The structure that clang emits around a fat binary.
struct FatWrapper {
  uint32_t magic = abi::kFatWrapperMagic;
  uint32_t version = 1;
  const void *data = nullptr;
  void *unused = nullptr;
};

} // namespace vx::rt::test

#endif // VX_TEST_RUNTIME_IMAGEBUILDER_H
