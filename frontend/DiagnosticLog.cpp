// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/DiagnosticLog.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {
namespace {

StringRef severityName(Severity s) {
  switch (s) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  case Severity::Fatal:
    return "fatal error";
  }
  llvm_unreachable("covered switch");
}

raw_ostream::Colors severityColor(Severity s) {
  switch (s) {
  case Severity::Note:
    return raw_ostream::CYAN;
  case Severity::Warning:
    return raw_ostream::MAGENTA;
  default:
    return raw_ostream::RED;
  }
}

/// Returns "place: severity: message" with the colours of clang.
std::string render(Severity severity, StringRef place, StringRef message, bool colors) {
  std::string text;
  raw_string_ostream os(text);
  os.enable_colors(colors);
  os.changeColor(raw_ostream::SAVEDCOLOR, true) << place << ": ";
  os.changeColor(severityColor(severity), true) << severityName(severity) << ": ";
  os.resetColor();
  os.changeColor(raw_ostream::SAVEDCOLOR, true) << message;
  os.resetColor();
  os << '\n';
  return text;
}

/// Returns the source line with a caret below COLUMN, or nothing if the file cannot be read.
std::string snippet(StringRef file, unsigned line, unsigned column) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer || line == 0)
    return "";
  StringRef rest = (*buffer)->getBuffer();
  for (unsigned i = 1; i < line; ++i)
    rest = rest.split('\n').second;
  StringRef sourceLine = rest.split('\n').first.rtrim('\r');
  std::string number = utostr(line);
  std::string text = " " + number + " | " + sourceLine.str() + "\n";
  if (column == 0 || column > sourceLine.size() + 1)
    return text;
  text += std::string(number.size() + 1, ' ') + " | ";
  for (char c : sourceLine.take_front(column - 1))
    text += c == '\t' ? '\t' : ' ';
  return text + "^\n";
}

/// Returns INFO as one of the kinds that know a place in the source, or null.
const DiagnosticInfoWithLocationBase *asLocated(const DiagnosticInfo &info) {
  switch (info.getKind()) {
  case DK_Unsupported:
  case DK_GenericWithLoc:
  case DK_ResourceLimit:
  case DK_StackSize:
  case DK_OptimizationFailure:
    return static_cast<const DiagnosticInfoWithLocationBase *>(&info);
  default:
    return nullptr;
  }
}

void writeString(raw_ostream &os, StringRef s) {
  char size[4];
  support::endian::write32le(size, static_cast<uint32_t>(s.size()));
  os << StringRef(size, 4) << s;
}

bool readString(StringRef &bytes, std::string &out) {
  if (bytes.size() < 4)
    return false;
  uint32_t size = support::endian::read32le(bytes.data());
  bytes = bytes.drop_front(4);
  if (bytes.size() < size)
    return false;
  out = bytes.take_front(size).str();
  bytes = bytes.drop_front(size);
  return true;
}

} // namespace

void DiagnosticLog::append(Entry entry) {
  warnings += entry.severity == Severity::Warning;
  fatal |= errors == 0 && entry.severity == Severity::Fatal;
  errors += entry.severity >= Severity::Error;
  keys.insert(entry.key);
  entries.push_back(std::move(entry));
}

void DiagnosticLog::add(Severity severity, StringRef key, StringRef text) {
  if (severity == Severity::Note && !entries.empty()) {
    entries.back().text += text;
    return;
  }
  append({severity, key.str(), text.str()});
}

void DiagnosticLog::addPlain(Severity severity, const Twine &message) {
  std::string m = message.str();
  append({severity, m, render(severity, "vxcc", m, colors)});
}

void DiagnosticLog::add(const DiagnosticInfo &info) {
  Severity severity = Severity::Error;
  switch (info.getSeverity()) {
  case DS_Error:
    break;
  case DS_Warning:
    severity = Severity::Warning;
    break;
  case DS_Note:
    severity = Severity::Note;
    break;
  case DS_Remark:
    return;
  }
  std::string message;
  raw_string_ostream os(message);
  DiagnosticPrinterRawOStream printer(os);
  const DiagnosticInfoWithLocationBase *located = asLocated(info);
  std::string place = "vxcc", source;
  if (located && located->isLocationAvailable()) {
    std::string file = located->getAbsolutePath();
    unsigned line = 0, column = 0;
    StringRef name;
    located->getLocation(name, line, column);
    if (severity == Severity::Warning && systemHeaders.contains(name))
      return;
    place = (name + ":" + Twine(line) + ":" + Twine(column)).str();
    if (withSource)
      source = snippet(file, line, column);
  }
  if (const auto *unsupported = dyn_cast<DiagnosticInfoUnsupported>(&info))
    os << unsupported->getMessage();
  else
    info.print(printer);
  // print() of a located diagnostic starts with the place itself.
  StringRef shown = message;
  shown.consume_front(place + ": ");
  // Inlining, instances of templates and variants of a kernel are copies of one place.
  std::string key = place + ":" + shown.str();
  if (located && keys.count(key))
    return;
  append({severity, key, render(severity, place, shown, colors) + source});
}

void DiagnosticLog::merge(const DiagnosticLog &other) {
  // Within OTHER equal keys are not compared: clang has decided that it wants to repeat itself.
  const std::set<std::string> known = keys;
  for (const Entry &e : other.entries)
    if (!known.count(e.key))
      append(e);
}

void DiagnosticLog::flush(raw_ostream &os) {
  for (; flushed < entries.size(); ++flushed)
    os << entries[flushed].text;
  os.flush();
}

void DiagnosticLog::printSummary(raw_ostream &os) const {
  if (!warnings && !errors)
    return;
  if (warnings)
    os << warnings << " warning" << (warnings == 1 ? "" : "s");
  if (warnings && errors)
    os << " and ";
  if (errors)
    os << errors << " error" << (errors == 1 ? "" : "s");
  os << " generated.\n";
}

std::string DiagnosticLog::serialize() const {
  std::string bytes;
  raw_string_ostream os(bytes);
  for (const Entry &e : entries) {
    os << static_cast<char>(e.severity);
    writeString(os, e.key);
    writeString(os, e.text);
  }
  return bytes;
}

bool DiagnosticLog::deserialize(StringRef bytes) {
  while (!bytes.empty()) {
    Entry e;
    e.severity = static_cast<Severity>(bytes.front());
    bytes = bytes.drop_front();
    if (e.severity > Severity::Fatal || !readString(bytes, e.key) || !readString(bytes, e.text))
      return false;
    append(std::move(e));
  }
  return true;
}

} // namespace vx
