// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that kernels.cl calls.

int twice(int x) {
  return 2 * x;
}
