// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int fromC(int x) {
  return 3 * x;
}
