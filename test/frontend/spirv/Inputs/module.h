// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_TEST_DOORS_SPIRV_MODULE_H
#define VX_TEST_DOORS_SPIRV_MODULE_H

#include "../../opencl/Inputs/harness.h"
#include <fstream>
#include <iterator>

/// Returns the program built from the SPIR-V module in the file PATH; ends the test if that fails.
inline cl_program buildModule(Harness &h, const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::string module{std::istreambuf_iterator<char>(file), {}};
  cl_int error;
  cl_program program = clCreateProgramWithIL(h.context, module.data(), module.size(), &error);
  OK(error);
  error = clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr);
  if (error)
    std::printf("%s\n", h.buildLog(program).c_str());
  OK(error);
  return program;
}

#endif // VX_TEST_DOORS_SPIRV_MODULE_H
