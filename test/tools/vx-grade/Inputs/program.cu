// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does what its first argument says.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void twice(int *p, int n) {
  if (threadIdx.x < n)
    p[threadIdx.x] *= 2;
}
__global__ void waits(volatile int *p) {
  while (p[0] == 0)
    ;
}

int main(int argc, char **argv) {
  auto is = [&](const char *what) { return argc > 1 && !std::strcmp(argv[1], what); };
  if (is("endless"))
    for (volatile bool stays = true; stays;)
      ;
  if (is("abort"))
    std::abort();
  if (is("greedy")) {
    std::vector<char> much(size_t(8) << 30, 1);
    std::printf("%p\n", static_cast<void *>(much.data()));
    return 0;
  }
  while (is("loud"))
    std::printf("many words, and more and more of them\n");
  if (is("host"))
    return 0;
  int *p, host[32] = {1, 2, 3};
  cudaMalloc(&p, sizeof host);
  cudaMemcpy(p, host, sizeof host + is("copy") * 4, cudaMemcpyHostToDevice);
  if (is("waits")) {
    cudaMemset(p, 0, sizeof host);
    waits<<<1, 1>>>(p);
  } else {
    twice<<<1, 40>>>(p, is("outside") ? 40 : 32);
  }
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  char word[32] = "";
  if (std::FILE *file = std::fopen("word.txt", "r")) {
    if (std::fscanf(file, "%31s", word) != 1)
      word[0] = 0;
    std::fclose(file);
  }
  std::printf("%d %d %d\n%s\n", host[0], host[1], host[2], word);
  return is("five") ? 5 : 0;
}
