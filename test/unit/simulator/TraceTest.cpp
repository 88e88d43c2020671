// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writers of traces, driven by hand.

#include "simulator/trace/KonataTrace.h"
#include "simulator/trace/PerfettoTrace.h"
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace vx::sim {
namespace {

/// A file of its own that goes away with the test.
class TempFile {
public:
  TempFile() {
    static int count = 0;
    path = (std::filesystem::temp_directory_path() /
            ("vx-trace-test-" + std::to_string(getpid()) + "-" + std::to_string(count++)))
               .string();
  }
  ~TempFile() { std::filesystem::remove(path); }
  std::string text() const {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  std::string path;
};

constexpr uint32_t kNop = 0x13;

/// An instruction that is scheduled in START and in each stage for a cycle.
InsnLife life(uint64_t id, Cycle start, uint32_t core = 0, uint32_t warp = 0) {
  InsnLife l;
  l.id = id;
  l.core = core;
  l.slot = l.warp = warp;
  l.op = isa::decode(kNop, 64)->op;
  l.word = kNop;
  l.pc = 0x80000000 + 4 * id;
  l.mask = 0xf;
  l.size = 4;
  l.scheduled = start;
  l.fetched = start + 1;
  l.decoded = start + 2;
  l.issued = start + 3;
  l.dispatched = start + 4;
  l.executed = start + 5;
  l.completed = start + 6;
  l.committed = start + 7;
  return l;
}

struct Window {
  const char *cycles = "", *cores = "", *warps = "";
  operator TraceWindow() const {
    SimConfig config;
    config.traceCycles = cycles;
    config.traceCores = cores;
    config.traceWarps = warps;
    return TraceWindow(config);
  }
};

std::vector<std::vector<std::string>> fields(const std::string &text) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream parts(line);
    auto &row = lines.emplace_back();
    for (std::string part; std::getline(parts, part, '\t');)
      row.push_back(part);
  }
  return lines;
}

/// The contents of a file for a reader of the format: each instruction's stages with their cycles.
struct Konata {
  struct Insn {
    std::string label, stages;
    int64_t retired = -1;
    bool flushed = false;
  };
  std::map<uint64_t, Insn> insns;
  std::string error;

  explicit Konata(const std::string &text) {
    auto lines = fields(text);
    int64_t cycle = -1;
    if (lines.empty() || lines[0] != std::vector<std::string>{"Kanata", "0004"})
      error = "no header";
    for (size_t i = 1; i < lines.size() && error.empty(); ++i)
      read(lines[i], cycle);
  }

  void read(const std::vector<std::string> &f, int64_t &cycle) {
    if (f[0] == "C=" && f.size() == 2 && cycle < 0)
      cycle = std::stoll(f[1]);
    else if (f[0] == "C" && f.size() == 2 && cycle >= 0 && std::stoll(f[1]) > 0)
      cycle += std::stoll(f[1]);
    else if (f[0] == "I" && f.size() == 4 && cycle >= 0 && std::stoull(f[1]) == insns.size())
      insns[std::stoull(f[1])];
    else if (!insns.contains(std::stoull(f[1])))
      error = "unknown instruction in " + f[0];
    else if (f[0] == "L" && f.size() == 4 && (f[2] == "0" || f[2] == "1"))
      insns[std::stoull(f[1])].label += f[3] + ";";
    else if (f[0] == "S" && f.size() == 4 && f[2] == "0")
      insns[std::stoull(f[1])].stages += f[3] + std::to_string(cycle) + " ";
    else if (f[0] == "R" && f.size() == 4) {
      insns[std::stoull(f[1])].retired = cycle;
      insns[std::stoull(f[1])].flushed = f[3] == "1";
    } else
      error = "bad line " + f[0];
  }
};

class KonataFile {
public:
  explicit KonataFile(TraceWindow window = {}) : trace(window) {
    EXPECT_TRUE(trace.open(file.path));
    trace.describeRuns("k", code);
    trace.runStarted();
  }
  Konata finish(Cycle cycles) {
    trace.runEnded(cycles);
    EXPECT_TRUE(trace.finish());
    return Konata(file.text());
  }
  TempFile file;
  CodeMap code{64};
  KonataTrace trace;
};

TEST(Konata, StagesFollowEachOther) {
  KonataFile f;
  f.trace.scheduled(life(0, 10));
  f.trace.committed(life(0, 10));
  Konata read = f.finish(20);
  EXPECT_EQ(read.error, "");
  ASSERT_EQ(read.insns.size(), 1u);
  EXPECT_EQ(read.insns[0].stages, "F10 D11 Ib12 Op13 Ds14 X15 Cm16 ");
  EXPECT_EQ(read.insns[0].retired, 17);
  EXPECT_FALSE(read.insns[0].flushed);
  EXPECT_NE(read.insns[0].label.find("addi zero, zero, 0"), std::string::npos);
}

TEST(Konata, EventsOfOverlappingInstructionsAreInOrder) {
  KonataFile f;
  InsnLife slow = life(0, 1), quick = life(1, 3);
  slow.committed = 100;
  f.trace.scheduled(slow);
  f.trace.scheduled(quick);
  f.trace.committed(quick); // before an older one
  f.trace.committed(slow);
  Konata read = f.finish(101);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.insns[1].retired, 10);
  EXPECT_EQ(read.insns[0].retired, 100);
}

