// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
void callee(volatile int *p) __attribute__((noinline));
int f(volatile int *p, int x) {
  if (x)
    *p = 1;
  return *p;
}
