// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/trace/PerfettoTrace.h"
#include "intrinsics/isa/Disassembler.h"
#include "intrinsics/text/Hex.h"
#include "simulator/stats/Escape.h"
#include <bit>

namespace vx::sim {

namespace {

constexpr uint64_t kDeviceProcess = 0, kKernelThread = 1, kStallThread = 1;
/// Threads of the device's process.
constexpr uint64_t kMarkThread = 2, kFirstRangeThread = 3;
/// Threads of warp W: from (W + 1) * kThreadsPerWarp on.
constexpr uint64_t kThreadsPerWarp = 256;

uint64_t processOf(uint32_t core) {
  return uint64_t(core) + 1;
}

std::string field(const char *name, uint64_t value) {
  return std::string(",\"") + name + "\":" + std::to_string(value);
}

std::string place(uint64_t process, uint64_t thread) {
  return field("pid", process) + field("tid", thread);
}

std::string formatRatio(uint64_t part, uint64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", whole ? double(part) / double(whole) : 0.0);
  return text;
}

} // namespace

Result<void> PerfettoTrace::open(const std::string &path) {
  Result<void> opened = file.open(path, "\n]}\n");
  if (!opened)
    return opened;
  file.append("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"unit\":\"1 us is one cycle\"},"
              "\"traceEvents\":[");
  event(R"("ph":"M","name":"process_name")" + place(kDeviceProcess, 0) +
        R"(,"args":{"name":"device"})");
  event(R"("ph":"M","name":"thread_name")" + place(kDeviceProcess, kKernelThread) +
        R"(,"args":{"name":"kernel"})");
  return {};
}

void PerfettoTrace::event(const std::string &fields) {
  file.append((isFirst ? "\n{" : ",\n{") + fields + "}"); // at once: the file is valid after it
  isFirst = false;
}

void PerfettoTrace::nameThread(uint32_t core, uint64_t thread, const std::string &name) {
  std::string where = place(processOf(core), thread);
  event(R"("ph":"M","name":"thread_name")" + where + ",\"args\":{\"name\":" + jsonString(name) +
        "}");
  event(R"("ph":"M","name":"thread_sort_index")" + where +
        ",\"args\":{\"sort_index\":" + std::to_string(thread) + "}");
}

PerfettoTrace::CoreTracks &PerfettoTrace::tracksOf(uint32_t core) {
  auto [found, isNew] = cores.try_emplace(core);
  if (isNew) {
    event(R"("ph":"M","name":"process_name")" + place(processOf(core), 0) +
          ",\"args\":{\"name\":\"core " + std::to_string(core) + "\"}");
    nameThread(core, kStallThread, "issue stalls");
  }
  return found->second;
}

void PerfettoTrace::describeRuns(const std::string &name, CodeMap &map) {
  kernel = name;
  code = &map;
  annotations = {};
}

void PerfettoTrace::annotate(const RunAnnotations &said) {
  annotations = said;
}

void PerfettoTrace::runStarted() {
  for (const std::string &mark : annotations.marks)
    event(R"("ph":"i","s":"p","cat":"mark","name":)" + jsonString(mark) +
          place(kDeviceProcess, kMarkThread) + field("ts", base));
  for (auto &[core, tracks] : cores)
    for (auto &[warp, list] : tracks.warps)
      for (Track &track : list)
        track.isTaken = false;
}

void PerfettoTrace::scheduled(const InsnLife &life) {
  if (!window.contains(base + life.scheduled, life.core, life.warp))
    return;
  std::vector<Track> &list = tracksOf(life.core).warps[life.warp];
  size_t i = 0;
  while (i < list.size() && list[i].isTaken)
    ++i;
  if (i == list.size()) {
    if (i == kThreadsPerWarp)
      return;
    list.emplace_back();
    nameThread(life.core, (life.warp + 1) * kThreadsPerWarp + i,
               "warp " + std::to_string(life.warp));
  }
  list[i] = {life.id, true};
}

void PerfettoTrace::committed(const InsnLife &life) {
  auto core = cores.find(life.core);
  if (core == cores.end())
    return;
  auto warp = core->second.warps.find(life.warp);
  if (warp == core->second.warps.end())
    return;
  for (size_t i = 0; i < warp->second.size(); ++i) {
    Track &track = warp->second[i];
    if (!track.isTaken || track.insn != life.id)
      continue;
    track.isTaken = false;
    count(life.core, core->second, life);
    // The next instruction of the track may start in the cycle after this one's last.
    std::string line = R"("ph":"X","cat":"insn","name":)" +
                       jsonString(isa::info(life.op).mnemonic) +
                       place(processOf(life.core), (life.warp + 1) * kThreadsPerWarp + i) +
                       field("ts", base + life.scheduled) +
                       field("dur", std::max<Cycle>(life.committed - life.scheduled, 1)) +
                       ",\"args\":{\"insn\":" + jsonString(code->disassemble(life.pc, life.word)) +
                       ",\"pc\":\"" + hexText(code->linkedAddress(life.pc)) +
                       "\",\"at\":" + jsonString(code->at(life.pc).text()) + ",\"mask\":\"" +
                       hexText(life.mask) + "\"";
    const std::pair<const char *, Cycle> stages[] = {
        {"fetched", life.fetched},       {"decoded", life.decoded},   {"issued", life.issued},
        {"dispatched", life.dispatched}, {"executed", life.executed}, {"completed", life.completed},
        {"committed", life.committed},
    };
    for (auto [name, cycle] : stages)
      line += field(name, base + cycle);
    event(line + "}");
    return;
  }
}

/// One value per interval and counter; intervals without a commit are shown as 0.
void PerfettoTrace::count(uint32_t core, CoreTracks &tracks, const InsnLife &life) {
  Cycle interval = (base + life.committed) / kInterval * kInterval;
  if (interval != tracks.interval) {
    flushCounters(core, tracks);
    if (interval > tracks.interval + kInterval) {
      tracks.interval += kInterval;
      flushCounters(core, tracks);
    }
    tracks.interval = interval;
  }
  ++tracks.instructions;
  tracks.lanes += uint64_t(std::popcount(life.mask));
}

void PerfettoTrace::flushCounters(uint32_t core, CoreTracks &tracks) {
  std::string where = place(processOf(core), 0) + field("ts", tracks.interval);
  event(R"("ph":"C","name":"instructions per cycle")" + where +
        ",\"args\":{\"ipc\":" + formatRatio(tracks.instructions, kInterval) + "}");
  event(R"("ph":"C","name":"active lanes")" + where +
        ",\"args\":{\"lanes\":" + formatRatio(tracks.lanes, tracks.instructions) + "}");
  tracks.instructions = tracks.lanes = 0;
}

void PerfettoTrace::stalled(uint32_t core, StallCause cause, uint64_t pc, Cycle first,
                            Cycle cycles) {
  first += base;
  if (!window.containsCycle(first) || !window.containsCore(core))
    return;
  Stall &stall = tracksOf(core).stall;
  if (stall.cycles && stall.cause == cause && stall.pc == pc &&
      stall.first + stall.cycles == first) {
    stall.cycles += cycles;
    return;
  }
  flushStall(core, stall);
  stall = {cause, pc, first, cycles};
}

void PerfettoTrace::flushStall(uint32_t core, Stall &stall) {
  if (stall.cycles == 0)
    return;
  event(std::string(R"("ph":"X","cat":"stall","name":")") + toString(stall.cause) + "\"" +
        place(processOf(core), kStallThread) + field("ts", stall.first) +
        field("dur", stall.cycles) + ",\"args\":{\"pc\":\"" +
        hexText(stall.pc ? code->linkedAddress(stall.pc) : 0) +
        "\",\"at\":" + jsonString(stall.pc ? code->at(stall.pc).text() : "") + "}");
  stall.cycles = 0;
}

void PerfettoTrace::runEnded(Cycle cycles) {
  for (auto &[core, tracks] : cores) {
    flushStall(core, tracks.stall);
    if (tracks.instructions)
      flushCounters(core, tracks);
  }
  event(R"("ph":"X","cat":"run","name":)" + jsonString(kernel.empty() ? "run" : kernel) +
        place(kDeviceProcess, kKernelThread) + field("ts", base) + field("dur", cycles));
  for (const RunAnnotations::Range &range : annotations.ranges) {
    Range &known = ranges.try_emplace(range.id, Range{range.track, range.name, base}).first->second;
    known.end = base + cycles;
    ++known.runs;
  }
  base += cycles;
  file.flush();
}

/// Ranges of a thread lie inside each other, on a track of the thread; those of the process may
/// overlap in any way.
void PerfettoTrace::writeRanges() {
  std::map<std::string, uint64_t> threads;
  for (const auto &[id, range] : ranges) {
    std::string args = ",\"args\":{\"runs\":" + std::to_string(range.runs) + "}";
    std::string name = R"(,"cat":"range","name":)" + jsonString(range.name);
    if (range.track.empty()) {
      std::string where = place(kDeviceProcess, kMarkThread) + field("id", id);
      event(R"("ph":"b")" + name + where + field("ts", range.first) + args);
      event(R"("ph":"e")" + name + where + field("ts", range.end));
      continue;
    }
    auto [thread, isNew] = threads.try_emplace(range.track, kFirstRangeThread + threads.size());
    if (isNew)
      event(R"("ph":"M","name":"thread_name")" + place(kDeviceProcess, thread->second) +
            ",\"args\":{\"name\":" + jsonString(range.track) + "}");
    event(R"("ph":"X")" + name + place(kDeviceProcess, thread->second) + field("ts", range.first) +
          field("dur", range.end - range.first) + args);
  }
  ranges.clear();
}

Result<void> PerfettoTrace::finish() {
  writeRanges();
  return file.close();
}

} // namespace vx::sim
