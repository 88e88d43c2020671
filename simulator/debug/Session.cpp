// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/Session.h"
#include "simulator/check/Text.h"
#include "simulator/stats/Escape.h"
#include <algorithm>

namespace vx::sim {

namespace {

constexpr std::string_view kFeatures =
    "PacketSize=8000;QStartNoAckMode+;vContSupported+;swbreak+;ConditionalBreakpoints+;"
    "qXfer:features:read+;qXfer:threads:read+;qXfer:libraries:read+;qXfer:exec-file:read+";
/// The errors are: the request is not valid; memory is not accessible; there is no such thread.
constexpr std::string_view kInvalid = "E16", kFault = "E0e", kNoThread = "E03";
/// Bytes of memory that one packet may ask for: twice as many digits fit into an answer.
constexpr uint64_t kMaxMemoryBytes = 1 << 14;

std::string plainHex(uint64_t value) {
  return hexText(value).substr(2);
}

Session::Answer invalid() {
  return {Session::Next::Answer, std::string(kInvalid)};
}
Session::Answer ok() {
  return {Session::Next::Answer, "OK"};
}

/// A thread's number, or "-1" for all (0 here, as "0", any).
uint64_t readThread(FieldReader &fields) {
  return fields.skip("-1") ? 0 : fields.number();
}

uint64_t littleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = std::min<size_t>(bytes.size(), 8); i-- > 0;)
    value = value << 8 | uint8_t(bytes[i]);
  return value;
}

} // namespace

const Resumption::Action *Resumption::actionFor(uint64_t thread) const {
  for (const Action &action : actions)
    if (action.thread == 0 || action.thread == thread)
      return &action;
  return nullptr;
}

std::optional<LaneRef> Session::current() const {
  return const_cast<Lanes &>(lanes).find(selected);
}

std::string Session::stopped(unsigned signal, uint64_t thread, std::string_view fields) {
  selected = reported = thread;
  char start[8];
  std::snprintf(start, sizeof start, "T%02x", signal & 0xff);
  lastStop = start;
  if (std::optional<LaneRef> at = lanes.find(thread))
    for (unsigned number : {kSpNumber, kFpNumber, kPcNumber})
      lastStop += hexOfBytes(std::initializer_list<uint8_t>{uint8_t(number)}) + ":" +
                  lanes.registerText(*at, number) + ";";
  lastStop += "thread:" + plainHex(thread) + ";" + std::string(fields);
  return lastStop;
}

void Session::reset() {
  points.clear();
  resumption = {};
  stepThread = 0;
}

Session::Answer Session::answer(std::string_view packet) {
  FieldReader fields(packet);
  for (std::string_view name :
       {"vCont?", "vCont", "vFile:", "vKill", "qSupported", "QStartNoAckMode"})
    if (packet.starts_with(name)) {
      fields.skip(name);
      return answerNamed(name, fields);
    }
  if (packet.empty())
    return {};
  char first = packet.front();
  fields.skip(packet.substr(0, 1));
  switch (first) {
  case '?':
    return {Next::Answer, lastStop};
  case 'c':
  case 'C':
  case 's':
  case 'S':
    return resumeOld(first, fields);
  case 'D':
    return {Next::Detach, "OK"};
  case 'g':
    return readRegisters();
  case 'G':
    return writeRegisters(fields);
  case 'H':
    return selectThread(fields);
  case 'k':
    return {Next::Kill, ""};
  case 'm':
    return readMemory(fields);
  case 'M':
  case 'X':
    return writeMemory(fields, first == 'X');
  case 'p':
    return readRegister(fields);
  case 'P':
    return writeRegister(fields);
  case 'q':
    return query(fields);
  case 'T':
    return lanes.find(fields.number()) && fields.isComplete()
               ? ok()
               : Answer{Next::Answer, std::string(kNoThread)};
  case 'Z':
  case 'z':
    return changePoint(first == 'Z', fields);
  default:
    return {}; // not known: an empty answer
  }
}

/// Answers a packet whose type is a word, NAME.
Session::Answer Session::answerNamed(std::string_view name, FieldReader fields) {
  if (name == "vCont?")
    return {Next::Answer, "vCont;c;C;s;S;r"};
  if (name == "vCont")
    return resume(fields);
  if (name == "vFile:")
    return {Next::Answer, images.answerFileRequest(fields.remaining())};
  if (name == "vKill")
    return {Next::Kill, "OK"};
  if (name == "qSupported")
    return {Next::Answer, std::string(kFeatures)};
  return {Next::Answer, "OK", /*endsAcknowledgements=*/true};
}

// --- queries -------------------------------------------------------------------------------------

