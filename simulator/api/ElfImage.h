// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a device image: a RISC-V ELF executable, a Vortex .vxbin, or raw bytes. Input is not
// trusted: whatever is wrong with it is a Failure in words, never a crash.

#ifndef VX_SIMULATOR_API_ELFIMAGE_H
#define VX_SIMULATOR_API_ELFIMAGE_H

#include "simulator/api/Result.h"
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vx::sim {

class Simulator;

/// The machine whose code an image holds. X86 is for the runtime only (kernels as code of the
/// host).
enum class ElfMachine : uint16_t { RiscV = 243, X86 = 62 };

/// A range of device memory that an image asks for.
struct ImageSegment {
  uint64_t address = 0;
  uint64_t memorySize = 0;    ///< >= bytes.size(); the rest is zeroed
  uint8_t permission = 0;     ///< MemoryPermission bits
  std::vector<uint8_t> bytes; ///< the start of the segment
};

/// A defined symbol of an ELF image.
struct ImageSymbol {
  uint64_t address = 0;
  uint64_t size = 0;
  bool isFunction = false;
};

/// An instruction of an image.
struct ImageWord {
  uint64_t address = 0;
  uint32_t word = 0;
};

/// A checked image: segments do not overlap and no size wraps.
class ElfImage {
public:
  /// An ELF32 or ELF64 executable for MACHINE.
  static Result<ElfImage> parse(std::span<const uint8_t> file,
                                ElfMachine machine = ElfMachine::RiscV);
  /// A .vxbin: u64 first address, u64 end address, the bytes; all of it read, write and execute.
  static Result<ElfImage> parseVxbin(std::span<const uint8_t> file);
  /// Raw bytes for ADDRESS; MEMORYSIZE bytes are mapped there (at least the file's size).
  static Result<ElfImage> parseRaw(std::span<const uint8_t> file, uint64_t address,
                                   uint64_t memorySize);

  static bool isElf(std::span<const uint8_t> file);
  /// Returns true if the header and the size of FILE agree with the .vxbin form.
  static bool isVxbin(std::span<const uint8_t> file);

  uint64_t entry() const { return entryAddress; }
  ElfMachine machine() const { return codeMachine; }
  /// 32 or 64; 0 when the form does not say.
  unsigned xlen() const { return registerWidth; }
  const std::vector<ImageSegment> &segments() const { return segmentList; }

  /// The symbol called NAME, or null.
  const ImageSymbol *symbol(std::string_view name) const;
  const std::map<std::string, ImageSymbol, std::less<>> &symbols() const { return symbolMap; }
  /// "name+0x12" for an address inside a function, else empty.
  std::string describe(uint64_t address) const;

  /// The file's bytes of the section called NAME; empty when there is none.
  std::span<const uint8_t> section(std::string_view name) const;

  /// Returns what to write for stacks of 1 << LOG2 bytes (abi/StackShift.h). It is empty if the
  /// image has no place for that and so keeps the stacks that it was built with.
  std::optional<ImageWord> stackShift(uint32_t log2) const;

  /// Maps and writes all segments, for the simulator's stacks where that can be chosen, and sets
  /// the start address (DCRs) to the entry.
  Result<void> load(Simulator &simulator) const;

private:
  friend class ElfReader;
  uint64_t entryAddress = 0;
  unsigned registerWidth = 0;
  ElfMachine codeMachine = ElfMachine::RiscV;
  std::vector<ImageSegment> segmentList;
  std::map<std::string, ImageSymbol, std::less<>> symbolMap;
  std::map<std::string, std::vector<uint8_t>, std::less<>> sectionMap;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_API_ELFIMAGE_H
