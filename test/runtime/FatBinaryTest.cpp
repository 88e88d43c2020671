// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fat binaries and kernel tables, whole and damaged.

#include "runtime/image/FatBinary.h"
#include "ImageBuilder.h"
#include "runtime/image/Module.h"
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace vx::rt;
using namespace vx::rt::test;
using vx::abi::IsaProfile;
using vx::abi::Lowering;

static Bytes sampleFat() {
  return fatBinary({{Bytes(100, 1), Lowering::Hw, IsaProfile::Base, 64},
                    {Bytes(50, 2), Lowering::Sw, IsaProfile::Base, 64},
                    {Bytes(7, 3), Lowering::Hw, IsaProfile::Warp, 64}});
}

TEST(FatBinary, ReadsItsImages) {
  Bytes fat = sampleFat();
  auto images = parseFatBinary(fat);
  ASSERT_TRUE(images);
  ASSERT_EQ(images->size(), 3u);
  EXPECT_EQ((*images)[0].elf.size(), 100u);
  EXPECT_EQ((*images)[1].lowering, Lowering::Sw);
  EXPECT_EQ((*images)[2].elf[0], 3);
}

TEST(FatBinary, NamesTheCompilerOfItsIr) {
  Bytes fat = fatBinary({{Bytes(8, 1), Lowering::Hw, IsaProfile::Warp, 64},
                         {Bytes(9, 2), Lowering::Ir, IsaProfile::Base, 64}},
                        "/lib/compiler.so");
  auto images = parseFatBinary(fat);
  ASSERT_TRUE(images);
  EXPECT_EQ((*images)[0].compiler, "");
  EXPECT_EQ((*images)[1].compiler, "/lib/compiler.so");
  EXPECT_EQ(findIr(*images), &(*images)[1]);
  for (size_t size = 0; size < fat.size(); ++size)
    EXPECT_FALSE(parseFatBinary({fat.data(), size})) << size;

  uint64_t offset = fat.size() - 8; // 16 bytes from there are more than there are
  std::memcpy(fat.data() + offsetof(vx::abi::FatBinaryHeader, compilerOffset), &offset, 8);
  EXPECT_FALSE(parseFatBinary(fat));
}

TEST(FatBinary, EveryTruncationIsAnError) {
  Bytes fat = sampleFat();
  for (size_t size = 0; size < fat.size(); ++size)
    EXPECT_FALSE(parseFatBinary({fat.data(), size})) << size;
}

TEST(FatBinary, DamageNeverReadsOutside) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    Bytes fat = sampleFat();
    for (int i = 0; i < 4; ++i)
      fat[random() % 96] = uint8_t(random());
    auto images = parseFatBinary(fat);
    if (!images) {
      EXPECT_FALSE(images.error().message.empty());
      continue;
    }
    for (const FatImage &image : *images) {
      ASSERT_GE(image.elf.data(), fat.data());
      ASSERT_LE(image.elf.data() + image.elf.size(), fat.data() + fat.size());
    }
  }
}

TEST(FatBinary, WrapperIsChecked) {
  Bytes fat = sampleFat();
  FatWrapper wrapper;
  wrapper.data = fat.data();
  EXPECT_TRUE(parseFatWrapper(&wrapper));
  wrapper.magic = 1;
  EXPECT_FALSE(parseFatWrapper(&wrapper));
  wrapper.magic = vx::abi::kFatWrapperMagic;
  wrapper.data = nullptr;
  EXPECT_FALSE(parseFatWrapper(&wrapper));
  EXPECT_FALSE(parseFatWrapper(nullptr));
  uint64_t other[8] = {0x464c457f};
  wrapper.data = other;
  EXPECT_FALSE(parseFatWrapper(&wrapper));
}

TEST(FatBinary, ChoosesTheRichestImageThatRuns) {
  Bytes fat = sampleFat();
  auto images = *parseFatBinary(fat);
  EXPECT_EQ(chooseImage(images, {Lowering::Hw, IsaProfile::Warp, 64})->elf.size(), 7u);
  EXPECT_EQ(chooseImage(images, {Lowering::Hw, IsaProfile::Upstream, 64})->elf.size(), 100u);
  EXPECT_EQ(chooseImage(images, {Lowering::Sw, IsaProfile::Warp, 64})->elf.size(), 50u);
  auto none = chooseImage(images, {Lowering::Hw, IsaProfile::Warp, 32});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("sw/base/rv64"), std::string::npos) << none.error().message;
}

