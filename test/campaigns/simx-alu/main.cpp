// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side of alu: `alu -nTHREADS`, by Vortex's driver interface.

#include "alu.h"
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <vortex.h>

#define CHECK(call)                                                                                \
  if (int error = call) {                                                                          \
    std::printf("FAILED: " #call " returned %d\n", error);                                         \
    return 1;                                                                                      \
  }

int main(int argc, char **argv) {
  AluArguments arguments = {argc > 1 ? uint32_t(std::atoi(argv[1] + 2)) : 64, 200, 0};
  std::vector<uint32_t> results(arguments.threads);
  uint64_t bytes = results.size() * sizeof results[0];
  vx_device_h device;
  vx_buffer_h output, kernel, block;
  CHECK(vx_dev_open(&device));
  CHECK(vx_mem_alloc(device, bytes, VX_MEM_WRITE, &output));
  CHECK(vx_mem_address(output, &arguments.results));
  CHECK(vx_upload_kernel_file(device, "kernel.vxbin", &kernel));
  CHECK(vx_upload_bytes(device, &arguments, sizeof arguments, &block));
  CHECK(vx_start(device, kernel, block));
  CHECK(vx_ready_wait(device, VX_MAX_TIMEOUT));
  CHECK(vx_copy_from_dev(results.data(), output, 0, bytes));
  for (uint32_t i = 0; i != arguments.threads; ++i)
    if (results[i] != alu(i, arguments.rounds)) {
      std::printf("FAILED: thread %u\n", i);
      return 1;
    }
  CHECK(vx_mem_free(output));
  CHECK(vx_mem_free(kernel));
  CHECK(vx_mem_free(block));
  CHECK(vx_dev_close(device));
  std::printf("PASSED!\n");
}
