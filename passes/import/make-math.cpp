// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds vxmath.bc: make-math [--triple=T] OUTPUT LIBCLC PARTS... (run by the build). With a
// triple the library is for that machine instead of the device: the accuracy test's host.

#include "passes/import/Math.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

int main(int argc, char **argv) {
  StringRef triple = argc > 1 ? argv[1] : "";
  if (triple.consume_front("--triple="))
    --argc, ++argv;
  else
    triple = "";
  if (argc < 3) {
    errs() << "usage: make-math [--triple=T] OUTPUT LIBCLC PARTS...\n";
    return 2;
  }
  LLVMContext ctx;
  SmallVector<StringRef, 16> parts(argv + 3, argv + argc);
  auto library = vx::makeDeviceMath(ctx, argv[2], parts);
  if (!library) {
    errs() << "make-math: " << toString(library.takeError()) << "\n";
    return 1;
  }
  if (!triple.empty()) {
    (*library)->setTargetTriple(Triple(triple));
    (*library)->setDataLayout(Triple(triple).computeDataLayout());
  }
  if (verifyModule(**library, &errs()))
    return 1;
  std::error_code problem;
  raw_fd_ostream out(argv[1], problem, sys::fs::OF_None);
  if (problem) {
    errs() << "make-math: " << argv[1] << ": " << problem.message() << "\n";
    return 1;
  }
  WriteBitcodeToFile(**library, out);
  return 0;
}
