# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a function of COUNT loops one after the other, which have their start and the array they address in common."""

import sys

COUNT = int(sys.argv[1])
print("""define void @loops(ptr %p, i32 %x, i32 %y, i32 %n) {
entry:
  %first = add i32 %x, %y
  %array = getelementptr i32, ptr %p, i64 3
  br label %loop0""")
for i in range(COUNT):
    before = f"loop{i - 1}" if i else "entry"
    print(f"loop{i}:\n  %t{i} = phi i32 [ %first, %{before} ], [ %next{i}, %loop{i} ]")
    print(f"  %a{i} = getelementptr i32, ptr %array, i32 %t{i}\n  store i32 {i}, ptr %a{i}\n  %next{i} = add i32 %t{i}, 1")
    print(f"  %c{i} = icmp ult i32 %next{i}, %n\n  br i1 %c{i}, label %loop{i}, label %{f'loop{i + 1}' if i + 1 < COUNT else 'exit'}")
print("exit:\n  ret void\n}")