TEST(FatBinary, KernelsWithoutWarpFunctionsRunEverywhere) {
  Bytes fat = fatBinary({{Bytes(7, 1), Lowering::Hw, IsaProfile::Warp, 64},
                         {Bytes(8, 2), Lowering::Hw, IsaProfile::Upstream, 64}});
  auto images = *parseFatBinary(fat);
  EXPECT_EQ(chooseImage(images, {Lowering::Hw, IsaProfile::Base, 64})->elf.size(), 8u);
  EXPECT_FALSE(chooseImage(images, {Lowering::Sw, IsaProfile::Base, 64}));
}

TEST(FatBinary, ImagesForPathsRunOnSuchDevicesOnly) {
  Bytes fat = fatBinary({{Bytes(7, 1), Lowering::Auto, IsaProfile::Warp, 64},
                         {Bytes(8, 2), Lowering::Auto, IsaProfile::Paths, 64}});
  auto images = *parseFatBinary(fat);
  for (Lowering lowering : {Lowering::Auto, Lowering::Hw, Lowering::Sw}) {
    EXPECT_EQ(chooseImage(images, {lowering, IsaProfile::Paths, 64})->elf.size(), 8u);
    for (IsaProfile profile : {IsaProfile::Base, IsaProfile::Upstream, IsaProfile::Warp})
      EXPECT_EQ(chooseImage(images, {lowering, profile, 64})->elf.size(), 7u);
  }
  auto none = chooseImage(std::span(images).first(1), {Lowering::Auto, IsaProfile::Paths, 64});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("--vx-isa=paths"), std::string::npos) << none.error().message;
  none = chooseImage(std::span(images).last(1), {Lowering::Auto, IsaProfile::Warp, 64});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("core.divergence=paths"), std::string::npos)
      << none.error().message;
}

TEST(FatBinary, ChoosesByConditionalZeroInstructions) {
  Bytes with = fatBinary({{Bytes(7, 1), Lowering::Auto, IsaProfile::Warp, 64}});
  auto one = *parseFatBinary(with);
  ImageChoice without{Lowering::Auto, IsaProfile::Warp, 64, false};
  auto none = chooseImage(one, without);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("--vx-zicond=false"), std::string::npos);
  for (bool first : {false, true}) {
    uint32_t omits = vx::abi::kOmitsZicond;
    Bytes fat = fatBinary({{Bytes(7, 1), Lowering::Auto, IsaProfile::Warp, 64, first ? omits : 0},
                           {Bytes(8, 2), Lowering::Auto, IsaProfile::Warp, 64, first ? 0 : omits}});
    auto both = *parseFatBinary(fat);
    EXPECT_EQ(chooseImage(both, {})->elf.size(), first ? 8u : 7u);
    EXPECT_EQ(chooseImage(both, without)->elf.size(), first ? 7u : 8u);
  }
}

static std::vector<KernelSpec> sampleKernels() {
  return {kernelSpec("_Z3fooPfi", {8, 4}), kernelSpec("bar", {})};
}

TEST(KernelTable, ReadsItsKernels) {
  auto kernels = parseKernelTable(kernelTable(sampleKernels()));
  ASSERT_TRUE(kernels);
  ASSERT_EQ(kernels->size(), 2u);
  EXPECT_EQ((*kernels)[0].name, "_Z3fooPfi");
  ASSERT_EQ((*kernels)[0].params.size(), 2u);
  EXPECT_EQ((*kernels)[0].params[1].offset, 8u);
  EXPECT_EQ((*kernels)[0].record.argBytes, 12u);
  EXPECT_EQ((*kernels)[1].name, "bar");
}

TEST(KernelTable, GroupsAreOfWarps) {
  auto reads = [](uint32_t threads, uint32_t flags) {
    KernelSpec spec = kernelSpec("k", {4});
    spec.record.groupThreads = threads;
    spec.record.flags = flags;
    return bool(parseKernelTable(kernelTable({spec})));
  };
  for (uint32_t threads : {0, 4, 8, 16, 32})
    EXPECT_TRUE(reads(threads, 0)) << threads;
  for (uint32_t threads : {3, 24, 33, 64, 0x1e27})
    EXPECT_FALSE(reads(threads, 0)) << threads;
  EXPECT_TRUE(reads(8, vx::abi::kKernelExactGroups));
  EXPECT_FALSE(reads(0, vx::abi::kKernelExactGroups));
}

TEST(KernelTable, SharedMemoryIsThatOfACore) {
  auto reads = [](uint32_t own, uint32_t tail) {
    KernelSpec spec = kernelSpec("k", {4});
    spec.record.staticSharedBytes = own;
    spec.record.tailSharedBytes = tail;
    return bool(parseKernelTable(kernelTable({spec})));
  };
  EXPECT_TRUE(reads(1 << 24, 16));
  EXPECT_FALSE(reads(0xfffffff0, 0)); // with dynamic shared memory: 0 bytes
  EXPECT_FALSE(reads(0, 0xfffffff0));
}