TEST(Konata, StagesWithoutACycleAreLeftOut) {
  KonataFile f;
  InsnLife l = life(0, 1);
  l.dispatched = l.issued;
  f.trace.scheduled(l);
  f.trace.committed(l);
  EXPECT_EQ(f.finish(9).insns[0].stages, "F1 D2 Ib3 Ds4 X6 Cm7 ");
}

TEST(Konata, UnfinishedInstructionsAreFlushed) {
  KonataFile f;
  f.trace.scheduled(life(0, 5));
  Konata read = f.finish(8);
  EXPECT_EQ(read.error, "");
  EXPECT_TRUE(read.insns[0].flushed);
  EXPECT_EQ(read.insns[0].retired, 8);
}

TEST(Konata, WindowByCycleIncludesItsEdges) {
  KonataFile f(Window{"5:7"});
  for (Cycle c : {4, 5, 6, 7, 8})
    f.trace.scheduled(life(c, c));
  for (Cycle c : {4, 5, 6, 7, 8})
    f.trace.committed(life(c, c));
  Konata read = f.finish(20);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.insns.size(), 3u);
  EXPECT_EQ(read.insns[0].stages.substr(0, 3), "F5 ");
  EXPECT_EQ(read.insns[2].stages.substr(0, 3), "F7 ");
}

TEST(Konata, WindowByCoreAndWarp) {
  KonataFile f(Window{"", "1", "0+2:3"});
  uint64_t id = 0;
  for (uint32_t core : {0, 1, 2})
    for (uint32_t warp : {0, 1, 2, 3, 4})
      f.trace.scheduled(life(id++, 1, core, warp));
  EXPECT_EQ(f.finish(3).insns.size(), 3u);
}

TEST(Konata, CyclesGoOnInTheNextRun) {
  KonataFile f;
  f.trace.scheduled(life(0, 10));
  f.trace.committed(life(0, 10));
  f.trace.runEnded(100);
  f.trace.runStarted();
  f.trace.scheduled(life(0, 10));
  f.trace.committed(life(0, 10));
  Konata read = f.finish(50);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.insns[0].retired, 17);
  EXPECT_EQ(read.insns[1].retired, 117);
}

TEST(Konata, MemoryDoesNotDependOnTheLengthOfTheRun) {
  // What has been written is in the file although the run continues.
  KonataFile f;
  for (uint64_t i = 0; i < 10000; ++i) {
    f.trace.scheduled(life(i, i * 10));
    f.trace.committed(life(i, i * 10));
  }
  EXPECT_GT(f.file.text().size(), 1000000u);
  EXPECT_EQ(f.finish(100000).error, "");
}

/// Returns true if brackets and braces outside of strings match: enough to see a file that was cut.
bool isBalanced(const std::string &json) {
  std::string open;
  bool inString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      open += c;
    } else if (c == ']' || c == '}') {
      if (open.empty() || open.back() != (c == ']' ? '[' : '{'))
        return false;
      open.pop_back();
    }
  }
  return open.empty() && !inString;
}

