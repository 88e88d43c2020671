// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start-up of an image. Every core begins here with warp 0, lane 0 and mscratch = the launch
// descriptor; every lane of every warp ends up in the kernel entry with
//   sp = its own stack, tp = its control block at the stack's top, a0 = the descriptor.

#include "intrinsics/abi/AddressMap.h"

#if __riscv_xlen == 64
#define LX ld
#define STACK_BASE VX_STACK_BASE_ADDR_64
#else
#define LX lw
#define STACK_BASE VX_STACK_BASE_ADDR_32
#endif

#define TCB_SIZE 64 /* sizeof(ThreadControlBlock) */
#define SPILL_AREA 48 /* LaunchDescriptor::spillArea */
#define SPILL_MASK 56 /* LaunchDescriptor::spillMask */
#define SPILL_PART_SHIFT 12 /* abi::kSpillPartBytes */

  .section .init, "ax"
  .globl _start
  .type _start, @function
_start:
  .cfi_sections .debug_frame
  .cfi_startproc
  .cfi_undefined ra                // for debuggers: nothing calls this
  csrr t0, VX_CSR_NUM_WARPS
  la t1, 1f
  .insn r 0x0B, 1, 0, x0, t0, t1   // vx_wspawn: warps 1.. start at 1f with lane 0
1:
  li t0, -1
  .insn r 0x0B, 0, 0, x0, t0, x0   // vx_tmc: all lanes
  li sp, STACK_BASE
  csrr t0, mhartid
  .globl __vx_stack_shift
__vx_stack_shift:                  // abi/StackShift.h: the loader may write another shift
  slli t0, t0, VX_STACK_LOG2_SIZE
  sub sp, sp, t0
  addi tp, sp, -TCB_SIZE
  mv sp, tp
  csrr a0, mscratch
  LX t0, 0(a0)                     // LaunchDescriptor::kernelEntry
  jalr t0
  .globl __vx_end_of_warp
__vx_end_of_warp:                  // where entries jump to
  .insn r 0x0B, 0, 0, x0, x0, x0   // vx_tmc 0
  .cfi_endproc
  .size _start, .-_start

// Points gp to the hardware thread's column of the spill area; a0 = the descriptor. Returns through
// t0 and changes t1 and t2.
  .text
  .globl __vx_spill_area
  .type __vx_spill_area, @function
__vx_spill_area:
  csrr t1, mhartid
  lw t2, SPILL_MASK(a0)
  LX gp, SPILL_AREA(a0)
  and t1, t1, t2
  srli t2, t1, 5
  slli t2, t2, SPILL_PART_SHIFT
  andi t1, t1, 31
  slli t1, t1, 3
  add t2, t2, t1
  add gp, gp, t2
  jr t0
  .size __vx_spill_area, .-__vx_spill_area
