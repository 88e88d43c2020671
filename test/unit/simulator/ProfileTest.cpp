// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source profile: what is counted where, and its two reports.

#include "simulator/profile/ProfileReport.h"
#include "simulator/stats/Escape.h"
#include <gtest/gtest.h>

namespace vx::sim {
namespace {

constexpr uint32_t kNop = 0x13;

InsnLife life(uint64_t pc, Cycle issued, uint64_t mask = 0xff) {
  InsnLife l;
  l.word = kNop;
  l.op = isa::decode(kNop, 64)->op;
  l.pc = pc;
  l.mask = mask;
  l.size = 8;
  l.issued = issued;
  l.executed = issued + 2;
  l.committed = issued + 5;
  return l;
}

class ProfileTest : public ::testing::Test {
protected:
  CodeMap code{64};
  Profiler profiler{"unused"};
};

TEST_F(ProfileTest, CyclesAreIssuesAndStalls) {
  profiler.describeRuns("k", code);
  profiler.runStarted();
  profiler.committed(life(0x100, 0));
  profiler.committed(life(0x100, 1, 0x0f));
  profiler.stalled(0, StallCause::Memory, 0x104, 2, 6);
  profiler.committed(life(0x104, 8));
  profiler.stalled(0, StallCause::Control, 0, 9, 5);
  profiler.runEnded(14);
  ASSERT_EQ(profiler.kernels().size(), 1u);
  const KernelProfile &kernel = profiler.kernels()[0];
  EXPECT_EQ(kernel.cycles, 14u);
  EXPECT_EQ(kernel.coreCycles, 14u);
  ProfileTable table(kernel);
  EXPECT_DOUBLE_EQ(table.cycles, 14);
  EXPECT_DOUBLE_EQ(table.cyclesPerIssue, 1);
  EXPECT_DOUBLE_EQ(lanePercent(kernel.insns.at(0x100).counts), 75);
  EXPECT_EQ(kernel.insns.at(0x104).counts.stalls[unsigned(StallCause::Memory)], 6u);
}

TEST_F(ProfileTest, SeveralIssuesInACycleShareIt) {
  profiler.describeRuns("k", code);
  profiler.runStarted();
  for (int i = 0; i < 4; ++i)
    profiler.committed(life(0x100 + 4 * i, 0));
  profiler.stalled(0, StallCause::Scoreboard, 0x100, 1, 9);
  profiler.runEnded(10);
  ProfileTable table(profiler.kernels()[0]);
  EXPECT_DOUBLE_EQ(table.cycles, 10);
  EXPECT_DOUBLE_EQ(table.cyclesPerIssue, 0.25);
}

TEST_F(ProfileTest, CoresAddUpAndEndByThemselves) {
  profiler.describeRuns("k", code);
  profiler.runStarted();
  profiler.stalled(0, StallCause::Fetch, 0x100, 0, 10);
  profiler.stalled(1, StallCause::Fetch, 0x100, 0, 4);
  profiler.runEnded(10);
  EXPECT_EQ(profiler.kernels()[0].coreCycles, 14u);
}

TEST_F(ProfileTest, KernelsAreKeptApartAndRunsOfOneTogether) {
  for (const char *name : {"a", "b", "a"}) {
    profiler.describeRuns(name, code);
    profiler.runStarted();
    profiler.committed(life(0x100, 1));
    profiler.runEnded(*name == 'a' ? 10 : 100);
  }
  ASSERT_EQ(profiler.kernels().size(), 2u);
  EXPECT_EQ(profiler.kernels()[0].runs, 2u);
  EXPECT_EQ(profiler.kernels()[0].cycles, 20u);
  std::string text = ProfileReport(profiler.kernels()).toText();
  EXPECT_LT(text.find("=== b"), text.find("=== a")); // the costlier one first
  EXPECT_NE(text.find("(unknown function)"), std::string::npos);
  EXPECT_EQ(text.find("(no instruction)"), std::string::npos);
}

TEST_F(ProfileTest, LatencyOfMemoryInstructions) {
  profiler.describeRuns("k", code);
  profiler.runStarted();
  InsnLife load = life(0x100, 1);
  load.unit = isa::Unit::Lsu;
  profiler.committed(load);
  load.committed += 10;
  profiler.committed(load);
  profiler.runEnded(20);
  EXPECT_DOUBLE_EQ(accessLatency(profiler.kernels()[0].insns.at(0x100).counts), 8);
}

TEST_F(ProfileTest, TextsInHtmlAreEscaped) {
  profiler.describeRuns("f<int>(char const*) & \"g\"", code);
  profiler.runStarted();
  profiler.committed(life(0x100, 1));
  profiler.runEnded(2);
  std::string html = ProfileReport(profiler.kernels()).toHtml();
  EXPECT_NE(html.find("f&lt;int&gt;(char const*) &amp; &quot;g&quot;"), std::string::npos);
  EXPECT_EQ(html.find("f<int>"), std::string::npos);
  EXPECT_NE(html.find("addi zero, zero, 0"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos); // nothing from elsewhere
  EXPECT_EQ(html.find("<script"), std::string::npos);
}

TEST_F(ProfileTest, LongPlacesAreCutShortInHtml) {
  profiler.describeRuns("k", code);
  profiler.runStarted();
  profiler.committed(life(0x100, 1));
  profiler.runEnded(2);
  std::string html = ProfileReport(profiler.kernels()).toHtml();
  EXPECT_NE(html.find("td.p{max-width:"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"s p\" title=\"(unknown function)\">(unknown function)</td>"),
            std::string::npos)
      << "the whole text of a place without a file is its title";
}

TEST_F(ProfileTest, NothingWasRun) {
  ProfileReport report(profiler.kernels());
  EXPECT_NE(report.toText().find("Nothing was run"), std::string::npos);
  EXPECT_NE(report.toHtml().find("Nothing was run"), std::string::npos);
}

TEST(Escape, Json) {
  EXPECT_EQ(jsonString("a\"b\\c\n\x01"), R"("a\"b\\c\u000a\u0001")");
}

TEST(Escape, Html) {
  EXPECT_EQ(htmlText("<a href='x'>&\"</a>"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;");
}

TEST(Stats, NamesInJsonAreEscaped) {
  sim::KernelStats kernel;
  kernel.name = "a\\b\"c\n";
  std::string report = sim::formatReport("json", {kernel}, {}, {}, "d\\e");
  EXPECT_NE(report.find("\"name\": \"a\\\\b\\\"c\\u000a\""), std::string::npos) << report;
  EXPECT_NE(report.find("\"device\": \"d\\\\e\""), std::string::npos);
}

TEST(CodeMap, NamesOfEntries) {
  EXPECT_EQ(readableName("__vx_entry.direct._Z5scalePfi"), "scale(float*, int) [direct]");
  EXPECT_EQ(readableName("_start"), "_start");
  CodeMap map(64);
  EXPECT_EQ(map.at(0x80000000).text(), "");
  EXPECT_EQ(map.disassemble(0x80000000, kNop), "addi zero, zero, 0");
}

} // namespace
} // namespace vx::sim
