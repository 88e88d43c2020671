// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/Debugger.h"
#include "intrinsics/abi/AddressMap.h"
#include "simulator/api/ElfImage.h"
#include "simulator/api/TrapText.h"
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace vx::sim {

namespace {

/// Instructions between two looks at the line while the program runs.
constexpr unsigned kLookInterval = 1024;
/// The time to wait on the line before checking if the host wants to continue.
constexpr int kWaitMilliseconds = 100;

/// gdb's numbers of signals.
enum Signal : unsigned {
  kNone = 0,
  kInterrupted = 2,
  kIllegal = 4,
  kTrap = 5,
  kAbort = 6,
  kBus = 10,
  kSegment = 11,
  kTimeLimit = 24,
};

unsigned signalOf(const TrapReport &trap) {
  switch (trap.cause) {
  case TrapCause::None:
    return kNone;
  case TrapCause::IllegalInstruction:
  case TrapCause::UnguardedDivergence:
  case TrapCause::IpdomOverflow:
  case TrapCause::IpdomUnderflow:
  case TrapCause::BadBarrier:
  case TrapCause::BadWarpSpawn:
  case TrapCause::TileMisuse:
    return kIllegal;
  case TrapCause::MemoryAccess:
  case TrapCause::FetchAccess:
  case TrapCause::StackOverflow:
    return kSegment;
  case TrapCause::Misaligned:
    return kBus;
  case TrapCause::Breakpoint:
    return kTrap;
  case TrapCause::EnvironmentCall:
    return kAbort;
  case TrapCause::BarrierDeadlock:
  case TrapCause::NoProgress:
  case TrapCause::CycleLimit:
    return kTimeLimit;
  case TrapCause::Interrupted:
    return kInterrupted;
  }
  return kTrap;
}

std::string describeTrap(const TrapReport &trap) {
  std::string text = trap.cause == TrapCause::EnvironmentCall && trap.code == VX_ECALL_ASSERT
                         ? "assertion failed"
                         : summarize(trap);
  return trap.detail.empty() ? text : text + ": " + trap.detail;
}

/// The lane that TRAP names, as a thread.
uint64_t threadOf(const TrapReport &trap, const Device &device) {
  uint64_t first = trap.groupThreads ? trap.groupStart : uint64_t(trap.warp) * device.lanes;
  return uint64_t(trap.core) * device.config.numWarps * device.lanes + first + trap.lane + 1;
}

/// Bytes that an instruction of the load/store unit accesses: bits 13:12 are the logarithm in all
/// of them.
unsigned accessBytes(uint32_t word) {
  return 1u << (word >> 12 & 3);
}

/// The device that has the debugger.
std::atomic<const Debugger *> holder = nullptr;

} // namespace

Result<std::unique_ptr<Debugger>> Debugger::create(Device &device,
                                                   std::function<bool()> isStopping) {
  const std::string &address = device.config.gdb;
  if (address.empty())
    return std::unique_ptr<Debugger>();
  if (holder) {
    std::fputs("VX_GDB: gdb has the device that was opened first; this one runs without it\n",
               stderr);
    return std::unique_ptr<Debugger>();
  }
  Result<std::shared_ptr<Connection>> connection = Connection::listen(address);
  if (!connection)
    return Failure{"debug.gdb (VX_GDB): " + connection.error().message};
  std::unique_ptr<Debugger> debugger(
      new Debugger(device, std::move(*connection), std::move(isStopping)));
  holder = debugger.get();
  return debugger;
}

Debugger::Debugger(Device &device, std::shared_ptr<Connection> connection,
                   std::function<bool()> isStopping)
    : device(device), connection(std::move(connection)), isStopping(std::move(isStopping)),
      session(device) {}

Debugger::~Debugger() {
  holder = nullptr;
}

// --- runs ----------------------------------------------------------------------------------------

void Debugger::describeRun(const RunInfo &info) {
  session.lanes.setLaunch(info.launch);
  session.tables.describeRun(info);
  if (!info.image || info.file.empty())
    return;
  uint64_t lowest = ~uint64_t(0);
  for (const ImageSegment &segment : info.image->segments())
    lowest = std::min(lowest, segment.address);
  hasNewLibrary |= session.images.add(info.file, lowest + info.slide, info.slide);
}

void Debugger::runStarted() {
  session.lanes.reset();
  session.tables.runStarted();
  if (!connection->isOurs())
    return; // a forked process: gdb has the other one
  if (connection->expectsClient()) {
    std::fprintf(stderr, "VX_GDB: waiting for gdb-multiarch -ex 'target remote %s'\n",
                 connection->address().c_str());
    while (!connection->accept(kWaitMilliseconds) && !isStopping()) {
    }
    if (isAttached()) {
      hasNewLibrary = false; // it asks for all of them
      session.reset();
      session.stopped(kTrap, session.lanes.threads().front(), "");
      serve();
    }
    return;
  }
  if (isAttached() && std::exchange(hasNewLibrary, false))
    stop(kTrap, session.lanes.threads().front(), "library:;");
}

void Debugger::runEnded() {
  const TrapReport &trap = device.trap;
  if (isAttached() && trap.cause != TrapCause::None && !isStopping()) {
    say(describeTrap(trap));
    stop(signalOf(trap), threadOf(trap, device), "");
  }
  session.resumption = {}; // steps end with the run
}

void Debugger::idle() {
  if (!connection->isOurs() || !connection->accept(0))
    return;
  session.reset();
  session.stopped(kInterrupted, session.lanes.threads().front(), "");
  serve();
}

// --- instructions --------------------------------------------------------------------------------

/// Returns true if gdb lets a lane of WARP run, and so all of them.
bool Debugger::letsRun(const Core &core, const Warp &warp) const {
  const Resumption &resumption = session.resumption;
  if (resumption.movesAll())
    return true;
  for (unsigned lane = 0; lane < warp.size; ++lane)
    if (resumption.actionFor(session.lanes.threadOf(core, warp, lane)))
      return true;
  return false;
}

/// gdb counts on reports of threads only that it lets run.
uint64_t Debugger::reportable(uint64_t thread) const {
  const Resumption &resumption = session.resumption;
  return resumption.actionFor(thread) ? thread : resumption.actions.front().thread;
}

uint64_t Debugger::reportableLanes(const Core &core, const Warp &warp) const {
  uint64_t mask = warp.mask;
  if (!session.resumption.movesAll())
    for (unsigned lane = 0; lane < warp.size; ++lane)
      if (!session.resumption.actionFor(session.lanes.threadOf(core, warp, lane)))
        mask &= ~(uint64_t(1) << lane);
  return mask;
}

bool Debugger::holdsBack() {
  if (std::exchange(isNewHold, false))
    return true;
  if (session.resumption.movesAll())
    return false;
  if (std::exchange(lends, true))
    session.resumption.actions.push_back({}); // they wait at breakpoints
  return true;
}

/// THREAD if it is among the lanes of MASK, else the selected thread if it is, else the first one.
uint64_t Debugger::preferred(const Core &core, const Warp &warp, uint64_t mask,
                             uint64_t thread) const {
  uint64_t first = session.lanes.threadOf(core, warp, 0);
  for (uint64_t wanted : {thread, session.selected})
    if (wanted >= first && wanted - first < warp.size && mask >> (wanted - first) & 1)
      return wanted;
  return first + unsigned(std::countr_zero(mask));
}

/// The lane that POINT stops, 0: none.
uint64_t Debugger::hitBy(const Breakpoint &point, Core &core, Warp &warp) {
  uint64_t lanes = reportableLanes(core, warp);
  if (point.conditions.empty())
    return lanes ? preferred(core, warp, lanes, point.thread) : 0;
  uint64_t mask = 0;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    LaneRef at{&core, &warp, unsigned(std::countr_zero(rest))};
    LaneScope scope(session.lanes, at);
    // If a condition cannot be evaluated, gdb decides.
    if (std::ranges::any_of(point.conditions, [&](const std::string &code) {
          return evaluateCondition(code, scope).value_or(1) != 0;
        }))
      mask |= at.bit();
  }
  return mask ? preferred(core, warp, mask, point.thread) : 0;
}

