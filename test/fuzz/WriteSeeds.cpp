// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the first inputs of fuzz targets, from the tables and builders of the project, so that
// they do not age: fuzz-seeds FOLDER makes FOLDER/TARGET/…. scripts/fuzz adds what compilers and
// files of the tree give.

#include "intrinsics/isa/InsnTable.h"
#include "test/fuzz/Launch.h"
#include "test/fuzz/Machine.h"
#include "test/runtime/ImageBuilder.h"
#include "test/unit/simulator/ElfBuilder.h"
#include "test/unit/simulator/Harness.h"
#include <filesystem>
#include <fstream>

namespace vx {
namespace {

using Bytes = std::vector<uint8_t>;

std::filesystem::path folder;

void write(const std::string &target, const std::string &name, std::span<const uint8_t> bytes) {
  std::filesystem::create_directories(folder / target);
  std::ofstream(folder / target / name, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()), std::streamsize(bytes.size()));
}

void write(const std::string &target, const std::string &name, const std::string &text) {
  write(target, name, std::span(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

rt::test::KernelSpec kernel(const std::string &name, uint32_t mappings) {
  rt::test::KernelSpec spec = rt::test::kernelSpec(name, {4, 8, 8});
  spec.record.mappings = mappings;
  return spec;
}

void images() {
  Bytes small = sim::test::ElfBuilder().build();
  write("image", "small.elf", small);
  Bytes vxbin;
  for (uint64_t word : {0x80000000, 0x80001000})
    rt::test::append(vxbin, word);
  vxbin.insert(vxbin.end(), small.begin() + 0x1000, small.begin() + 0x1010);
  write("image", "small.vxbin", vxbin);
  rt::test::KeptRelocations relocations{.storedAt = {0, 8}};
  Bytes module = rt::test::elfImage({kernel("k", 1)}, {{"v", 0, 8}}, Bytes(16), &relocations);
  write("image", "module.elf", module);
  write("objdump", "module.elf", module);
  write("objdump", "small.elf", small);
  write("fatbinary", "one", rt::test::fatBinary({{module}}));
  write("fatbinary", "several",
        rt::test::fatBinary({{module},
                             {module, abi::Lowering::Sw, abi::IsaProfile::Warp},
                             {Bytes(8), abi::Lowering::Host},
                             {Bytes(8), abi::Lowering::Ir, abi::IsaProfile::Base, 32, 1}}));
}

void launches() {
  auto add = [](const std::string &name, const fuzz::Launch &launch,
                const std::vector<rt::test::KernelSpec> &kernels) {
    Bytes bytes, table = rt::test::kernelTable(kernels);
    rt::test::append(bytes, launch);
    bytes.insert(bytes.end(), table.begin(), table.end());
    write("launch", name, bytes);
  };
  for (const abi::MappingInfo &info : abi::kMappings) {
    rt::test::KernelSpec spec = kernel("k", abi::bitOf(info.mapping));
    std::string name(info.name);
    add(name, {}, {spec});
    spec.record.staticSharedBytes = 1024;
    add(name + "-shared", {.threads = 255, .dynamicBytes = 512}, {spec});
    add(name + "-large", {.lanes = 31, .warps = 15, .cores = 3, .threads = 1023}, {spec, spec});
  }
}

/// A program for each instruction, with operands that point somewhere: x1 the argument block, x2
/// the stack, all lanes on.
void deviceCode() {
  using sim::test::encode;
  for (size_t i = 0; i < isa::kNumInsns; ++i) {
    const isa::InsnInfo &row = isa::kInsns[i];
    Bytes bytes;
    rt::test::append(bytes, fuzz::Machine{.flags = uint8_t(i * 37)});
    std::vector<uint32_t> code = {encode(isa::Op::CSRRS, {.rd = 1, .rs1 = 0, .imm = 0x340}),
                                  encode(isa::Op::ADDI, {.rd = 3, .rs1 = 0, .imm = -1}),
                                  encode(isa::Op::VX_TMC, {.rs1 = 3}),
                                  encode(isa::Op::CSRRS, {.rd = 4, .rs1 = 0, .imm = 0xCC0})};
    bool isCsr = row.form().immediate == isa::Field::Csr;
    for (int64_t imm : {8, 0, -8})
      code.push_back(encode(row.op, {.rd = 5, .rs1 = 1, .rs2 = 4, .imm = isCsr ? 0xCC0 : imm}));
    for (uint32_t word : code)
      rt::test::append(bytes, word);
    write("devicecode", std::string(row.mnemonic), bytes);
  }
}

void gdb() {
  const char *const sessions[] = {
      "qSupported:multiprocess+\nQStartNoAckMode\n?\nqfThreadInfo\nqsThreadInfo\nHg1\ng\n",
      "m80000000,40\nM80000000,2:abcd\nX80000000,0:\np1\nP1=0000000000000000\n",
      "Z0,80000000,4;X3,220127\nz0,80000000,4\nZ2,80000010,4\nvCont?\nvCont;r80000000,80000010:1;"
      "c\n",
      "qXfer:features:read:target.xml:0,fff\nqXfer:threads:read::0,fff\nqRcmd,6c616e6573\nT1\nD\n",
      "vRun;\nvAttach;1\nvKill;1\nk\ns\nc80000000\nqC\nqThreadExtraInfo,1\nqAttached\n"};
  for (size_t i = 0; i < std::size(sessions); ++i)
    write("gdb", std::to_string(i), std::string(sessions[i]));
}

} // namespace

static void writeAll() {
  images();
  launches();
  deviceCode();
  gdb();
  write("config", "dump.toml", sim::SimConfig().dump());
  write("config", "set",
        std::string("num_cores=2,core.num_warps=8,run.mode=timing,l2.enabled=true"));
}

} // namespace vx

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  vx::folder = argv[1];
  vx::writeAll();
}
