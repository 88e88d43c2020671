// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/HbmChannel.h"
#include <algorithm>

namespace vx::sim {

bool HbmChannel::Buffer::contains(uint64_t unit, uint64_t row, const Bank &bank) const {
  for (const Row &one : waiting) // mostly none
    if (one.row == row && one.bank == &bank) {
      for (uint16_t place = one.first; place != kNone; place = pool[place].next)
        if (pool[place].access.unit == unit)
          return true;
      return false;
    }
  return false;
}

bool HbmChannel::Buffer::push(const HbmAccess &access, const Bank &bank) {
  if (free == kNone) {
    free = uint16_t(pool.size());
    pool.emplace_back().next = kNone;
  }
  uint16_t place = free;
  free = pool[place].next;
  pool[place] = {access, pushed++, kNone};
  ++count;
  uint16_t &ofBank = rowsOfBank[access.bank];
  for (size_t i = ofBank ? waiting.size() : 0; i-- != 0;) // mostly it is the youngest
    if (Row &one = waiting[i]; one.row == access.row && one.bank == &bank) {
      pool[one.last].next = place;
      one.last = place;
      return false;
    }
  ++ofBank;
  waiting.push_back({access.row, pool[place].age, &bank, place, place});
  return true;
}

void HbmChannel::Buffer::eraseOldest(size_t i) {
  Row &one = waiting[i];
  uint16_t place = one.first;
  --count;
  bool wasLast = place == one.last;
  uint16_t next = pool[place].next;
  pool[place].next = free;
  free = place;
  if (wasLast) {
    --rowsOfBank[pool[place].access.bank];
    waiting.erase(waiting.begin() + ptrdiff_t(i));
    return;
  }
  one.first = next;
  one.age = pool[next].age;
  for (; i + 1 != waiting.size() && waiting[i + 1].age < waiting[i].age; ++i)
    std::swap(waiting[i], waiting[i + 1]);
}

void HbmChannel::Buffer::clear(size_t banks) {
  rowsOfBank.assign(banks, 0);
  pool.clear();
  waiting.clear();
  count = 0;
  free = kNone;
}

HbmChannel::Delays::Delays(const SimConfig &c)
    : rrdShort(c.dramRrdShort), rrdLong(c.dramRrdLong), rc(c.dramRc), rcd(c.dramRcd),
      ras(c.dramRas), faw(c.dramFaw), rp(c.dramRp), ccdShort(std::max(c.dramBurst, c.dramCcdShort)),
      ccdLong(c.dramCcdLong), readToWrite(c.dramCl + c.dramBurst + 2 - c.dramCwl),
      readToPrecharge(c.dramRtp), writeToRead(c.dramCwl + c.dramBurst + c.dramWtrShort),
      writeToReadLong(c.dramCwl + c.dramBurst + c.dramWtrLong),
      writeRecovered(c.dramCwl + c.dramBurst + c.dramWr), readDone(c.dramCl + c.dramBurst) {}

HbmChannel::HbmChannel(const SimConfig &config, MemoryStats &counters)
    : delays(config), accessBytes(config.dramAccess), burst(config.dramBurst), counters(counters),
      capacity(config.dramQueue + 1), fewWrites((config.dramQueue + 4) / 5),
      manyWrites(size_t(config.dramQueue) * 4 / 5), pseudoTimes(config.dramPseudoChannels),
      groupTimes(size_t(config.dramPseudoChannels) * config.dramBankGroups),
      banks(groupTimes.size() * config.dramBanks), activates(config.dramPseudoChannels) {
  for (size_t i = 0; i != banks.size(); ++i) {
    size_t group = i / config.dramBanks, pseudo = group / config.dramBankGroups;
    banks[i].group = &groupTimes[group];
    banks[i].pseudo = &pseudoTimes[pseudo];
  }
  reset();
}

void HbmChannel::reset() {
  opening.clear();
  reads.clear(banks.size());
  writes.clear(banks.size());
  finishing.clear();
  lastFinish = 0;
  writeMode = isChosen = false;
  nextCommand = openingReady = kNever;
  for (auto *times : {&pseudoTimes, &groupTimes})
    std::fill(times->begin(), times->end(), Times{});
  for (Bank &bank : banks) {
    bank.openRow = kClosed;
    bank.other = Activate;
    bank.times = {};
  }
  std::fill(activates.begin(), activates.end(), ActivateHistory());
}

bool HbmChannel::push(const HbmAccess &access, Cycle now) {
  const Bank &bank = banks[access.bank];
  if (!access.isWrite && writes.contains(access.unit, access.row, bank)) {
    finish(access, now);
    return true;
  }
  Buffer &buffer = access.isWrite ? writes : reads;
  if (buffer.size() >= capacity)
    return false;
  bool isNew = buffer.push(access, bank);
  if (isNew && access.isWrite == writeMode) {
    Cycle ready = std::max(now, readyOf(buffer.rows().back(), writeMode));
    if (isChosen && ready < chosen.ready)
      chosen = {buffer.rows().size() - 1, ready};
    nextCommand = std::min(nextCommand, ready);
  }
  if (modeChanges())
    nextCommand = now;
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
  if (access.isAnswered)
    finishing.push(access, lastFinish);
}

void HbmChannel::schedule(Cycle now) {
  if (openingReady <= now) {
    issueOpening(now);
    planNext(now);
    return;
  }
  if (modeChanges()) {
    writeMode = !writeMode;
    isChosen = false;
  }
  if (!isChosen)
    chooseRow(now);
  nextCommand = std::min(openingReady, chosen.ready);
  if (chosen.ready > now)
    return;
  const HbmAccess &access = served().oldest(chosen.place);
  Command command = nextCommandOf(banks[access.bank], access.row, access.isWrite);
  if (command == Precharge && isNeeded(access.bank)) {
    // It stays the choice until one that goes before it may be issued.
    nextCommand = std::min(openingReady, readyBefore(chosen.place));
    isChosen = false;
    return;
  }
  issueRow(served(), chosen.place, command, now);
  planNext(now);
}

/// A command has been issued in cycle NOW: when may there be another one?
void HbmChannel::planNext(Cycle now) {
  nextCommand = now + 1;
  isChosen = false;
  openingReady = kNever;
  for (const HbmAccess &access : opening)
    openingReady = std::min(openingReady, readyOf(access));
  if (openingReady <= now + 1 || modeChanges())
    return; // times will change, or the buffer
  chooseRow(now + 1);
  nextCommand = std::max(now + 1, std::min(openingReady, chosen.ready));
}

/// The row of the oldest access whose next command may be issued in cycle NOW; if there is none,
/// the first that may be afterwards.
void HbmChannel::chooseRow(Cycle now) {
  const bool isWrite = writeMode;
  const std::vector<Buffer::Row> &rows = served().rows();
  const Buffer::Row *first = nullptr;
  Cycle firstReady = kNever;
  for (const Buffer::Row *row = rows.data(), *end = row + rows.size();
       row != end && firstReady > now; ++row)
    if (Cycle ready = readyOf(*row, isWrite); ready < firstReady) {
      first = row;
      firstReady = ready;
    }
  isChosen = true;
  chosen = {first ? size_t(first - rows.data()) : 0, firstReady};
}

/// Returns when one of the rows before PLACE may go first.
Cycle HbmChannel::readyBefore(size_t place) {
  Cycle next = kNever;
  for (size_t i = 0; i != place; ++i)
    next = std::min(next, readyOf(served().rows()[i], writeMode));
  return next;
}

bool HbmChannel::isNeeded(uint32_t bank) const {
  return std::any_of(opening.begin(), opening.end(),
                     [bank](const HbmAccess &access) { return access.bank == bank; });
}

/// Reads or writes for the access that arrived first of those whose row has been opened for them
/// and may be now. The row has stayed open (isNeeded).
void HbmChannel::issueOpening(Cycle now) {
  size_t place = opening.size();
  for (size_t i = 0; i != opening.size(); ++i)
    if (readyOf(opening[i]) <= now &&
        (place == opening.size() || opening[i].arrived < opening[place].arrived))
      place = i;
  HbmAccess access = opening[place];
  opening.erase(opening.begin() + ptrdiff_t(place));
  transfer(access, now);
}

/// Issues what the oldest access of a row needs next.
void HbmChannel::issueRow(Buffer &buffer, size_t place, Command command, Cycle now) {
  HbmAccess &access = buffer.oldest(place);
  Bank &bank = banks[access.bank];
  switch (command) {
  case Precharge:
    count(access, command);
    bank.openRow = kClosed;
    bank.other = Activate;
    break;
  case Activate:
    count(access, command);
    bank.openRow = access.row;
    bank.other = Precharge;
    opening.push_back(access);
    buffer.eraseOldest(place);
    break;
  default:
    transfer(access, now);
    buffer.eraseOldest(place);
    return;
  }
  applyTiming(command, bank, now);
}

/// The row of ACCESS is open: reads or writes.
void HbmChannel::transfer(HbmAccess &access, Cycle now) {
  Command command = access.isWrite ? Write : Read;
  count(access, command);
  if (!access.isWrite)
    finish(access, now + delays.readDone);
  applyTiming(command, banks[access.bank], now);
}

void HbmChannel::count(HbmAccess &access, Command command) {
  if (!access.isCounted) {
    access.isCounted = true;
    ++(command == Read || command == Write ? counters.dramRowHits : counters.dramRowMisses);
  }
  if (command == Read || command == Write) {
    counters.dramBytes += accessBytes;
    counters.dramBusyCycles += burst;
  }
}

void HbmChannel::applyTiming(Command command, Bank &bank, Cycle now) {
  Times &pseudo = *bank.pseudo;
  Times &group = *bank.group;
  Times &own = bank.times;
  switch (command) {
  case Activate: {
    for (Times &times : pseudoTimes) { // the command takes two cycles
      notBefore(times[Activate], now + 2);
      notBefore(times[Precharge], now + 2);
    }
    notBefore(pseudo[Activate], now + delays.rrdShort);
    notBefore(group[Activate], now + delays.rrdLong);
    notBefore(own[Activate], now + delays.rc);
    notBefore(own[Read], now + delays.rcd);
    notBefore(own[Write], now + delays.rcd);
    notBefore(own[Precharge], now + delays.ras);
    ActivateHistory &history = activates[size_t(&pseudo - pseudoTimes.data())];
    history.at[history.count++ & 3] = now;
    if (history.count >= 4) // of five, the last is a window after the first
      notBefore(pseudo[Activate], history.at[history.count & 3] + delays.faw);
    break;
  }
  case Precharge:
    notBefore(own[Activate], now + delays.rp);
    break;
  case Read:
    notBefore(pseudo[Read], now + delays.ccdShort);
    notBefore(pseudo[Write], now + delays.readToWrite);
    notBefore(group[Read], now + delays.ccdLong);
    notBefore(own[Precharge], now + delays.readToPrecharge);
    break;
  default:
    notBefore(pseudo[Write], now + delays.ccdShort);
    notBefore(pseudo[Read], now + delays.writeToRead);
    notBefore(group[Write], now + delays.ccdLong);
    notBefore(group[Read], now + delays.writeToReadLong);
    notBefore(own[Precharge], now + delays.writeRecovered);
    break;
  }
}

} // namespace vx::sim
