// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads with a context of their own each build, run and release programs again and again: what
// structures and vectors are as arguments, and that nothing is left over.

#include "harness.h"
#include <fstream>
#include <thread>

static const char *const kSource = R"(
typedef struct { char c; float3 v; double d; short s[3]; } Mixed;
typedef struct __attribute__((packed)) { char c; int i; } Packed;
kernel void sums(Mixed m, Packed p, float3 three, uchar3 bytes, long8 wide, global float *out,
                 local float *each) {
  int lane = get_local_id(0);
  each[lane] = lane + ROUND;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    float got[] = {m.c, m.v.x, m.v.z, m.d, m.s[2], p.c, p.i, three.y, three.z, bytes.y, bytes.z,
                   wide.s0, wide.s7, each[get_local_size(0) - 1]};
    for (int i = 0; i < sizeof got / sizeof *got; ++i)
      out[i] = got[i];
  }
}
)";

struct Mixed {
  cl_char c;
  cl_float3 v;
  cl_double d;
  cl_short s[3];
};
static_assert(sizeof(Mixed) == 48);
struct __attribute__((packed)) Packed {
  cl_char c;
  cl_int i;
};

static void runOnce(Harness &h, int round) {
  cl_program program = h.build(kSource, ("-DROUND=" + std::to_string(round)).c_str());
  cl_kernel kernel = h.kernel(program, "sums");
  cl_mem out = h.buffer(std::vector<float>(1 << 18));
  setArg(kernel, 0, Mixed{-5, {{1, 2, 3}}, 2.5, {7, 8, 9}});
  setArg(kernel, 1, Packed{11, -77777});
  setArg(kernel, 2, cl_float3{{4, 5, 6}});
  setArg(kernel, 3, cl_uchar3{{1, 200, 255}});
  setArg(kernel, 4, cl_long8{{-1, 0, 0, 0, 0, 0, 0, 1 << 20}});
  setArg(kernel, 5, out);
  OK(clSetKernelArg(kernel, 6, 50 * sizeof(float), nullptr));
  h.run(kernel, 50, 50);
  const std::vector<float> expected = {-5, 1,   3,   2.5, 9,       11, -77777,
                                       5,  6, 200, 255, -1, 1 << 20, 49.0f + round};
  CHECK(h.read<float>(out, expected.size()) == expected);
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(kernel));
  OK(clReleaseProgram(program));
}

static void runSome(int rounds) {
  auto run = [rounds] {
    Harness h;
    for (int i = 0; i < rounds; ++i)
      runOnce(h, i);
  };
  std::thread other(run);
  run();
  other.join();
}

/// Returns the resident memory of this process, in KiB.
static long residentMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (long value; word == "VmRSS:" && status >> value)
      return value;
  return 0;
}

int main() {
  runSome(3);
  long before = residentMemory();
  runSome(8);
  long more = residentMemory() - before;
  // Sixteen buffers of 1 MiB and as many modules have been there; allocators keep a little.
  if (more > 6000)
    std::printf("%ld KiB more than before\n", more);
  CHECK(before > 0 && more <= 6000);
  std::puts("threads work");
}
