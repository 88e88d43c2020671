// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source for the host that chooses what its stream 0 is by the macro: the thread's own stream, or
// the legacy default stream.

#ifdef OWN
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#define NAME ownStreamZero
#else
#undef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define NAME legacyStreamZero
#endif
#include <cuda_runtime_api.h>

unsigned long long NAME() {
  unsigned long long id = 0;
  return cudaStreamGetId(0, &id) == cudaSuccess ? id : ~0ull;
}
