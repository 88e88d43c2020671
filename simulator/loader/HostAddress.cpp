// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/api/HostAddress.h"
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace vx::sim {

/// Returns what the memory that NAME is said of in /proc/self/maps is, as far as programs know it.
static std::string describeMapping(const char *name) {
  if (!std::strcmp(name, "[stack]"))
    return "this is an address of the host's stack: a pointer to a local variable of host code, "
           "which the device cannot follow; it needs memory of cudaMalloc or cudaMallocManaged";
  if (!std::strcmp(name, "[heap]"))
    return "this is an address of the host's heap: a pointer of malloc or new of host code, which "
           "the device cannot follow; it needs memory of cudaMalloc or cudaMallocManaged";
  if (*name == '/')
    return "this is an address of a variable of host code; device code needs one that is "
           "__device__, or memory of cudaMalloc or cudaMallocManaged";
  return "this is an address of the host's memory, which the device cannot follow; it needs memory "
         "of cudaMalloc or cudaMallocManaged";
}

std::string describeHostAddress(uint64_t address) {
  std::FILE *maps = std::fopen("/proc/self/maps", "r");
  if (!maps)
    return {};
  std::string text;
  char line[4200];
  while (text.empty() && std::fgets(line, sizeof line, maps)) {
    uint64_t begin, end;
    int nameAt = 0;
    line[std::strcspn(line, "\n")] = 0;
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &begin, &end, &nameAt) ==
            2 &&
        address - begin < end - begin)
      text = describeMapping(nameAt ? line + nameAt : "");
  }
  std::fclose(maps);
  return text;
}

} // namespace vx::sim
