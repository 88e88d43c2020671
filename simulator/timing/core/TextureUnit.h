// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texture unit of the SFU: three stages, as in Vortex.
//
//   SFU ─► addresses ─► memory: state, unique words of the lanes' texels ─► sampler ─► commit
//
// A packet is a batch: the memory stage works on one at a time, and the next begins only when all
// that the last one has asked for is there. It sends a request of up to as many words as the LSU
// has lanes per cycle, through the LSU's way to memory and after what the LSU sends. Lanes that
// want the same word share it. What a texture is - the record that the CSR vx_texture names, and
// the level that is sampled - is kept in a table of `texture.states` entries, of which the one that
// was not used for longest makes room; what is not there is read first. The sampler is pipelined
// and writes one register per cycle.

#ifndef VX_SIMULATOR_TIMING_CORE_TEXTUREUNIT_H
#define VX_SIMULATOR_TIMING_CORE_TEXTUREUNIT_H

#include "simulator/api/Stats.h"
#include "simulator/timing/core/DynInst.h"
#include <vector>

namespace vx::sim {

class TextureUnit {
public:
  TextureUnit(const SimConfig &config, DynInstPool &insts, MemoryLink &link, CoreStats &stats)
      : config(config), insts(insts), link(link), stats(stats) {}

  void reset();
  /// PACKET comes from the SFU in cycle DUE.
  void push(const Packet &packet, Cycle due) {
    input.push(packet, due + config.textureAddressLatency);
  }
  /// SLOTS slots of its requests have been answered.
  void answered(uint32_t slots) { slotsLeft -= slots; }
  /// Returns the tag of its requests, which follows those of the LSU.
  uint32_t tag() const { return config.lsuPendingLoads; }

  /// Advances by a cycle. Calls finish(packet, due) for what a batch has ready.
  template <typename F> void tick(Cycle now, F finish) {
    if (isBusy() && next == words.size() && !slotsLeft) {
      Packet done = std::exchange(batch, Packet{});
      finish(done, sample(done, now));
    }
    if (!isBusy() && input.ready(now)) {
      start(input.front(), now);
      input.pop();
    }
    if (isBusy() && next != words.size())
      send(now);
  }
  /// Returns the first cycle after NOW in which it can continue without an answer.
  Cycle nextEvent(Cycle now) const {
    if (!isBusy())
      return input.nextDue();
    return next != words.size() || !slotsLeft ? now + 1 : kNever;
  }
  /// Returns true if something is under way.
  bool isBusy() const { return batch.inst != kNoDynInst; }
  bool isWaiting() const { return isBusy() || !input.empty(); }

private:
  struct State {
    uint64_t address;
    uint64_t used; ///< counted in uses of the table
  };

  void start(const Packet &packet, Cycle now);
  void send(Cycle now);
  Cycle sample(const Packet &packet, Cycle now);
  bool isKept(uint64_t state);

  const SimConfig &config;
  DynInstPool &insts;
  MemoryLink &link;
  CoreStats &stats;
  Channel<Packet> input;
  Packet batch;
  std::vector<uint64_t> words; ///< that the batch reads, each once
  size_t next = 0;             ///< the first of them that has not been asked for
  uint32_t slotsLeft = 0;      ///< asked for, but not there
  Cycle writeFree = 0;         ///< when the sampler can write the next register
  std::vector<State> states;
  uint64_t uses = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_TEXTUREUNIT_H