/// Looks for requests of gdb.
void Debugger::look() {
  if (++sinceLook < kLookInterval)
    return;
  sinceLook = 0;
  std::optional<ClientEvent> event = connection->receive(0);
  wantsStop |= event && event->kind == ClientEvent::Kind::Interrupt;
  if (!isAttached())
    detach();
}

bool Debugger::before(Core &core, Warp &warp) {
  bool isHeld = !letsRun(core, warp);
  if (isHeld && (!lends || session.points.isBreakpoint(warp.pc)))
    return false;
  look();
  if (wantsStop && warp.mask)
    stop(kInterrupted, preferred(core, warp, warp.mask, 0));
  else if (isHeld || !(reportBreakpoint(core, warp) || reportWatchpoint(core, warp)))
    return true;
  return !isAttached() || letsRun(core, warp);
}

bool Debugger::reportBreakpoint(Core &core, Warp &warp) {
  const Breakpoint *point = session.points.breakpointAt(warp.pc);
  uint64_t thread = point ? hitBy(*point, core, warp) : 0;
  if (thread)
    stop(kTrap, thread, "swbreak:;");
  return thread != 0;
}

void Debugger::after(Core &core, Warp &warp, const InsnTrace &trace) {
  if (device.trap.cause != TrapCause::None || device.exitCode)
    return;
  session.lanes.executed(core, warp, trace);
  if (warp.state != WarpState::Ready && reportWait(core, warp, trace))
    return;
  reportStep(core, warp, trace);
}

