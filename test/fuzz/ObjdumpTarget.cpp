// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any file as input of vx-objdump, with all that it can show: what of it, the size of the file
// decides. Its main is vxObjdumpMain here, and its _exit (after errors inside of LLVM) is
// vxObjdumpExit.

#include "test/fuzz/Fuzz.h"
#include <csetjmp>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

int vxObjdumpMain(int argc, char **argv);

static std::jmp_buf afterExit;

extern "C" [[noreturn]] void vxObjdumpExit(int) {
  std::longjmp(afterExit, 1);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int file = memfd_create("input", 0);
  vx::fuzz::require(file >= 0 && ftruncate(file, 0) == 0 &&
                        pwrite(file, data, size, 0) == ssize_t(size),
                    "the file can be written");
  static std::string path = "/proc/self/fd/" + std::to_string(file);
  static char *const words[][6] = {
      {(char *)"vx-objdump", (char *)"-d", (char *)"-l", (char *)"--check-divergence", path.data()},
      {(char *)"vx-objdump", (char *)"-h", (char *)"-t", (char *)"-k", path.data()},
      {(char *)"vx-objdump", (char *)"--raw", (char *)"--xlen=32", (char *)"-d", path.data()},
  };
  auto &line = words[size % std::size(words)];
  int count = 0;
  while (line[count])
    ++count;
  if (!setjmp(afterExit))
    (void)vxObjdumpMain(count, const_cast<char **>(line));
  return 0;
}
