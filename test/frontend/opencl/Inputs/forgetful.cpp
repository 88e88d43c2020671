// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that neither waits for its commands nor releases anything; one of them waits for an
// event that is never set.

#include "harness.h"

int main() {
  auto *h = new Harness;
  cl_program program = h->build("kernel void say(global const int *x, int n) {\n"
                                "  int sum = 0;\n"
                                "  for (int i = 0; i < n; ++i) sum += x[i % 16];\n"
                                "  printf(\"sum %d\\n\", sum);\n"
                                "}");
  cl_kernel k = h->kernel(program, "say");
  cl_mem x = h->buffer(std::vector<int>(16, 1));
  setArg(k, 0, x);
  setArg(k, 1, 20000);
  h->run(k, 1, 1);
  setArg(k, 1, 30000);
  h->run(k, 1, 1);
  cl_int error;
  cl_event never = clCreateUserEvent(h->context, &error);
  OK(error);
  OK(clEnqueueMarkerWithWaitList(h->queue, 1, &never, nullptr));
  h->run(k, 1, 1);
  return 3;
}
