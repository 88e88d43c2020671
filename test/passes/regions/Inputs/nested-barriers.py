# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a kernel with loops in each other and a barrier at the end of each.

usage: nested-barriers.py DEPTH [apart] [checked]

apart: some threads of the block take a way of their own around what is in every second loop. checked: for the checkers.
"""

import sys

DEPTH, APART = int(sys.argv[1]), "apart" in sys.argv
print("""target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"
declare i32 @__vx_thread_idx_x()
declare void @__vx_barrier()
define void @nested(ptr %p, i32 %n) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  br label %loop0""")
for i in range(DEPTH):
    print(f"loop{i}:\n  %j{i} = phi i32 [ 0, %{'body' + str(i - 1) if i else 'entry'} ], [ %next{i}, %latch{i} ]")
    for k in range(20):
        print(f"  %v{i}.{k} = load i32, ptr %at\n  %w{i}.{k} = mul i32 %v{i}.{k}, %n\n  store i32 %w{i}.{k}, ptr %at")
    print(f"  %own{i} = icmp eq i32 %t, {i}")
    print(f"  br i1 %own{i}, label %latch{i}, label %body{i}" if APART and i % 2 else f"  br label %body{i}")
    print(f"body{i}:\n  br label %{'loop' + str(i + 1) if i + 1 < DEPTH else 'latch' + str(i)}")
for i in reversed(range(DEPTH)):
    print(f"latch{i}:\n  call void @__vx_barrier()\n  %next{i} = add i32 %j{i}, 1\n  %c{i} = icmp ult i32 %next{i}, %n")
    print(f"  br i1 %c{i}, label %loop{i}, label %{'latch' + str(i - 1) if i else 'exit'}")
print("exit:\n  ret void\n}")
if "checked" in sys.argv:
    print('!llvm.module.flags = !{!0}\n!0 = !{i32 1, !"vx.forCheckers", i32 1}')
