// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line table of version 4, written by hand; whole images with version 5 are in test/simulator.

#include "simulator/api/LineTable.h"
#include "test/unit/simulator/ElfBuilder.h"
#include <gtest/gtest.h>
#include <random>

using namespace vx::sim;
using namespace vx::sim::test;

namespace {

/// a.c with line 10 at 0x80000000, line 12 at 0x80000008, end at 0x80000010.
const std::vector<uint8_t> kTwoLines = {0, 9, 2, 0, 0, 0, 0x80, 0, 0, 0, 0, // address
                                        3, 9, 1,                            // line += 9, row
                                        2, 8, 3, 2, 1,  // +8 bytes, +2 lines, row
                                        2, 8, 0, 1, 1}; // +8 bytes, end

/// Returns one unit, with PROGRAM after its header.
std::vector<uint8_t> lineUnit(const std::vector<uint8_t> &program = kTwoLines) {
  std::vector<uint8_t> header = {1,   1,   1,   0xfb, 14, 13,                   // parameters
                                 0,   1,   1,   1,    1,  0,  0, 0, 1, 0, 0, 1, // operand counts
                                 'd', 0,   0,                                   // directory 1
                                 'a', '.', 'c', 0,    1,  0,  0, 0}; // file 1 in directory 1
  std::vector<uint8_t> unit = {0, 0, 0, 0, 4, 0, uint8_t(header.size()), 0, 0, 0};
  unit.insert(unit.end(), header.begin(), header.end());
  unit.insert(unit.end(), program.begin(), program.end());
  unit[0] = uint8_t(unit.size() - 4);
  return unit;
}

/// An image with UNIT as its .debug_line.
ElfImage imageWith(const std::vector<uint8_t> &unit) {
  std::vector<uint8_t> file = ElfBuilder().build();
  Elf64_Shdr section{};
  section.sh_type = SHT_PROGBITS;
  section.sh_offset = file.size();
  section.sh_size = unit.size();
  section.sh_name = 26;
  // The builder's last section becomes this one, under its new name.
  std::memcpy(file.data() + ElfBuilder::kSectionsAt + 3 * sizeof section, &section, sizeof section);
  std::memcpy(file.data() + ElfBuilder::kNamesAt + 26, ".debug_line", 12);
  file.insert(file.end(), unit.begin(), unit.end());
  auto image = ElfImage::parse(file);
  EXPECT_TRUE(bool(image));
  return *image;
}

TEST(LineTable, FindsLines) {
  LineTable table(imageWith(lineUnit()));
  EXPECT_EQ(table.find(0x80000000).file, "d/a.c");
  EXPECT_EQ(table.find(0x80000000).line, 10u);
  EXPECT_EQ(table.find(0x80000004).line, 10u);
  EXPECT_EQ(table.find(0x80000008).line, 12u);
  EXPECT_EQ(table.find(0x8000000c).line, 12u);
  EXPECT_EQ(table.find(0x80000010).file, "");
  EXPECT_EQ(table.find(0x7fffffff).file, "");
}

TEST(LineTable, ReadsDiscriminators) {
  LineTable table(imageWith(lineUnit({0, 9, 2, 0, 0, 0,    0x80, 0, 0, 0, 0, // address
                                      0, 2, 4, 3, 1,                         // a row of 3
                                      2, 4, 1,                               // one of none
                                      2, 4, 0, 3, 4, 0x80, 1,    1,          // and of 128
                                      2, 4, 0, 1, 1})));
  EXPECT_EQ(table.find(0x80000000).discriminator, 3u);
  EXPECT_EQ(table.find(0x80000004).discriminator, 0u);
  EXPECT_EQ(table.find(0x80000008).discriminator, 128u);
}

TEST(LineTable, NoOperationGoesBack) {
  // A row, then an operation whose length leads to where it begins, modulo 2^64.
  LineTable table(imageWith(
      lineUnit({1, 0, 0xf4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x80, 1})));
  EXPECT_FALSE(table.empty());
}

TEST(LineTable, EntriesWithoutBytesEndAUnit) {
  // Version 5: directories of no columns, and more of them than memory has room for.
  std::vector<uint8_t> unit = {0, 0,    0,    0,    5,    0,    8,    0,    20, 0, 0, 0, // lengths
                               1, 1,    1,    0xfb, 14,   1, // parameters
                               0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0,  0};
  unit[0] = uint8_t(unit.size() - 4);
  EXPECT_TRUE(LineTable(imageWith(unit)).empty());
}

TEST(LineTable, DamageIsHarmless) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    std::vector<uint8_t> unit = lineUnit();
    for (unsigned k = 0; k <= random() % 4; ++k)
      unit[random() % unit.size()] = uint8_t(random());
    if (random() % 4 == 0)
      unit.resize(random() % unit.size());
    LineTable table(imageWith(unit));
    table.find(random());
    table.find(0x80000008);
  }
}

} // namespace
