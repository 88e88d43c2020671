// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of pointers.spvasm: pointers MODULE.spv

#include "module.h"
#include <cstdint>

int main(int argc, char **argv) {
  CHECK(argc == 2);
  Harness h;
  cl_program program = buildModule(h, argv[1]);
  cl_kernel kernel = h.kernel(program, "pointers");
  size_t size[3];
  OK(clGetKernelWorkGroupInfo(kernel, h.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size, size,
                              nullptr));
  CHECK((size[0] == 4 && size[1] == 1 && size[2] == 1));
  cl_mem out = h.buffer(std::vector<uint32_t>(4)), vectors = h.buffer(std::vector<uint32_t>(28));
  setArg(kernel, 0, out);
  setArg(kernel, 1, vectors);
  h.run(kernel, 4, 4);
  std::vector<uint32_t> got = h.read<uint32_t>(out, 4);
  constexpr uint32_t distances = 4 * 6 - 6;
  for (int i = 0; i < 4; ++i)
    CHECK((got[i] == distances + (i ? 2 : 1)));
  std::printf("PASS\n");
}
