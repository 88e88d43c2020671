// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/HbmChannel.h"
#include <bit>

namespace vx::sim {

void HbmChannel::Buffer::push(const HbmAccess &access) {
  if (free.empty()) {
    free.push_back(uint16_t(pool.size()));
    pool.emplace_back();
  }
  uint16_t place = free.back();
  free.pop_back();
  pool[place] = access;
  keys.push_back({access.row, access.unit, access.bank, place});
}

void HbmChannel::Buffer::erase(size_t i) {
  free.push_back(keys[i].place);
  keys.erase(keys.begin() + ptrdiff_t(i));
}

void HbmChannel::Buffer::clear() {
  pool.clear();
  keys.clear();
  free.clear();
}

HbmChannel::HbmChannel(const SimConfig &config, MemoryStats &counters)
    : config(config), counters(counters), groupBits(uint32_t(std::countr_zero(config.dramBanks))),
      pseudoBits(groupBits + uint32_t(std::countr_zero(config.dramBankGroups))),
      capacity(config.dramQueue + 1), pseudoTimes(config.dramPseudoChannels),
      groupTimes(size_t(config.dramPseudoChannels) * config.dramBankGroups),
      bankTimes(groupTimes.size() * config.dramBanks), openRow(bankTimes.size()),
      activates(config.dramPseudoChannels) {
  reset();
}

void HbmChannel::reset() {
  opening.clear();
  reads.clear();
  writes.clear();
  finishing.clear();
  lastFinish = 0;
  writeMode = false;
  nextCommand = kNever;
  channelTimes = {};
  for (auto *times : {&pseudoTimes, &groupTimes, &bankTimes})
    std::fill(times->begin(), times->end(), Times{});
  std::fill(openRow.begin(), openRow.end(), kClosed);
  std::fill(activates.begin(), activates.end(), ActivateHistory());
}

bool HbmChannel::push(const HbmAccess &access, Cycle now) {
  if (!access.isWrite)
    for (size_t i = 0; i != writes.size(); ++i)
      if (writes.key(i).unit == access.unit) {
        finish(access, now);
        return true;
      }
  Buffer &buffer = access.isWrite ? writes : reads;
  if (buffer.size() >= capacity)
    return false;
  buffer.push(access);
  if (modeChanges())
    nextCommand = now;
  else if (access.isWrite == writeMode)
    nextCommand = std::min(
        nextCommand, std::max(now, readyAt(nextCommandOf(access.bank, access.row, access.isWrite),
                                           access.bank)));
  return true;
}

const HbmAccess *HbmChannel::tick(Cycle now) {
  const HbmAccess *done = nullptr;
  if (finishing.ready(now)) {
    finished = finishing.front();
    finishing.pop();
    done = &finished;
  }
  if (nextCommand <= now)
    schedule(now);
  return done;
}

void HbmChannel::finish(const HbmAccess &access, Cycle due) {
  lastFinish = std::max(due, lastFinish + 1);
  finishing.push(access, lastFinish);
}

void HbmChannel::schedule(Cycle now) {
  Cycle earliest = kNever;
  Buffer *buffer = &opening;
  size_t place = firstReady(opening, now, earliest);
  if (place == opening.size()) {
    if (modeChanges())
      writeMode = !writeMode;
    buffer = writeMode ? &writes : &reads;
    place = firstReady(*buffer, now, earliest);
    if (place == buffer->size()) {
      nextCommand = earliest;
      return;
    }
  }
  nextCommand = now + 1;
  const HbmAccess &access = (*buffer)[place];
  Command command = nextCommandOf(access.bank, access.row, access.isWrite);
  if (command != Precharge || !isNeeded(access.bank))
    issue(*buffer, place, command, now);
}

/// The place of the oldest access whose next command may be issued, or the buffer's size; then
/// EARLIEST becomes no later than when the first may.
size_t HbmChannel::firstReady(const Buffer &buffer, Cycle now, Cycle &earliest) const {
  size_t best = buffer.size();
  bool byAge = &buffer == &opening; // the others are in the order of age, and of one kind
  bool isWrite = &buffer == &writes;
  const Buffer::Key *before = nullptr;
  for (size_t i = 0; i != buffer.size(); ++i) {
    const Buffer::Key &key = buffer.key(i);
    if (byAge)
      isWrite = buffer[i].isWrite;
    else if (before && before->bank == key.bank && before->row == key.row)
      continue; // the one before is not ready either
    before = &key;
    Cycle ready = readyAt(nextCommandOf(key.bank, key.row, isWrite), key.bank);
    if (ready > now) {
      earliest = std::min(earliest, ready);
      continue;
    }
    if (!byAge)
      return i;
    if (best == buffer.size() || buffer[i].arrived < buffer[best].arrived)
      best = i;
  }
  return best;
}

/// Writes are served while there is no read, and from 80% to 20% of their buffer.
bool HbmChannel::modeChanges() const {
  if (writeMode)
    return writes.size() * 5 < config.dramQueue && reads.size() != 0;
  return writes.size() * 5 > config.dramQueue * 4 || reads.size() == 0;
}

bool HbmChannel::isNeeded(uint32_t bank) const {
  for (size_t i = 0; i != opening.size(); ++i)
    if (opening.key(i).bank == bank)
      return true;
  return false;
}

void HbmChannel::issue(Buffer &buffer, size_t place, Command command, Cycle now) {
  HbmAccess &access = buffer[place];
  count(access, command);
  uint32_t bank = access.bank;
  switch (command) {
  case Precharge:
    openRow[bank] = kClosed;
    break;
  case Activate:
    openRow[bank] = access.row;
    opening.push(access);
    buffer.erase(place);
    break;
  case Read:
    finish(access, now + config.dramCl + config.dramBurst);
    buffer.erase(place);
    break;
  default:
    buffer.erase(place);
    break;
  }
  applyTiming(command, bank, now);
}

void HbmChannel::count(HbmAccess &access, Command command) {
  if (!access.isCounted) {
    access.isCounted = true;
    ++(command == Read || command == Write ? counters.dramRowHits : counters.dramRowMisses);
  }
  if (command == Read || command == Write) {
    counters.dramBytes += config.dramAccess;
    counters.dramBusyCycles += config.dramBurst;
  }
}

void HbmChannel::applyTiming(Command command, uint32_t bank, Cycle now) {
  auto notBefore = [now](Cycle &time, uint32_t delay) { time = std::max(time, now + delay); };
  Times &pseudo = pseudoTimes[pseudoOf(bank)];
  Times &group = groupTimes[groupOf(bank)];
  Times &own = bankTimes[bank];
  const SimConfig &c = config;
  switch (command) {
  case Activate: {
    notBefore(channelTimes[Activate], 2); // the command takes two cycles
    notBefore(channelTimes[Precharge], 2);
    notBefore(pseudo[Activate], c.dramRrdShort);
    notBefore(group[Activate], c.dramRrdLong);
    notBefore(own[Activate], c.dramRc);
    notBefore(own[Read], c.dramRcd);
    notBefore(own[Write], c.dramRcd);
    notBefore(own[Precharge], c.dramRas);
    ActivateHistory &history = activates[pseudoOf(bank)];
    history.at[history.count++ & 3] = now;
    if (history.count >= 4) // of five, the last is a window after the first
      pseudo[Activate] = std::max(pseudo[Activate], history.at[history.count & 3] + c.dramFaw);
    break;
  }
  case Precharge:
    notBefore(own[Activate], c.dramRp);
    break;
  case Read:
    notBefore(pseudo[Read], std::max(c.dramBurst, c.dramCcdShort));
    notBefore(pseudo[Write], c.dramCl + c.dramBurst + 2 - c.dramCwl);
    notBefore(group[Read], c.dramCcdLong);
    notBefore(own[Precharge], c.dramRtp);
    break;
  default:
    notBefore(pseudo[Write], std::max(c.dramBurst, c.dramCcdShort));
    notBefore(pseudo[Read], c.dramCwl + c.dramBurst + c.dramWtrShort);
    notBefore(group[Write], c.dramCcdLong);
    notBefore(group[Read], c.dramCwl + c.dramBurst + c.dramWtrLong);
    notBefore(own[Precharge], c.dramCwl + c.dramBurst + c.dramWr);
    break;
  }
}

} // namespace vx::sim
