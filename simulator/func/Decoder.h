// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoded instructions, by address. The only caller of isa::decode().
//
// A code page holds one Insn per word, each decoded when first executed: until then its handler is
// one that decodes, replaces itself and runs. So the loop that executes has no case for it.

#ifndef VX_SIMULATOR_FUNC_DECODER_H
#define VX_SIMULATOR_FUNC_DECODER_H

#include "simulator/func/Exec.h"
#include <array>
#include <memory>
#include <unordered_map>

namespace vx::sim {

class Decoder {
public:
  static constexpr uint64_t kPageBytes = 4096;
  using Page = std::array<Insn, kPageBytes / 4>;

  explicit Decoder(Device &device) : device(device) {}

  /// The instructions of the page that holds PC; they live until flush().
  Page &page(uint64_t pc) {
    uint64_t number = pc / kPageBytes;
    return number == lastNumber ? *lastPage : findPage(number);
  }

  /// All decoders of the device forget everything: code may have changed. Takes effect at the next
  /// instruction fetch.
  void flush() { device.codeVersion.fetch_add(1, std::memory_order_relaxed); }
  /// Drops forgotten pages; no Insn may be in use. Returns false if there was nothing to drop.
  bool dropStale() { return seen != device.codeVersion.load(std::memory_order_relaxed) && drop(); }

  /// Chooses if warps stop after instructions that are executed for the first time since flush().
  /// Forgets that one has been found.
  void stopAtNewCode(bool stops) {
    stopsAtNew = stops;
    foundNew = false;
  }
  bool hasFoundNewCode() const { return foundNew; }
  /// E has executed an instruction for the first time.
  void executedNew(Exec &e) {
    if (!stopsAtNew) [[likely]]
      return;
    foundNew = true;
    e.yield();
  }

  /// Decodes the instruction at E's pc into INSN, its place. Returns false if a trap has been
  /// reported.
  bool decodeAt(Exec &e, Insn &insn) const;
  /// Turns WORD into INSN. Returns false if it is illegal; `why` says more.
  bool decode(uint32_t word, Insn &insn, std::string &why) const;

private:
  static std::unique_ptr<Page> makePage();
  static void joinStraight(Insn &insn, uint64_t index);
  Page &findPage(uint64_t number);
  bool isEnabled(const isa::InsnInfo &row) const;
  bool drop();
  void decodeHint(Insn &insn) const;
  void setOperands(const isa::InsnInfo &row, Insn &insn) const;

  Device &device;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  uint64_t lastNumber = ~uint64_t(0); ///< of the page used last, which warps rarely leave
  Page *lastPage = nullptr;
  uint64_t seen = 0; ///< code version that the pages are of
  bool stopsAtNew = false, foundNew = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_DECODER_H