Session::Answer Session::query(FieldReader fields) {
  if (fields.skip("Xfer:"))
    return readObject(fields);
  if (fields.skip("Rcmd,")) {
    std::optional<std::string> request = bytesOfHex(fields.remaining());
    return request ? Answer{Next::Answer, hexOfText(tables.answer(*request, selected))} : invalid();
  }
  if (fields.skip("ThreadExtraInfo,")) {
    std::optional<LaneRef> at = lanes.find(fields.number());
    if (!at || !fields.isComplete())
      return {Next::Answer, std::string(kNoThread)};
    return {Next::Answer, hexOfText(lanes.name(*at) + ", " + lanes.state(*at))};
  }
  std::string_view name = fields.remaining();
  if (name == "C")
    return {Next::Answer, "QC" + plainHex(selected)};
  if (name.starts_with("Attached"))
    return {Next::Answer, "1"}; // gdb detaches when the user quits
  if (name.starts_with("Symbol"))
    return ok();
  if (name == "fThreadInfo") {
    std::string text = "m";
    for (uint64_t thread : threads())
      text += (text.size() > 1 ? "," : "") + plainHex(thread);
    return {Next::Answer, text};
  }
  if (name == "sThreadInfo")
    return {Next::Answer, "l"};
  return {};
}

/// gdb drops the threads that are not there, even the one that it has just been told of.
std::vector<uint64_t> Session::threads() {
  std::vector<uint64_t> all = lanes.threads();
  if (auto place = std::lower_bound(all.begin(), all.end(), reported);
      place == all.end() || *place != reported)
    all.insert(place, reported);
  return all;
}

std::string Session::threadList() {
  std::string text = "<threads>";
  for (uint64_t thread : threads())
    if (std::optional<LaneRef> at = lanes.find(thread))
      text += "<thread id=\"" + plainHex(thread) + "\" core=\"" + std::to_string(at->core->id) +
              "\" name=\"" + htmlText(lanes.name(*at)) + "\">" + htmlText(lanes.state(*at)) +
              "</thread>";
  return text + "</threads>";
}

/// qXfer:OBJECT:read:ANNEX:OFFSET,LENGTH.
Session::Answer Session::readObject(FieldReader fields) {
  std::string_view name = fields.until(':'), action = fields.until(':'), annex = fields.until(':');
  uint64_t offset = fields.number();
  fields.expect(',');
  uint64_t length = fields.number();
  if (!fields.isComplete() || action != "read")
    return invalid();
  if (name == "features" && annex == "target.xml")
    object = targetDescription(lanes.device.config.xlen, lanes.registers());
  else if (name == "libraries")
    object = images.libraries();
  else if (name == "exec-file")
    object = images.program();
  else if (name == "threads" && offset == 0)
    object = threadList();
  else if (name != "threads")
    return {};
  if (offset > object.size())
    return invalid();
  std::string part = object.substr(offset, std::min<uint64_t>(length, kMaxMemoryBytes));
  bool isLast = offset + part.size() == object.size();
  return {Next::Answer, (isLast ? "l" : "m") + part};
}

// --- registers and memory ------------------------------------------------------------------------

Session::Answer Session::selectThread(FieldReader fields) {
  bool isGeneral = fields.skip("g");
  if (!isGeneral && !fields.skip("c"))
    return invalid();
  uint64_t thread = readThread(fields);
  if (!fields.isComplete())
    return invalid();
  if (thread != 0 && !lanes.find(thread))
    return {Next::Answer, std::string(kNoThread)};
  if (!isGeneral)
    stepThread = thread;
  else if (thread != 0)
    selected = thread;
  return ok();
}

Session::Answer Session::readRegisters() const {
  std::optional<LaneRef> at = current();
  if (!at)
    return {Next::Answer, std::string(kNoThread)};
  std::string text;
  for (unsigned number = 0; number < lanes.registers().size(); ++number)
    text += lanes.registerText(*at, number);
  return {Next::Answer, text};
}

Session::Answer Session::writeRegisters(FieldReader fields) {
  std::optional<LaneRef> at = current();
  std::optional<std::string> bytes = bytesOfHex(fields.remaining());
  if (!at || !bytes)
    return invalid();
  std::string_view rest = *bytes;
  bool isWritten = true;
  for (unsigned number = 0; number < lanes.registers().size(); ++number) {
    size_t size = lanes.registers()[number].bits / 8;
    if (rest.size() < size)
      return invalid();
    isWritten &= lanes.writeRegister(*at, number, littleEndian(rest.substr(0, size)));
    rest.remove_prefix(size);
  }
  return isWritten && rest.empty() ? ok() : invalid();
}

Session::Answer Session::readRegister(FieldReader fields) const {
  std::optional<LaneRef> at = current();
  uint64_t number = fields.number();
  if (!at || !fields.isComplete() || number >= lanes.registers().size())
    return invalid();
  return {Next::Answer, lanes.registerText(*at, unsigned(number))};
}

