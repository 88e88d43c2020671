// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../Inputs/harness.h"
#include "shared.h"

extern "C" int fromC(int x);

int main() {
  const int n = 100;
  DeviceArray<int> out(n);
  launchFirst(out, n);
  launchSecond(out, n, {3, 4.5});
  std::vector<int> got = out.host();
  for (int i = 0; i < n; ++i)
    expectEqual(got[i], (i < n / 2 ? 11 : 20) + 100 + 10, "two files", i);
  expectEqual(plainFunction(5), 6, "plain C++");
  expectEqual(fromC(7), 21, "plain C");
  return finish();
}