/// The warp has to wait, or has ended. A step to a breakpoint of gdb's own after the instruction
/// ends now: others, which are held back until then, may have to come first.
bool Debugger::reportWait(Core &core, Warp &warp, const InsnTrace &trace) {
  for (const Resumption::Action &action : session.resumption.actions) {
    if (action.thread == 0)
      return false; // none is held back
    std::optional<LaneRef> at = session.lanes.find(action.thread);
    if (!at || at->core != &core || at->warp != &warp || !(trace.mask & at->bit()) ||
        !session.points.breakpointAt(session.lanes.pc(*at)))
      continue;
    stop(kTrap, action.thread, "swbreak:;");
    return true;
  }
  return false;
}

/// gdb takes the report for one of the instruction that is about to access the place, and looks for
/// changes after it.
bool Debugger::reportWatchpoint(Core &core, Warp &warp) {
  isa::Fields fields{};
  std::span<uint8_t> word(reinterpret_cast<uint8_t *>(&fields.word), sizeof fields.word);
  if (!session.points.hasWatchpoints() || !device.memory.read(warp.pc, word))
    return false;
  const isa::InsnInfo *row = isa::decode(fields.word, device.config.xlen);
  isa::Memory memory = row ? row->form().memory : isa::Memory::None;
  if (!isa::hasAddress(memory))
    return false;
  bool reads = memory != isa::Memory::Store;
  bool writes = memory == isa::Memory::Store || memory == isa::Memory::Atomic;
  int64_t offset = fields[row->form().immediate];
  for (uint64_t rest = reportableLanes(core, warp); rest; rest &= rest - 1) {
    LaneRef at{&core, &warp, unsigned(std::countr_zero(rest))};
    uint64_t address = session.lanes.readRegister(at, fields.rs1()) + uint64_t(offset);
    if (device.config.xlen == 32)
      address = uint32_t(address);
    const Watchpoint *point =
        session.points.watchpointFor(address, accessBytes(fields.word), reads, writes);
    if (!point)
      continue;
    const char *kind = point->kind == WatchKind::Write  ? "watch"
                       : point->kind == WatchKind::Read ? "rwatch"
                                                        : "awatch";
    char text[40];
    std::snprintf(text, sizeof text, "%s:%llx;", kind,
                  static_cast<unsigned long long>(point->address));
    stop(kTrap, session.lanes.threadOf(at), text);
    return true;
  }
  return false;
}

/// Stops if a lane that executed the instruction is to make a step, and is where it ends.
void Debugger::reportStep(Core &core, Warp &warp, const InsnTrace &trace) {
  for (const Resumption::Action &action : session.resumption.actions) {
    if (!action.steps)
      continue;
    std::optional<LaneRef> at = session.lanes.find(action.thread);
    if (!at || at->core != &core || at->warp != &warp || !(trace.mask & at->bit()))
      continue;
    uint64_t pc = session.lanes.pc(*at);
    if (pc >= action.from && pc < action.to)
      continue;
    return stop(kTrap, action.thread);
  }
}

// --- stopped -------------------------------------------------------------------------------------

void Debugger::stop(unsigned signal, uint64_t thread, std::string_view fields) {
  wantsStop = false;
  connection->send(session.stopped(signal, reportable(thread), fields));
  serve();
}

/// Answers gdb until it lets the program continue.
void Debugger::serve() {
  while (isAttached() && !isStopping()) {
    std::optional<ClientEvent> event = connection->receive(kWaitMilliseconds);
    if (!event || event->kind != ClientEvent::Kind::Packet)
      continue;
    Session::Answer answer = session.answer(event->text);
    switch (answer.next) {
    case Session::Next::Resume:
      isNewHold = true;
      lends = false;
      if (session.resumption.movesAll())
        session.points.forgetRemoved();
      return;
    case Session::Next::Answer:
      connection->send(answer.text);
      if (answer.endsAcknowledgements)
        connection->stopAcknowledging();
      break;
    case Session::Next::Detach:
      connection->send(answer.text);
      connection->close();
      break;
    case Session::Next::Kill:
      if (!answer.text.empty())
        connection->send(answer.text);
      kill(getpid(), SIGKILL); // what gdb's user has asked for
      return;
    }
  }
  if (!isAttached())
    detach();
}

/// gdb has gone: the program continues without it, until one comes again.
void Debugger::detach() {
  session.reset();
  wantsStop = false;
}

/// Shows LINE in gdb.
void Debugger::say(const std::string &line) {
  connection->send("O" + hexOfText("vx: " + line + "\n"));
}

} // namespace vx::sim
