// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/Relocation.h"
#include <algorithm>
#include <cstring>
#include <elf.h>
#include <iterator>
#include <span>

namespace vx::rt {

namespace {

/// The output sections of the linker script that are loaded, with their relocations.
constexpr const char *kRelocationSections[] = {".rela.text", ".rela.rodata", ".rela.data"};

/// Sections of which an image has one if its relocations were kept: code need not have any, but the
/// table of kernels has their entries.
constexpr const char *kSignsOfRelocations[] = {".rela.text", ".rela.vx.kernels"};

struct Elf32 {
  using Rela = Elf32_Rela;
  using Symbol = Elf32_Sym;
  static constexpr uint32_t kStoredAddress = R_RISCV_32;
  static uint32_t type(const Rela &r) { return ELF32_R_TYPE(r.r_info); }
  static uint32_t symbol(const Rela &r) { return ELF32_R_SYM(r.r_info); }
};
struct Elf64 {
  using Rela = Elf64_Rela;
  using Symbol = Elf64_Sym;
  static constexpr uint32_t kStoredAddress = R_RISCV_64;
  static uint32_t type(const Rela &r) { return uint32_t(ELF64_R_TYPE(r.r_info)); }
  static uint32_t symbol(const Rela &r) { return uint32_t(ELF64_R_SYM(r.r_info)); }
};

/// A distance between two places of the image, or a note for the linker: the same everywhere.
bool isPositionIndependent(uint32_t type) {
  switch (type) {
  case R_RISCV_NONE:
  case R_RISCV_BRANCH:
  case R_RISCV_JAL:
  case R_RISCV_CALL:
  case R_RISCV_CALL_PLT:
  case R_RISCV_PCREL_HI20:
  case R_RISCV_PCREL_LO12_I:
  case R_RISCV_PCREL_LO12_S:
  case R_RISCV_RVC_BRANCH:
  case R_RISCV_RVC_JUMP:
  case R_RISCV_RELAX:
  case R_RISCV_ALIGN:
  case R_RISCV_32_PCREL:
    return true;
  default:
    return (type >= R_RISCV_ADD8 && type <= R_RISCV_SUB64) ||
           (type >= R_RISCV_SUB6 && type <= R_RISCV_SET32);
  }
}

/// Returns true for what stays right in code of the host when it moves; its other kind is
/// R_X86_64_64.
bool isPositionIndependentX86(uint32_t type) {
  return type == R_X86_64_NONE || type == R_X86_64_PC32 || type == R_X86_64_PLT32 ||
         type == R_X86_64_PC64;
}

/// The I-th T of BYTES.
template <typename T> std::optional<T> element(std::span<const uint8_t> bytes, size_t i) {
  if (i >= bytes.size() / sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof value);
  return value;
}

template <typename E> bool collect(const sim::ElfImage &image, std::vector<uint64_t> &places) {
  std::span<const uint8_t> symbols = image.section(".symtab");
  bool host = image.machine() == sim::ElfMachine::X86;
  const uint32_t stored = host ? uint32_t(R_X86_64_64) : E::kStoredAddress;
  for (const char *name : kRelocationSections) {
    std::span<const uint8_t> bytes = image.section(name);
    for (size_t i = 0; i < bytes.size() / sizeof(typename E::Rela); ++i) {
      typename E::Rela rela = *element<typename E::Rela>(bytes, i);
      auto symbol = element<typename E::Symbol>(symbols, E::symbol(rela));
      if (!symbol)
        return false;
      // A symbol outside of the image (an absolute or a weak undefined one) does not move with it.
      bool moves = symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS;
      if (E::type(rela) == stored) {
        if (moves)
          places.push_back(rela.r_offset);
      } else if (host) {
        if (!isPositionIndependentX86(E::type(rela)) || !moves)
          return false;
      } else if (!isPositionIndependent(E::type(rela)) ||
                 (!moves && E::type(rela) == R_RISCV_PCREL_HI20)) {
        return false;
      }
    }
  }
  return true;
}

} // namespace

std::optional<std::vector<uint64_t>> findStoredAddresses(const sim::ElfImage &image) {
  auto isMissing = [&](const char *name) { return image.section(name).empty(); };
  if (image.machine() == sim::ElfMachine::RiscV &&
      std::all_of(std::begin(kSignsOfRelocations), std::end(kSignsOfRelocations), isMissing))
    return std::nullopt;
  std::vector<uint64_t> places;
  bool known = image.xlen() == 64 ? collect<Elf64>(image, places) : collect<Elf32>(image, places);
  if (!known)
    return std::nullopt;
  return places;
}

template <typename Address>
static void slideStored(sim::ImageSegment &segment, uint64_t place, uint64_t slide) {
  uint64_t offset = place - segment.address;
  if (place < segment.address || segment.bytes.size() < sizeof(Address) ||
      offset > segment.bytes.size() - sizeof(Address))
    return; // in another segment
  Address value;
  std::memcpy(&value, segment.bytes.data() + offset, sizeof value);
  value += Address(slide);
  std::memcpy(segment.bytes.data() + offset, &value, sizeof value);
}

void slideSegments(std::vector<sim::ImageSegment> &segments, const std::vector<uint64_t> &places,
                   unsigned xlen, uint64_t slide) {
  for (sim::ImageSegment &segment : segments) {
    for (uint64_t place : places) {
      if (xlen == 64)
        slideStored<uint64_t>(segment, place, slide);
      else
        slideStored<uint32_t>(segment, place, slide);
    }
    segment.address += slide;
  }
}

} // namespace vx::rt