TEST(KernelTable, RecordsOfANewerWriterAreSteppedOver) {
  Bytes table;
  append(table, vx::abi::KernelTableHeader{vx::abi::kKernelTableMagic, vx::abi::kKernelTableVersion,
                                           1, sizeof(vx::abi::KernelRecord) + 8});
  vx::abi::KernelRecord record{};
  record.directEntry = 0x80000000;
  record.mappings = bitOf(vx::abi::Mapping::Hardware);
  record.nameOffset = record.paramsOffset = sizeof(vx::abi::KernelTableHeader) + sizeof record + 8;
  append(table, record);
  append(table, uint64_t(0));
  append(table, uint32_t('k'));
  auto kernels = parseKernelTable(table);
  ASSERT_TRUE(kernels);
  EXPECT_EQ((*kernels)[0].name, "k");
}

TEST(KernelTable, EveryTruncationIsAnError) {
  Bytes table = kernelTable({kernelSpec("k", {8, 4})});
  while (table.back() == 0) // padding after the last name
    table.pop_back();
  for (size_t size = 0; size <= table.size(); ++size)
    EXPECT_FALSE(parseKernelTable({table.data(), size})) << size;
}

TEST(KernelTable, DamageIsAnErrorOrAReading) {
  std::mt19937 random(11);
  Bytes good = kernelTable(sampleKernels());
  for (int round = 0; round < 5000; ++round) {
    Bytes table = good;
    for (int i = 0; i < 3; ++i)
      table[random() % table.size()] = uint8_t(random());
    auto kernels = parseKernelTable(table);
    if (!kernels)
      continue;
    for (const Kernel &kernel : *kernels)
      for (const vx::abi::KernelParam &param : kernel.params)
        ASSERT_LE(uint64_t(param.offset) + param.size, kernel.record.argBytes);
  }
}

TEST(Module, ReadsKernelsAndVariables) {
  Bytes elf = elfImage(sampleKernels(), {{"table", 8, 16}}, Bytes(64, 5));
  auto module = Module::parse(elf, 64);
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_EQ((*module)->entry(), 0x80000000u);
  ASSERT_NE((*module)->kernel("bar"), nullptr);
  EXPECT_EQ((*module)->kernel("baz"), nullptr);
  ASSERT_TRUE((*module)->variable("table"));
  EXPECT_EQ((*module)->variable("table")->base, 0x80001008u);
  EXPECT_EQ((*module)->variable("table")->size, 16u);
  EXPECT_FALSE(Module::parse(elf, 32));
}

TEST(Module, DamagedImagesAreErrorsOrReadings) {
  std::mt19937 random(3);
  Bytes good = elfImage(sampleKernels(), {{"table", 8, 16}}, Bytes(64, 5));
  for (size_t size = 0; size < 200; ++size)
    EXPECT_FALSE(Module::parse({good.data(), size}, 64)) << size;
  for (int round = 0; round < 3000; ++round) {
    Bytes elf = good;
    for (int i = 0; i < 3; ++i)
      elf[random() % elf.size()] = uint8_t(random());
    if (auto module = Module::parse(elf, 64))
      (void)(*module)->variable("table");
    else
      EXPECT_FALSE(module.error().message.empty());
  }
}

TEST(Module, OnlyPositionIndependentCodeCanBeMoved) {
  KeptRelocations good{{8}}, absolute{{8}, 26 /* R_RISCV_HI20 */};
  auto parse = [](const KeptRelocations *kept) {
    auto module = Module::parse(elfImage(sampleKernels(), {{"v", 0, 4}}, Bytes(32), kept), 64);
    EXPECT_TRUE(module);
    return std::move(*module);
  };
  EXPECT_TRUE(parse(&good)->isMovable());
  EXPECT_FALSE(parse(&absolute)->isMovable());
  EXPECT_FALSE(parse(nullptr)->isMovable()) << "without relocations nothing is known";
  auto module = parse(&good);
  module->moveBy(0x100000);
  EXPECT_EQ(module->entry(), 0x80100000u);
  EXPECT_EQ(module->variable("v")->base, 0x80101000u);
  EXPECT_EQ(module->kernel("bar")->record.directEntry, 0x80100010u);
  EXPECT_EQ(module->segments()[1].bytes[8 + 2], 0x10) << "the stored address";
  EXPECT_EQ(module->segments()[1].bytes[2], 0) << "other data stays";
}
