// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knobs: setting, ranges, files, and that all errors are reported together.

#include "simulator/api/Simulator.h"
#include <gtest/gtest.h>

using namespace vx;
using namespace vx::sim;

namespace {

std::string errorOf(const Result<void> &result) {
  return result ? "" : result.error().message;
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Config, DefaultsAreValid) {
  SimConfig config;
  EXPECT_EQ(config.numCores, 1u);
  EXPECT_EQ(config.numWarps, 4u);
  EXPECT_EQ(config.numThreads, 8u);
  EXPECT_EQ(config.xlen, 64u);
  EXPECT_TRUE(config.validate().empty());
}

TEST(Config, ApplySetsAKnob) {
  SimConfig config;
  EXPECT_EQ(errorOf(config.apply("core.num_warps", "0x10")), "");
  EXPECT_EQ(errorOf(config.apply("isa.warp", "off")), "");
  EXPECT_EQ(errorOf(config.apply("isa.zicond", "false")), "");
  EXPECT_EQ(config.numWarps, 16u);
  EXPECT_EQ(config.warpIsa, WarpIsa::Off);
  EXPECT_FALSE(config.zicond);
}

TEST(Config, ErrorsNameKeyValueAndRange) {
  SimConfig config;
  std::string error = errorOf(config.apply("core.num_threads", "33"));
  EXPECT_TRUE(contains(error, "core.num_threads") && contains(error, "33") &&
              contains(error, "1 to 32"))
      << error;
  EXPECT_EQ(config.numThreads, 8u);
  for (const char *value : {"", "-1", "4x", "1e3", "99999999999999999999", "0x"})
    EXPECT_NE(errorOf(config.apply("num_cores", value)), "") << value;
  EXPECT_TRUE(contains(errorOf(config.apply("isa.warp", "maybe")), "off|upstream|warp"));
  EXPECT_TRUE(contains(errorOf(config.apply("isa.zicond", "2")), "true or false"));
  EXPECT_TRUE(contains(errorOf(config.apply("no.such", "1")), "no.such"));
}

TEST(Config, ListsCollectAllErrors) {
  SimConfig config;
  std::string error = errorOf(config.applyList("num_cores=2,core.num_warps=0,bogus=1,word"));
  EXPECT_EQ(config.numCores, 2u);
  EXPECT_TRUE(contains(error, "core.num_warps") && contains(error, "bogus") &&
              contains(error, "word"))
      << error;
  EXPECT_EQ(errorOf(config.applyList("")), "");
}

TEST(Config, FilesCollectAllErrorsWithLines) {
  SimConfig config;
  std::string error = errorOf(config.loadText("num_cores = 3\n"
                                              "[core]\n"
                                              "num_warps = 8\n"
                                              "num_threads = 100\n"
                                              "color = \"red\"\n",
                                              "a.toml"));
  EXPECT_EQ(config.numCores, 3u);
  EXPECT_EQ(config.numWarps, 8u);
  EXPECT_TRUE(contains(error, "a.toml:4") && contains(error, "a.toml:5")) << error;
  EXPECT_TRUE(contains(errorOf(config.loadText("num_cores = \n", "b.toml")), "b.toml:1"));
  EXPECT_NE(errorOf(config.loadText("num_cores = [1, 2]\n", "c.toml")), "");
  EXPECT_TRUE(contains(errorOf(config.loadFile("/no/such/file")), "/no/such/file"));
}

TEST(Config, TablesWithoutAKeyAreErrors) {
  for (std::string_view text : {std::string_view("[\0]", 3), std::string_view("[[ \x01"),
                                std::string_view("[."), std::string_view("a.\x7f = 1")})
    EXPECT_FALSE(SimConfig().loadText(text, "text"));
}

TEST(Config, CharactersBeyondAsciiNeedQuotes) {
  SimConfig config;
  EXPECT_EQ(errorOf(config.loadText("\xef\xbb\xbf# gr\u00f6\u00dfe\ncheck.log = \"\u01ed\"\n"
                                    "check.save = '''\n\u3042''' # \u00e9\n",
                                    "a.toml")),
            "");
  EXPECT_EQ(config.checkLog, "\u01ed");
  EXPECT_EQ(config.checkSave, "\u3042");
  for (const char *text :
       {"num_cores = 3\n\u01edx = 1", "num_cores = 3\nnum_cores \u0430 = 2",
        "num_cores = 3\nnum_cores = 2x\"\u010a\"", "num_cores = 3\nnum_cores = 2=\"a\u047d"})
    EXPECT_TRUE(contains(errorOf(config.loadText(text, "b.toml")), "b.toml:2: ")) << text;
}

TEST(Config, TextsAreUtf8) {
  for (const char *text : {"\xec", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "a\xf8",
                           "\xf4\x90\x80\x80", "\xe3\x81x"})
    EXPECT_TRUE(contains(errorOf(SimConfig().apply("check.log", text)), "it is not UTF-8"));
  SimConfig config, copy;
  const std::string name = "\u00e4\u20ac\U0001f600\x7f\"";
  ASSERT_EQ(errorOf(config.apply("check.log", name)), "");
  ASSERT_EQ(errorOf(copy.loadText(config.dump(), "dump")), "");
  EXPECT_EQ(copy.checkLog, name);
}

TEST(Config, DumpReproducesTheConfiguration) {
  SimConfig config;
  ASSERT_EQ(errorOf(config.applyList("num_cores=7,core.num_threads=32,isa.warp=upstream,"
                                     "memory.stack_guard=false,run.max_cycles=5")),
            "");
  SimConfig copy;
  ASSERT_EQ(errorOf(copy.loadText(config.dump(), "dump")), "");
  EXPECT_EQ(copy.dump(), config.dump());
  EXPECT_EQ(copy.numCores, 7u);
  EXPECT_NE(copy.dump(), SimConfig().dump());
}

TEST(Config, CombinationsAreChecked) {
  SimConfig config;
  ASSERT_EQ(errorOf(config.applyList("isa.xlen=48,num_cores=1024,core.num_warps=64,"
                                     "core.num_threads=32,memory.stack_log2_size=20")),
            "");
  EXPECT_EQ(config.validate().size(), 2u);
  EXPECT_FALSE(bool(Simulator::create(config)));
}

} // namespace
