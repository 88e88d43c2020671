// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quoted header is found in the folder of the program's name: a path, or a file of the working folder.
//
// RUN: rm -rf %t.dir && mkdir -p %t.dir/sub && echo '#define VALUE 1' > %t.dir/value.h
// RUN: echo '#define VALUE 2' > %t.dir/sub/value.h
// RUN: %vxcc %s -o %t -lcuda -lnvrtc -I %S/../driver/Inputs && cd %t.dir && timeout 120 %t

#include "driver.h"

/// Returns the result of compiling a program of NAME that wants VALUE from "value.h".
static nvrtcResult compileAs(const char *name, int value, std::vector<const char *> options = {}) {
  std::string source = "#include \"value.h\"\nstatic_assert(VALUE == " + std::to_string(value) +
                       ", \"\");\n__global__ void k() {}\n";
  nvrtcProgram program;
  CHECK(nvrtcCreateProgram(&program, source.c_str(), name, 0, nullptr, nullptr) == NVRTC_SUCCESS);
  nvrtcResult result = nvrtcCompileProgram(program, int(options.size()), options.data());
  CHECK(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return result;
}

int main() {
  CHECK(compileAs("./main.cu", 1) == NVRTC_SUCCESS);
  CHECK(compileAs("main.cu", 1) == NVRTC_SUCCESS);
  CHECK(compileAs("sub/main.cu", 2) == NVRTC_SUCCESS);
  CHECK(compileAs("sub/main.cu", 1) == NVRTC_ERROR_COMPILATION);
  CHECK(compileAs("none/main.cu", 1) == NVRTC_ERROR_COMPILATION);
  CHECK(compileAs("main.cu", 1, {"-no-source-include"}) == NVRTC_ERROR_COMPILATION);
  CHECK(compileAs("main.cu", 2, {"-no-source-include", "-Isub"}) == NVRTC_SUCCESS);
  std::printf("PASS\n");
}