size_t occurrences(const std::string &text, const std::string &what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

class PerfettoFile {
public:
  explicit PerfettoFile(TraceWindow window = {}) : trace(window) {
    EXPECT_TRUE(trace.open(file.path));
    trace.describeRuns("a \"kernel\"\n", code);
    trace.runStarted();
  }
  std::string finish(Cycle cycles) {
    trace.runEnded(cycles);
    EXPECT_TRUE(trace.finish());
    EXPECT_TRUE(isBalanced(file.text()));
    return file.text();
  }
  TempFile file;
  CodeMap code{64};
  PerfettoTrace trace;
};

TEST(Perfetto, InstructionsStallsAndRuns) {
  PerfettoFile f;
  f.trace.scheduled(life(0, 10));
  f.trace.stalled(0, StallCause::Memory, 0x80000000, 11, 2);
  f.trace.stalled(0, StallCause::Memory, 0x80000000, 13, 4); // continues
  f.trace.stalled(0, StallCause::Fetch, 0, 17, 1);
  f.trace.committed(life(0, 10));
  std::string text = f.finish(30);
  EXPECT_NE(text.find(R"("name":"addi","pid":1,"tid":256,"ts":10,"dur":7)"), std::string::npos);
  EXPECT_NE(text.find(R"("name":"memory","pid":1,"tid":1,"ts":11,"dur":6)"), std::string::npos);
  EXPECT_NE(text.find(R"("name":"fetch","pid":1,"tid":1,"ts":17,"dur":1)"), std::string::npos);
  EXPECT_NE(text.find(R"("name":"a \"kernel\"\u000a","pid":0,"tid":1,"ts":0,"dur":30)"),
            std::string::npos);
}

TEST(Perfetto, InstructionsUnderWayTogetherLieOnTracksOfTheirOwn) {
  PerfettoFile f;
  f.trace.scheduled(life(0, 1));
  f.trace.scheduled(life(1, 2));
  f.trace.committed(life(0, 1));
  f.trace.scheduled(life(2, 8));
  f.trace.committed(life(1, 2));
  f.trace.committed(life(2, 8));
  std::string text = f.finish(30);
  EXPECT_NE(text.find(R"("tid":257,"ts":2,)"), std::string::npos);
  EXPECT_NE(text.find(R"("tid":256,"ts":8,)"), std::string::npos);
  EXPECT_EQ(text.find(R"("tid":258)"), std::string::npos);
}

TEST(Perfetto, Window) {
  PerfettoFile f(Window{"5:7", "0", "1"});
  for (Cycle c : {4, 5, 6, 7, 8})
    for (uint32_t warp : {0, 1}) {
      f.trace.scheduled(life(c * 2 + warp, c, 0, warp));
      f.trace.committed(life(c * 2 + warp, c, 0, warp));
    }
  f.trace.stalled(0, StallCause::Fetch, 0, 4, 1);
  f.trace.stalled(1, StallCause::Fetch, 0, 5, 1);
  std::string text = f.finish(30);
  EXPECT_EQ(occurrences(text, R"("cat":"insn")"), 3u);
  EXPECT_EQ(occurrences(text, R"("cat":"stall")"), 0u);
}

TEST(Perfetto, TheFileIsCompleteWhileTheRunGoesOn) {
  PerfettoFile f;
  size_t last = 0, grew = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    f.trace.scheduled(life(i, i));
    f.trace.committed(life(i, i));
    std::string text = f.file.text();
    if (text.size() == last)
      continue;
    last = text.size();
    ++grew;
    ASSERT_TRUE(isBalanced(text)) << "after " << i;
  }
  EXPECT_GT(grew, 3u);
  f.finish(3000);
}

TEST(TraceFile, NamesWhatItCannotWrite) {
  TraceFile file;
  Result<void> opened = file.open("/no/such/folder/trace");
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("/no/such/folder/trace"), std::string::npos);
  if (std::filesystem::exists("/dev/full")) {
    ASSERT_TRUE(file.open("/dev/full"));
    file.append("text");
    EXPECT_FALSE(file.close());
  }
}

TEST(Ranges, Forms) {
  auto parse = [](const char *text) { return *Ranges::parse(text); };
  EXPECT_TRUE(parse("").contains(7));
  EXPECT_TRUE(parse("7").contains(7));
  EXPECT_FALSE(parse("7").contains(8));
  EXPECT_TRUE(parse("3:7").contains(3));
  EXPECT_TRUE(parse("3:7").contains(7));
  EXPECT_FALSE(parse("3:7").contains(2));
  EXPECT_FALSE(parse("3:7").contains(8));
  EXPECT_TRUE(parse("100:").contains(~uint64_t(0)));
  EXPECT_FALSE(parse(":9").contains(10));
  EXPECT_TRUE(parse("1+5:6").contains(6));
  EXPECT_FALSE(parse("1+5:6").contains(2));
  for (const char *bad : {"a", ":", "5:3", "1+", "+1", "1,2", "-1", "99999999999999999999"})
    EXPECT_FALSE(Ranges::parse(bad)) << bad;
}

} // namespace
} // namespace vx::sim
