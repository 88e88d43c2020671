// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device side of alu: by Vortex's kernel library.

#include "alu.h"
#include <vx_spawn.h>

static void body(AluArguments *arguments) {
  auto *results = reinterpret_cast<uint32_t *>(arguments->results);
  results[blockIdx.x] = alu(blockIdx.x, arguments->rounds);
}

int main() {
  auto *arguments = reinterpret_cast<AluArguments *>(csr_read(VX_CSR_MSCRATCH));
  return vx_spawn_threads(1, &arguments->threads, nullptr, (vx_kernel_func_cb)body, arguments);
}
