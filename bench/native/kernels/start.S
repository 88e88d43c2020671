// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry at which vxcc's start-up code calls a native kernel, in each lane. Thread-local
// variables of neighbouring lanes are neighbours in memory, so that few lines hold those of a warp.





  .text
  .globl nativeEntry
  .type nativeEntry, @function
nativeEntry:
  csrr t0, mhartid
  la tp, __native_tls
  slli t0, t0, 5
  add tp, tp, t0
  tail nativeMain
  .size nativeEntry, .-nativeEntry