Session::Answer Session::writeRegister(FieldReader fields) {
  std::optional<LaneRef> at = current();
  uint64_t number = fields.number();
  fields.expect('=');
  std::optional<std::string> bytes = bytesOfHex(fields.remaining());
  if (!at || fields.failed() || !bytes || number >= lanes.registers().size() ||
      bytes->size() != lanes.registers()[number].bits / 8)
    return invalid();
  return lanes.writeRegister(*at, unsigned(number), littleEndian(*bytes)) ? ok() : invalid();
}

Session::Answer Session::readMemory(FieldReader fields) const {
  uint64_t address = fields.number();
  fields.expect(',');
  uint64_t count = fields.number();
  std::optional<LaneRef> at = current();
  if (!fields.isComplete() || !at)
    return invalid();
  std::vector<uint8_t> bytes(std::min(count, kMaxMemoryBytes));
  bytes.resize(lanes.readMemory(*at, address, bytes));
  if (bytes.empty() && count != 0)
    return {Next::Answer, std::string(kFault)};
  return {Next::Answer, hexOfBytes(bytes)};
}

Session::Answer Session::writeMemory(FieldReader fields, bool isBinary) {
  uint64_t address = fields.number();
  fields.expect(',');
  uint64_t count = fields.number();
  fields.expect(':');
  std::optional<LaneRef> at = current();
  if (fields.failed() || !at)
    return invalid();
  std::optional<std::string> bytes =
      isBinary ? std::string(fields.remaining()) : bytesOfHex(fields.remaining());
  if (!bytes || bytes->size() != count)
    return invalid();
  std::span data(reinterpret_cast<const uint8_t *>(bytes->data()), bytes->size());
  return data.empty() || lanes.writeMemory(*at, address, data)
             ? ok()
             : Answer{Next::Answer, std::string(kFault)};
}

// --- stop points, resumption
// ----------------------------------------------------------------------

/// Reads TYPE,ADDRESS,SIZE, followed by conditions: ;XLENGTH,BYTECODEXLENGTH,BYTECODE…
Session::Answer Session::changePoint(bool inserts, FieldReader fields) {
  uint64_t type = fields.number();
  fields.expect(',');
  uint64_t address = fields.number();
  fields.expect(',');
  uint64_t size = fields.number();
  std::vector<std::string> conditions;
  fields.skip(";");
  while (!fields.failed() && fields.skip("X")) {
    uint64_t length = fields.number();
    fields.expect(',');
    std::string_view rest = fields.remaining();
    if (fields.failed() || rest.size() / 2 < length)
      return invalid();
    std::optional<std::string> code = bytesOfHex(rest.substr(0, length * 2));
    if (!code || !fields.skip(rest.substr(0, length * 2)))
      return invalid();
    conditions.push_back(std::move(*code));
  }
  if (fields.failed())
    return invalid();
  if (type > 4)
    return {};
  if (type <= 1) { // software and hardware breakpoints are the same here
    if (inserts)
      points.insertBreakpoint(address, std::move(conditions), selected);
    else
      points.removeBreakpoint(address);
    return ok();
  }
  Watchpoint point{type == 2   ? WatchKind::Write
                   : type == 3 ? WatchKind::Read
                               : WatchKind::Access,
                   address, size};
  if (inserts)
    points.insertWatchpoint(point);
  else
    points.removeWatchpoint(point);
  return ok();
}

/// vCont: ;ACTION[:THREAD]…
Session::Answer Session::resume(FieldReader fields) {
  Resumption wanted;
  wanted.actions.clear();
  while (fields.skip(";")) {
    Resumption::Action action;
    if (fields.skip("r")) {
      action.steps = true;
      action.from = fields.number();
      fields.expect(',');
      action.to = fields.number();
    } else if (bool steps = fields.skip("S"); steps || fields.skip("C")) {
      action.steps = steps;
      fields.number(); // a signal, which means nothing here
    } else {
      action.steps = fields.skip("s");
      if (!action.steps)
        fields.expect('c');
    }
    if (fields.skip(":"))
      action.thread = readThread(fields);
    if (fields.failed())
      return invalid();
    wanted.actions.push_back(action);
  }
  if (!fields.isComplete() || wanted.actions.empty())
    return invalid();
  resumption = std::move(wanted);
  return {Next::Resume, {}};
}

/// c, s and the like: [SIGNAL;][ADDRESS].
Session::Answer Session::resumeOld(char how, FieldReader fields) {
  if (how == 'C' || how == 'S') {
    fields.number();
    fields.skip(";");
  }
  if (!fields.remaining().empty()) {
    uint64_t address = fields.number();
    std::optional<LaneRef> at = current();
    if (!fields.isComplete() || !at || !lanes.writeRegister(*at, kPcNumber, address))
      return invalid();
  }
  if (fields.failed())
    return invalid();
  resumption = {};
  if (how == 's' || how == 'S')
    resumption.actions.insert(resumption.actions.begin(),
                              {stepThread ? stepThread : selected, true, 0, 0});
  return {Next::Resume, {}};
}

} // namespace vx::sim
