# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails if the processor time of a program for a kernel of many shuffles in one block grows with their square.

usage: growth.py PROGRAM [OPTION...], which gets the module on its standard input
"""

import os
import subprocess
import sys

SMALL, LARGE = 2000, 16000


def kernel(count):
    """Shuffles of values that are known before all of them: their operands move, and they share boundaries."""
    lines = ['target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"', "declare i32 @__vx_thread_idx_x()",
             "declare i32 @__vx_shfl_idx_32(i32, i32, i32, i32)",
             'define void @k(ptr %p) "vx-kernel" "vx-lower"="sw" {', "%s0 = call i32 @__vx_thread_idx_x()"]
    for i in range(count):
        lines += [f"%a{i} = add i32 %s0, {i}",
                  f"%r{i} = call i32 @__vx_shfl_idx_32(i32 -1, i32 %a{i}, i32 {i % 32}, i32 31)",
                  f"%s{i + 1} = xor i32 %s{i}, %r{i}".replace("%s0,", "0,")]
    return "\n".join([*lines, f"store i32 %s{count}, ptr %p", "ret void", "}"])


def seconds(count):
    """The least processor time of two runs."""
    text, times = kernel(count).encode(), []
    for _ in range(2):
        before = os.times()
        subprocess.run(sys.argv[1:], input=text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        times.append(os.times().children_user - before.children_user)
    return min(times)


small, large = seconds(SMALL), seconds(LARGE)
print(f"{SMALL}: {small:.2f} s, {LARGE}: {large:.2f} s")
# The square is 64 times as much. What the program takes for nothing is in both.
if large > 24 * max(small, 0.02):
    sys.exit("too much")
