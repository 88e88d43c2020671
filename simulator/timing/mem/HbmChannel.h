// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One channel of high-bandwidth memory and its controller.
//
//   channel ─► pseudo channels (a data bus each) ─► bank groups ─► banks ─► an open row each
//
// The controller keeps reads, writes, and requests whose row is being opened in three buffers and
// issues one command per cycle: opening requests first, then reads, or writes while there is no
// read or until a burst of writes is worked off. Within a buffer the first request whose next
// command may be issued now goes first (FR-FCFS). A command that closes a row is held back while a
// request in the first buffer needs the row's bank. A read that matches a waiting write is answered
// by it. Rows stay open until another row of the bank is wanted. There is no refresh.
//
// Timing rules are kept as "not before" times per command, for each channel, pseudo channel, bank
// group and bank; a command is ready when it is for all four.

#ifndef VX_SIMULATOR_TIMING_MEM_HBMCHANNEL_H
#define VX_SIMULATOR_TIMING_MEM_HBMCHANNEL_H

#include "simulator/api/SimConfig.h"
#include "simulator/api/Stats.h"
#include "simulator/timing/Channel.h"
#include <algorithm>
#include <array>

namespace vx::sim {

/// One access of the size that a channel transfers at a time.
struct HbmAccess {
  uint64_t unit = 0; ///< address / access size
  uint64_t row = 0;
  uint32_t tag = 0;
  uint16_t bank = 0; ///< of all banks of the channel
  bool isWrite = false;
  bool isAnswered = false; ///< whether its completion answers a read of a block
  bool isCounted = false;  ///< among row hits and misses
  Cycle arrived = 0;
};

class HbmChannel {
public:
  HbmChannel(const SimConfig &config, MemoryStats &counters);

  void reset();
  /// ACCESS enters a buffer in cycle NOW, before tick(NOW); false: there is no room.
  bool push(const HbmAccess &access, Cycle now);
  /// Issues at most one command; returns the read that completes, or null.
  const HbmAccess *tick(Cycle now);
  /// The first cycle in which tick() has something to do, the present one included.
  Cycle nextEvent() const { return std::min(nextCommand, finishing.nextDue()); }

private:
  enum Command : uint8_t { Activate, Precharge, Read, Write, kCommands };
  using Times = std::array<Cycle, kCommands>;

  /// Accesses in the order of their arrival.
  class Buffer {
  public:
    /// What deciding between the accesses needs to know of each.
    struct Key {
      uint64_t row = 0, unit = 0;
      uint16_t bank = 0, place = 0; ///< place: in the pool
    };

    size_t size() const { return keys.size(); }
    const Key &key(size_t i) const { return keys[i]; }
    HbmAccess &operator[](size_t i) { return pool[keys[i].place]; }
    const HbmAccess &operator[](size_t i) const { return pool[keys[i].place]; }
    void push(const HbmAccess &access);
    void erase(size_t i);
    void clear();

  private:
    std::vector<HbmAccess> pool;
    std::vector<Key> keys; ///< in the order of arrival
    std::vector<uint16_t> free;
  };

  uint32_t groupOf(uint32_t bank) const { return bank >> groupBits; }
  uint32_t pseudoOf(uint32_t bank) const { return bank >> pseudoBits; }
  /// The command that an access to ROW of BANK needs next.
  Command nextCommandOf(uint32_t bank, uint64_t row, bool isWrite) const {
    uint64_t open = openRow[bank];
    return open == row ? (isWrite ? Write : Read) : open == kClosed ? Activate : Precharge;
  }
  Cycle readyAt(Command command, uint32_t bank) const {
    return std::max(std::max(channelTimes[command], pseudoTimes[pseudoOf(bank)][command]),
                    std::max(groupTimes[groupOf(bank)][command], bankTimes[bank][command]));
  }
  void schedule(Cycle now);
  size_t firstReady(const Buffer &buffer, Cycle now, Cycle &earliest) const;
  bool modeChanges() const;
  bool isNeeded(uint32_t bank) const;
  void issue(Buffer &buffer, size_t place, Command command, Cycle now);
  void applyTiming(Command command, uint32_t bank, Cycle now);
  void count(HbmAccess &access, Command command);
  void finish(const HbmAccess &access, Cycle due);

  const SimConfig config;
  MemoryStats &counters;
  const uint32_t groupBits, pseudoBits; ///< of a bank's number, below those of its group
  const size_t capacity;

  Buffer opening, reads, writes;
  bool writeMode = false;
  Channel<HbmAccess> finishing; ///< reads, one per cycle and in the order of issue
  Cycle lastFinish = 0;
  HbmAccess finished;
  Cycle nextCommand = kNever;

  static constexpr uint64_t kClosed = ~uint64_t(0);
  Times channelTimes{};
  std::vector<Times> pseudoTimes, groupTimes, bankTimes; ///< when a command may be issued
  std::vector<uint64_t> openRow;                         ///< of each bank
  struct ActivateHistory {
    std::array<Cycle, 4> at{};
    uint32_t count = 0;
  };
  std::vector<ActivateHistory> activates; ///< of each pseudo channel
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_HBMCHANNEL_H
