// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the first inputs for PtxTarget, statements of all instructions that are known, and a
// dictionary of their words: fuzz-ptx-seeds FOLDER makes FOLDER/ptx/… and FOLDER/ptx.dict.

#include "passes/import/Ptx.h"
#include <filesystem>
#include <fstream>

using namespace vx;

static std::filesystem::path folder;

static void write(const std::string &name, const std::string &text) {
  std::ofstream(folder / name, std::ios::binary) << text;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  folder = argv[1];
  std::filesystem::create_directories(folder / "ptx");
  std::string dictionary;
  for (auto table : {import::ptxIntegerInstructions(), import::ptxFloatInstructions(),
                     import::ptxMoveInstructions(), import::ptxCompareInstructions(),
                     import::ptxMemoryInstructions(), import::ptxMbarrierInstructions(),
                     import::ptxControlInstructions(), import::ptxWarpInstructions()})
    for (const import::PtxInstruction &row : table) {
      std::string op = row.op.str();
      dictionary += '"' + op + "\"\n";
      std::string text = "{ .reg .pred p; setp.ne.s32 p, $2, 0;";
      for (const char *type : {"s32", "u64", "f32", "b32", "pred"})
        text += "@p " + op + "." + type + " $0, $2, $2, 3;";
      write("ptx/" + op, text + " }");
      write("ptx/" + op + "-memory", op + ".global.b32 $0, [$7+4], $2, $2;");
    }
  for (const char *word : {".u8",    ".s16",    ".u32",  ".b64",    ".f16",       ".f16x2", ".bf16",
                           ".f32",   ".f64",    ".pred", ".global", ".shared",    ".sync",  ".rn",
                           ".sat",   ".cc",     ".wide", ".lo",     ".hi",        ".v2",    ".v4",
                           "%tid.x", "%laneid", "[$7]",  "{$0,$1}", "0f3F800000", "|"})
    dictionary += '"' + std::string(word) + "\"\n";
  write("ptx.dict", dictionary);
}
