// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/trace/KonataTrace.h"
#include "intrinsics/isa/Disassembler.h"
#include "intrinsics/text/Hex.h"
#include <algorithm>

namespace vx::sim {

namespace {

/// Tabs and line ends separate fields and lines of the file.
std::string oneField(std::string text) {
  for (char &c : text)
    if (uint8_t(c) < 0x20)
      c = ' ';
  return text;
}

} // namespace

Result<void> KonataTrace::open(const std::string &path) {
  Result<void> opened = file.open(path);
  if (opened)
    file.append("Kanata\t0004\n");
  return opened;
}

void KonataTrace::describeRuns(const std::string &name, CodeMap &map) {
  kernel = oneField(name);
  code = &map;
}

void KonataTrace::runStarted() {
  forget();
}

void KonataTrace::forget() {
  pending.clear();
  starts.clear();
}

void KonataTrace::scheduled(const InsnLife &life) {
  Cycle cycle = base + life.scheduled;
  if (!window.contains(cycle, life.core, life.warp))
    return;
  uint64_t id = nextId++;
  pending[{life.core, life.id}] = {id, cycle};
  starts.insert(cycle);
  std::string number = std::to_string(id), prefix = "L\t" + number;
  std::string text = "I\t" + number + "\t" + std::to_string(life.id) + "\t" +
                     std::to_string(life.warp) + "\n" + prefix + "\t0\t" +
                     hexText(code->linkedAddress(life.pc)) + " " +
                     code->disassemble(life.pc, life.word) + "\n";
  text += prefix + "\t1\tcore " + std::to_string(life.core) + " warp " + std::to_string(life.warp) +
          " mask " + hexText(life.mask) + "/" + std::to_string(life.size) + " " +
          oneField(code->at(life.pc).text());
  if (!kernel.empty())
    text += " in " + kernel;
  add(cycle, text + "\nS\t" + number + "\t0\tF\n");
}

/// F: fetch, D: decode, Ib: instruction buffer, Op: operands, Ds: dispatch, X: execute, Cm: commit.
void KonataTrace::addStages(uint64_t id, const InsnLife &life) {
  const std::pair<const char *, Cycle> stages[] = {{"D", life.fetched},  {"Ib", life.decoded},
                                                   {"Op", life.issued},  {"Ds", life.dispatched},
                                                   {"X", life.executed}, {"Cm", life.completed}};
  Cycle last = life.scheduled;
  for (size_t i = 0; i < std::size(stages); ++i) {
    Cycle next = i + 1 < std::size(stages) ? stages[i + 1].second : life.committed;
    if (stages[i].second < last || stages[i].second >= next)
      continue; // it was not a cycle in this stage
    last = stages[i].second;
    add(base + last, "S\t" + std::to_string(id) + "\t0\t" + stages[i].first + "\n");
  }
}

void KonataTrace::committed(const InsnLife &life) {
  auto found = pending.find({life.core, life.id});
  if (found == pending.end())
    return;
  auto [id, start] = found->second;
  addStages(id, life);
  add(base + life.committed,
      "R\t" + std::to_string(id) + "\t" + std::to_string(retired++) + "\t0\n");
  pending.erase(found);
  starts.erase(starts.find(start));
  drain(starts.empty() ? base + life.committed : *starts.begin());
}

/// Writes what lies before END: nothing can be added there any more.
void KonataTrace::drain(Cycle end) {
  while (!events.empty() && events.top().cycle < end) {
    const Event &event = events.top();
    if (!started)
      file.append("C=\t" + std::to_string(event.cycle) + "\n");
    else if (event.cycle > written)
      file.append("C\t" + std::to_string(event.cycle - written) + "\n");
    started = true;
    written = event.cycle;
    file.append(event.text);
    events.pop();
  }
}

void KonataTrace::runEnded(Cycle cycles) {
  for (const auto &[key, insn] : pending)
    add(std::max(base + cycles, insn.scheduled), "R\t" + std::to_string(insn.id) + "\t0\t1\n");
  drain(kNever);
  forget();
  base += cycles;
  file.flush();
}

Result<void> KonataTrace::finish() {
  return file.close();
}

} // namespace vx::sim
