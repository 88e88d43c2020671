// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// High-bandwidth memory as SimX has it. A block is split into accesses of the size that a channel
// transfers at a time; one access per cycle leaves the queue for its channel's buffers, and the
// first that finds its buffer full holds up the others. A block is answered when its first access
// is. Address bits above the access, from the lowest: channel, column, pseudo channel, bank group,
// bank, row.
//
// With `dram.overlap`, block B starts at the B-th access and not where block B-1 ends, as in SimX:
// the accesses of neighbouring blocks overlap.

#include "simulator/timing/PlacedArray.h"
#include "simulator/timing/mem/Dram.h"
#include "simulator/timing/mem/HbmChannel.h"
#include <algorithm>
#include <bit>

namespace vx::sim {

namespace {

class HbmDram final : public Dram {
public:
  HbmDram(const SimConfig &config, DramClient &client, MemoryStats &counters)
      : Dram(client, counters), config(config), block(config.memoryBlockBytes()),
        accesses(std::max(1u, block / config.dramAccess)), channels(config.dramChannels) {
    for (uint32_t i = 0; i != config.dramChannels; ++i)
      channels.emplace_back(config, counters);
  }

  void reset() override {
    queue.clear();
    sent = 0;
    blocked = false;
    before = 0;
    next = kNever;
    for (HbmChannel &channel : channels)
      channel.reset();
  }

  void restart(Cycle elapsed) override { before += elapsed; }

  void push(const MemoryRequest &request, Cycle due) override {
    queue.push({request.address / block, request.tag, request.isWrite}, before + due);
    if (!blocked)
      next = std::min(next, queue.nextDue());
    ++(request.isWrite ? counters.dramWrites : counters.dramReads);
  }

  void tick(Cycle cycle) override {
    Cycle now = before + cycle;
    if (queue.ready(now) && !blocked)
      feed(now);
    next = kNever;
    for (HbmChannel &channel : channels) {
      Cycle due = channel.nextEvent();
      if (due <= now) {
        blocked = false;
        if (const HbmAccess *done = channel.tick(now)) {
          counters.dramReadCycles += now - done->arrived;
          client.dramResponse(done->tag, cycle);
        }
        due = channel.nextEvent();
      }
      next = std::min(next, due);
    }
    if (!blocked)
      next = std::min(next, queue.nextDue());
  }

  Cycle nextEvent(Cycle cycle) const override {
    Cycle time = next;
    rebaseTime(time, before);
    return std::max(time, cycle + 1);
  }

private:
  struct Block {
    uint64_t number = 0;
    uint32_t tag = 0;
    bool isWrite = false;
  };

  void feed(Cycle now) {
    const Block &front = queue.front();
    HbmAccess access;
    access.unit = (config.dramOverlap ? front.number : front.number * accesses) + sent;
    access.tag = front.tag;
    access.isWrite = front.isWrite;
    access.isAnswered = !front.isWrite && sent == 0;
    access.arrived = now;
    uint64_t rest = access.unit;
    uint32_t channel = take(rest, channelBits);
    take(rest, columnBits);
    uint32_t pseudo = take(rest, pseudoBits);
    uint32_t group = take(rest, groupBits);
    uint32_t bank = take(rest, bankBits);
    access.bank = uint16_t((pseudo << groupBits | group) << bankBits | bank);
    access.row = rest;
    if (!channels[channel].push(access, now)) {
      blocked = true;
      return;
    }
    if (++sent == accesses) {
      sent = 0;
      if (front.isWrite)
        client.dramWritten();
      queue.pop();
    }
  }

  /// The low BITS bits of REST; takes them off.
  static uint32_t take(uint64_t &rest, uint32_t bits) {
    uint32_t value = uint32_t(rest) & ((1u << bits) - 1);
    rest >>= bits;
    return value;
  }
  static uint32_t bitsOf(uint32_t count) { return uint32_t(std::countr_zero(count)); }

  const SimConfig config;
  const uint32_t block, accesses;
  // The bits of an address: all numbers are powers of two.
  const uint32_t channelBits = bitsOf(config.dramChannels), columnBits = bitsOf(config.dramColumns);
  const uint32_t pseudoBits = bitsOf(config.dramPseudoChannels);
  const uint32_t groupBits = bitsOf(config.dramBankGroups), bankBits = bitsOf(config.dramBanks);
  /// DRAM's clock runs from run to run: cycles of earlier ones.
  Cycle before = 0;
  Cycle next = kNever; ///< by that clock: the next event
  PlacedArray<HbmChannel> channels;
  Channel<Block> queue;
  uint32_t sent = 0;    ///< accesses of the first block that are in a channel's buffers
  bool blocked = false; ///< no buffer has changed since the next access found its own full
};

} // namespace

std::unique_ptr<Dram> createHbmDram(const SimConfig &config, DramClient &client,
                                    MemoryStats &counters) {
  return std::make_unique<HbmDram>(config, client, counters);
}

} // namespace vx::sim
