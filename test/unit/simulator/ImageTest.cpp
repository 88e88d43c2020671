// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images: what is accepted, and a clear error for what is not.

#include "simulator/api/Simulator.h"
#include "test/unit/simulator/ElfBuilder.h"
#include <gtest/gtest.h>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;

namespace {

std::string errorOf(const std::vector<uint8_t> &file) {
  Result<ElfImage> image = ElfImage::parse(file);
  return image ? "" : image.error().message;
}

void expectError(const std::vector<uint8_t> &file, const std::string &part) {
  std::string error = errorOf(file);
  EXPECT_NE(error.find(part), std::string::npos) << "'" << error << "' lacks '" << part << "'";
}

TEST(Image, GoodElf) {
  ElfBuilder builder;
  Result<ElfImage> image = ElfImage::parse(builder.build());
  ASSERT_TRUE(bool(image)) << image.error().message;
  EXPECT_EQ(image->entry(), 0x80000000u);
  EXPECT_EQ(image->xlen(), 64u);
  ASSERT_EQ(image->segments().size(), 2u);
  EXPECT_EQ(image->segments()[0].permission, kRead | kExecute);
  EXPECT_EQ(image->segments()[1].memorySize, 0x100u);
  const ImageSymbol *symbol = image->symbol("kernel");
  ASSERT_NE(symbol, nullptr);
  EXPECT_EQ(symbol->address, 0x80000004u);
  EXPECT_EQ(image->describe(0x80000006), "kernel+0x2");
  EXPECT_EQ(image->describe(0x80000100), "");
  EXPECT_EQ(image->symbol("nothing"), nullptr);
  auto table = image->section(".vx.kernels");
  EXPECT_EQ(std::string(table.begin(), table.end()), "table");
  EXPECT_TRUE(image->section(".none").empty());
}

TEST(Image, LoadsIntoASimulator) {
  Result<ElfImage> image = ElfImage::parse(ElfBuilder().build());
  ASSERT_TRUE(bool(image));
  auto simulator = Simulator::create(SimConfig());
  ASSERT_TRUE(bool(simulator));
  ASSERT_TRUE(bool(image->load(**simulator)));
  uint8_t bytes[4] = {1, 1, 1, 1};
  ASSERT_TRUE(bool((*simulator)->read(0x80001008, bytes))); // after the file's bytes: zero
  EXPECT_EQ(bytes[0] | bytes[3], 0);
}

TEST(Image, StackShiftIsWhatTheSymbolNames) {
  ElfBuilder builder;
  builder.symbolName = "__vx_stack_shift"; // at the second instruction
  builder.code[1] = 0x00d29293;            // slli t0, t0, 13
  Result<ElfImage> image = ElfImage::parse(builder.build());
  ASSERT_TRUE(bool(image)) << image.error().message;
  std::optional<ImageWord> shift = image->stackShift(20);
  ASSERT_TRUE(shift);
  EXPECT_EQ(shift->address, 0x80000004u);
  EXPECT_EQ(shift->word, 0x01429293u) << "slli t0, t0, 20";
  EXPECT_EQ(image->stackShift(9)->word, 0x00929293u);
  EXPECT_FALSE(image->stackShift(32)) << "RV32 has no such shift";
  SimConfig config;
  config.stackLog2Size = 15;
  auto simulator = std::move(*Simulator::create(config));
  ASSERT_TRUE(bool(image->load(*simulator)));
  uint8_t bytes[4];
  ASSERT_TRUE(bool(simulator->read(0x80000004, bytes)));
  EXPECT_EQ(bytes[2], 0xf2) << "a shift by 15";

  builder.code[1] = 0x00d28293; // addi
  EXPECT_FALSE(ElfImage::parse(builder.build())->stackShift(20));
  EXPECT_FALSE(ElfImage::parse(ElfBuilder().build())->stackShift(20)) << "no such symbol";
}

TEST(Image, BadElf) {
  expectError({}, "not an ELF");
  expectError({'h', 'e', 'l', 'l', 'o'}, "not an ELF");
  expectError({0x7f, 'E', 'L', 'F'}, "not an ELF");
  ElfBuilder builder;
  std::vector<uint8_t> good = builder.build();
  expectError({good.begin(), good.begin() + 40}, "truncated");
  expectError({good.begin(), good.begin() + 100}, "truncated");
  builder.header.e_machine = 62;
  expectError(builder.build(), "RISC-V");
  builder = {};
  builder.header.e_type = 3;
  expectError(builder.build(), "not an executable");
  builder = {};
  builder.header.e_ident[4] = 7;
  expectError(builder.build(), "class");
  builder = {};
  builder.header.e_ident[5] = 2;
  expectError(builder.build(), "little-endian");
  builder = {};
  builder.header.e_entry = 0x90000000;
  expectError(builder.build(), "entry point");
  builder = {};
  builder.header.e_entry = 0x80000002;
  expectError(builder.build(), "aligned");
}

TEST(Image, BadSegments) {
  ElfBuilder builder;
  builder.segments[1].p_vaddr = 0x80000008;
  builder.segments[1].p_align = 1;
  expectError(builder.build(), "overlap");
  builder = {};
  builder.segments[1].p_vaddr = ~uint64_t(0) - 15;
  builder.segments[1].p_align = 1;
  expectError(builder.build(), "wraps");
  builder = {};
  builder.segments[1].p_memsz = ~uint64_t(0);
  expectError(builder.build(), "wraps");
  builder = {};
  builder.segments[1].p_filesz = 0x200;
  expectError(builder.build(), "more bytes in the file");
  builder = {};
  builder.segments[1].p_offset = 0x100000000 + builder.segments[1].p_offset;
  builder.segments[1].p_align = 1;
  expectError(builder.build(), "truncated");
  builder = {};
  builder.segments[1].p_align = 12;
  expectError(builder.build(), "power of two");
  builder = {};
  builder.segments[1].p_vaddr += 4;
  builder.segments[1].p_align = 4096;
  expectError(builder.build(), "not aligned");
  builder = {};
  builder.segments[0].p_type = PT_INTERP;
  expectError(builder.build(), "dynamic linker");
  builder = {};
  builder.header.e_phnum = 0;
  expectError(builder.build(), "no segments");
}

TEST(Image, HugeSegmentsFailToLoadButDoNotHurt) {
  ElfBuilder builder;
  builder.segments[1].p_vaddr = 0x100000000;
  builder.segments[1].p_memsz = uint64_t(1) << 45;
  builder.segments[1].p_align = 1;
  Result<ElfImage> image = ElfImage::parse(builder.build());
  ASSERT_TRUE(bool(image));
  auto simulator = Simulator::create(SimConfig());
  Result<void> loaded = image->load(**simulator);
  ASSERT_FALSE(bool(loaded));
  EXPECT_NE(loaded.error().message.find("memory.capacity"), std::string::npos);
}

TEST(Image, VxbinAndRaw) {
  std::vector<uint8_t> vxbin(16 + 8);
  uint64_t begin = 0x80000000, end = 0x80000100;
  std::memcpy(vxbin.data(), &begin, 8);
  std::memcpy(vxbin.data() + 8, &end, 8);
  ASSERT_TRUE(ElfImage::isVxbin(vxbin));
  Result<ElfImage> image = ElfImage::parseVxbin(vxbin);
  ASSERT_TRUE(bool(image));
  EXPECT_EQ(image->entry(), begin);
  EXPECT_EQ(image->segments()[0].memorySize, 0x100u);
  EXPECT_EQ(image->segments()[0].bytes.size(), 8u);
  end = 0x80000004; // less than the file has
  std::memcpy(vxbin.data() + 8, &end, 8);
  EXPECT_FALSE(ElfImage::isVxbin(vxbin));
  EXPECT_FALSE(bool(ElfImage::parseVxbin(vxbin)));
  EXPECT_FALSE(bool(ElfImage::parseVxbin({vxbin.data(), 10})));
  EXPECT_FALSE(bool(ElfImage::parseRaw({}, 0x80000000, 4096)));
  EXPECT_FALSE(bool(ElfImage::parseRaw(vxbin, ~uint64_t(0) - 4, 4096)));
}

} // namespace
