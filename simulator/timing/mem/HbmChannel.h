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
// Timing rules are kept as "not before" times per command, for each pseudo channel (with what the
// channel demands), bank group and bank; a command is ready when it is for all three. They change
// only when a command is issued: then the next one is chosen, and when it will be.

#ifndef VX_SIMULATOR_TIMING_MEM_HBMCHANNEL_H
#define VX_SIMULATOR_TIMING_MEM_HBMCHANNEL_H

#include "simulator/api/SimConfig.h"
#include "simulator/api/Stats.h"
#include "simulator/timing/Channel.h"
#include <algorithm>
#include <array>
#include <vector>

namespace vx::sim {

/// One access of the size that a channel transfers at a time.
struct HbmAccess {
  uint64_t unit = 0; ///< address / access size
  uint64_t row = 0;
  uint32_t tag = 0;
  uint16_t bank = 0; ///< of all banks of the channel
  bool isWrite = false;
  bool isAnswered = false; ///< a read: whether its completion answers that of a block
  bool isCounted = false;  ///< among row hits and misses
  Cycle arrived = 0;
};

class HbmChannel {
public:
  HbmChannel(const SimConfig &config, MemoryStats &counters);
  HbmChannel(const HbmChannel &) = delete;
  HbmChannel &operator=(const HbmChannel &) = delete;

  void reset();
  /// Lets ACCESS enter a buffer in cycle NOW, before tick(NOW). Returns false if there is no room.
  bool push(const HbmAccess &access, Cycle now);
  /// Issues at most one command; returns the read that completes and answers, or null.
  const HbmAccess *tick(Cycle now);
  /// The first cycle in which tick() has something to do, the present one included.
  Cycle nextEvent() const { return std::min(nextCommand, finishing.nextDue()); }

private:
  /// The first two are what a closed and an open bank need for another row.
  enum Command : uint8_t { Activate, Precharge, Read, Write, kCommands };
  using Times = std::array<Cycle, kCommands>;
  static constexpr uint64_t kClosed = ~uint64_t(0);

  /// Cycles from one command to another, as the configuration has them.
  struct Delays {
    explicit Delays(const SimConfig &config);

    Cycle rrdShort, rrdLong, rc, rcd, ras, faw, rp;     ///< after Activate; rp: Precharge
    Cycle ccdShort, ccdLong;                            ///< from Read to Read, from Write to Write
    Cycle readToWrite, readToPrecharge;                 ///< after Read
    Cycle writeToRead, writeToReadLong, writeRecovered; ///< after Write
    Cycle readDone;                                     ///< from Read to the end of its data
  };

  struct ActivateHistory {
    std::array<Cycle, 4> at{};
    uint32_t count = 0;
  };

  struct alignas(64) Bank { // a line of the host's cache
    uint64_t openRow = kClosed;
    Times times{};                             ///< when a command may be issued
    Times *group = nullptr, *pseudo = nullptr; ///< of groupTimes and pseudoTimes
    Command other = Activate;                  ///< what another row than the open one needs
  };

  /// Waiting accesses. Those to one row need the same command next, and the oldest of them goes
  /// first: what is to be chosen from are rows, of which there are few.
  class Buffer {
  public:
    struct Row {
      uint64_t row = 0;
      uint64_t age = 0; ///< of its oldest access: lower is older
      const Bank *bank = nullptr;
      uint16_t first = 0, last = 0; ///< of its accesses, by age
    };

    size_t size() const { return count; }
    const std::vector<Row> &rows() const { return waiting; }
    /// Returns true if there is an access to UNIT, which is in ROW of BANK.
    bool contains(uint64_t unit, uint64_t row, const Bank &bank) const;
    /// Returns whether no other access to the row of ACCESS, which is in BANK, waits.
    bool push(const HbmAccess &access, const Bank &bank);
    /// There are COUNT banks; nothing waits.
    void clear(size_t count);
    /// The oldest access of rows()[i].
    HbmAccess &oldest(size_t i) { return pool[waiting[i].first].access; }
    void eraseOldest(size_t i);

  private:
    struct alignas(64) Place {
      HbmAccess access;
      uint64_t age = 0;
      uint16_t next = 0; ///< younger one of the row, or the next free place
    };
    static constexpr uint16_t kNone = 0xffff;

    std::vector<Place> pool;
    std::vector<Row> waiting;         ///< by age
    std::vector<uint16_t> rowsOfBank; ///< how many of them are in each
    size_t count = 0;
    uint64_t pushed = 0; ///< in all
    uint16_t free = kNone;
  };

  /// A command that may go first, and when.
  struct Choice {
    size_t place = 0;
    Cycle ready = kNever;
  };

  /// The command that an access to ROW of BANK needs next.
  static Command nextCommandOf(const Bank &bank, uint64_t row, bool isWrite) {
    return bank.openRow == row ? Command(Read + isWrite) : bank.other;
  }
  Cycle readyAt(Command command, const Bank &bank) const {
    return std::max((*bank.pseudo)[command], std::max((*bank.group)[command], bank.times[command]));
  }
  static void notBefore(Cycle &time, Cycle earliest) { time = time < earliest ? earliest : time; }
  void schedule(Cycle now);
  void planNext(Cycle now);
  void issueOpening(Cycle now);
  void chooseRow(Cycle now);
  Cycle readyOf(const Buffer::Row &one, bool isWrite) const {
    return readyAt(nextCommandOf(*one.bank, one.row, isWrite), *one.bank);
  }
  Cycle readyOf(const HbmAccess &opened) const {
    return readyAt(opened.isWrite ? Write : Read, banks[opened.bank]);
  }
  Cycle readyBefore(size_t place);
  Buffer &served() { return writeMode ? writes : reads; }
  /// Writes are served while there is no read, and from 80% to 20% of their buffer.
  bool modeChanges() const {
    if (writeMode)
      return writes.size() < fewWrites && reads.size() != 0;
    return reads.size() == 0 || writes.size() > manyWrites;
  }
  bool isNeeded(uint32_t bank) const;
  void transfer(HbmAccess &access, Cycle now);
  void issueRow(Buffer &buffer, size_t place, Command command, Cycle now);
  void applyTiming(Command command, Bank &bank, Cycle now);
  void count(HbmAccess &access, Command command);
  void finish(const HbmAccess &access, Cycle due);

  const Delays delays;
  const uint64_t accessBytes, burst;
  MemoryStats &counters;
  const size_t capacity;
  const size_t fewWrites, manyWrites; ///< writes are not served below, are served above

  std::vector<HbmAccess> opening; ///< in the order in which their rows were activated
  Buffer reads, writes;
  bool writeMode = false;
  Cycle openingReady = kNever; ///< when the first of `opening` may be issued
  Choice chosen;               ///< of the rows of the buffer that is served
  bool isChosen = false;       ///< else schedule() has to choose
  Channel<HbmAccess>
      finishing; ///< reads that answer; one per cycle completes, in the order of issue
  Cycle lastFinish = 0;
  HbmAccess finished;
  Cycle nextCommand = kNever;

  std::vector<Times> pseudoTimes, groupTimes;
  std::vector<Bank> banks;
  std::vector<ActivateHistory> activates; ///< of each pseudo channel
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_HBMCHANNEL_H
