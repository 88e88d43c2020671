// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host program of Vortex's interface: runs an image and prints what it left. Its declarations are
// those of Vortex's vortex.h. With -t, it waits a millisecond for the end of the run.

#include <cstdint>
#include <cstdio>
#include <cstring>

extern "C" {
int vx_dev_open(void **device);
int vx_dev_close(void *device);
int vx_dev_caps(void *device, uint32_t id, uint64_t *value);
int vx_mem_alloc(void *device, uint64_t size, int flags, void **buffer);
int vx_mem_reserve(void *device, uint64_t address, uint64_t size, int flags, void **buffer);
int vx_mem_free(void *buffer);
int vx_mem_address(void *buffer, uint64_t *address);
int vx_mem_info(void *device, uint64_t *free, uint64_t *used);
int vx_copy_to_dev(void *buffer, const void *source, uint64_t offset, uint64_t size);
int vx_copy_from_dev(void *destination, void *buffer, uint64_t offset, uint64_t size);
int vx_start(void *device, void *kernel, void *arguments);
int vx_ready_wait(void *device, uint64_t milliseconds);
int vx_mpm_query(void *device, uint32_t csr, uint32_t core, uint64_t *value);
int vx_upload_kernel_file(void *device, const char *name, void **buffer);
int vx_upload_bytes(void *device, const void *content, uint64_t size, void **buffer);
int vx_check_occupancy(void *device, uint32_t groupSize, uint32_t *maxLocalMemory);
}

#define CHECK(call)                                                                                \
  if (int status = call) {                                                                         \
    std::printf("%s: %d\n", #call, status);                                                        \
    return 1;                                                                                      \
  }

int main(int argc, char **argv) {
  bool isShort = argc > 2 && std::strcmp(argv[2], "-t") == 0;
  void *device, *counters, *result, *arguments, *kernel;
  CHECK(vx_dev_open(&device));
  for (int i = 0; i < 2; ++i) { // so that no buffer lies where images leave counters
    CHECK(vx_mem_reserve(device, 0, 0x10000, 0, &counters));
    CHECK(vx_mem_free(counters));
  }
  uint64_t warps, threads, local, free, used;
  CHECK(vx_dev_caps(device, 1, &threads));
  CHECK(vx_dev_caps(device, 2, &warps));
  CHECK(vx_dev_caps(device, 6, &local));
  uint32_t share;
  CHECK(vx_check_occupancy(device, uint32_t(threads), &share));
  std::printf("%dx%d, %d bytes of local memory, %d for a warp\n", int(warps), int(threads),
              int(local), int(share));
  CHECK(vx_mem_alloc(device, 8, 3, &result));
  uint64_t place, sum = 0;
  CHECK(vx_mem_address(result, &place));
  CHECK(vx_copy_to_dev(result, &sum, 0, sizeof sum));
  CHECK(vx_upload_kernel_file(device, argv[1], &kernel));
  CHECK(vx_upload_bytes(device, &place, sizeof place, &arguments));
  for (int run = 0; run < 2; ++run) {
    CHECK(vx_start(device, kernel, arguments));
    CHECK(vx_ready_wait(device, isShort ? 1 : 60000));
    CHECK(vx_copy_from_dev(&sum, result, 0, sizeof sum));
    uint64_t code, instructions;
    CHECK(vx_mpm_query(device, 0xB01, 0, &code));
    CHECK(vx_mpm_query(device, 0xB02, 0xffffffff, &instructions));
    std::printf("sum %d, exit code %d, instructions %d\n", int(sum), int(code), int(instructions));
  }
  std::printf("beyond the buffer: %d\n", vx_copy_from_dev(&sum, result, 1, sizeof sum));
  CHECK(vx_mem_free(kernel));
  CHECK(vx_mem_free(arguments));
  CHECK(vx_mem_free(result));
  CHECK(vx_mem_info(device, &free, &used));
  std::printf("in use at the end: %d\n", int(used));
  CHECK(vx_dev_close(device));
  return 0;
}
