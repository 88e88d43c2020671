// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/trace/CommitTrace.h"
#include "intrinsics/isa/Disassembler.h"
#include "intrinsics/text/Hex.h"
#include <bit>
#include <cerrno>
#include <cstring>

namespace vx::sim {

namespace {

constexpr size_t kSectionBuffer = size_t(1) << 14;

} // namespace

CommitTrace::~CommitTrace() {
  if (spool)
    std::fclose(spool);
}

Result<void> CommitTrace::open(const std::string &path) {
  spool = std::tmpfile();
  if (!spool)
    return Failure{std::string("cannot create a temporary file: ") + std::strerror(errno)};
  return file.open(path);
}

void CommitTrace::describeRuns(const std::string &name, CodeMap &map) {
  kernel = name;
  code = &map;
}

std::string CommitTrace::title(const InsnLife &life) const {
  const Warp &group = device.cores[life.core].warps[life.slot];
  std::string text = "# core " + std::to_string(life.core) + " warp " + std::to_string(life.warp);
  if (uint32_t lane = group.base % device.lanes)
    text += " from lane " + std::to_string(lane);
  return text + "\n";
}

/// "  a0=0x1" or nothing.
std::string CommitTrace::writtenRegister(const InsnLife &life) const {
  const isa::FormatInfo &form = isa::info(life.op).form();
  isa::Fields word{life.word};
  bool isFloat = form.writesF, isInteger = form.writesX && word.rd() != 0;
  bool readsCounter = form.immediate == isa::Field::Csr && isa::isCounterCsr(word.csr());
  if ((!isInteger && !isFloat) || readsCounter)
    return {};
  const Core &core = device.cores[life.core];
  const uint64_t *lanes = (isFloat ? core.f.data() : core.x.data()) +
                          size_t(word.rd()) * device.stride + core.warps[life.slot].base;
  auto valueOf = [&](unsigned lane) {
    uint64_t value = lanes[lane];
    return isInteger && device.config.xlen == 32 ? uint32_t(value) : value;
  };
  bool areEqual = true;
  uint64_t first = life.mask ? valueOf(unsigned(std::countr_zero(life.mask))) : 0;
  for (uint64_t rest = life.mask; rest; rest &= rest - 1)
    areEqual &= valueOf(unsigned(std::countr_zero(rest))) == first;
  std::string text = std::string("  ") +
                     (isFloat ? isa::detail::kFpNames : isa::detail::kIntNames)[word.rd()] + "=" +
                     hexText(first);
  if (!areEqual)
    for (uint64_t rest = life.mask & (life.mask - 1); rest; rest &= rest - 1)
      text += "," + hexText(valueOf(unsigned(std::countr_zero(rest))));
  return text;
}

void CommitTrace::scheduled(const InsnLife &life) {
  if (!window.contains(base + life.scheduled, life.core, life.warp))
    return;
  Section &section = sections[{life.core, life.slot}];
  if (section.title.empty())
    section.title = title(life);
  bool stopped = device.trap.cause != TrapCause::None;
  section.buffer += hexText(code->linkedAddress(life.pc)) + " " + hexText(life.mask) + " " +
                    code->disassemble(life.pc, life.word) +
                    (stopped ? "  stopped" : writtenRegister(life)) + "\n";
  if (section.buffer.size() >= kSectionBuffer)
    spill(section);
}

void CommitTrace::spill(Section &section) {
  section.spooled.push_back({spoolBytes, section.buffer.size()});
  failed |=
      std::fwrite(section.buffer.data(), 1, section.buffer.size(), spool) != section.buffer.size();
  spoolBytes += section.buffer.size();
  section.buffer.clear();
}

void CommitTrace::copySpooled(const Chunk &chunk) {
  std::string text(chunk.size, '\0');
  failed |= fseeko(spool, off_t(chunk.offset), SEEK_SET) != 0 ||
            std::fread(text.data(), 1, text.size(), spool) != text.size();
  file.append(text);
}

void CommitTrace::runEnded(Cycle cycles) {
  file.append("# run " + std::to_string(++runs) + (kernel.empty() ? "" : ": kernel " + kernel) +
              "\n");
  for (auto &[key, section] : sections) {
    file.append(section.title);
    for (const Chunk &chunk : section.spooled)
      copySpooled(chunk);
    file.append(section.buffer);
  }
  sections.clear();
  spoolBytes = 0;
  failed |= fseeko(spool, 0, SEEK_SET) != 0;
  base += cycles;
  file.flush();
}

Result<void> CommitTrace::finish() {
  Result<void> closed = file.close();
  if (closed && failed)
    return Failure{"the temporary file of the commit trace could not be written or read"};
  return closed;
}

} // namespace vx::sim
