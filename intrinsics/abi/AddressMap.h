// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory map that the compiler, the runtime and the simulator agree on. It is the public Vortex
// one, so an image of ours also starts on their drivers. Preprocessor-only values, because the
// start-up code (assembly) includes this file too.

#ifndef VX_ABI_ADDRESS_MAP_H
#define VX_ABI_ADDRESS_MAP_H

/* An image is linked to, and every core starts at, this address. */
#define VX_STARTUP_ADDR 0x80000000

/* Console: a byte stored at VX_CONSOLE_ADDR + slot appears on the host's stdout. */
#define VX_CONSOLE_ADDR 0x40
#define VX_CONSOLE_SIZE 64

/* Programs of Vortex leave their performance counters here when they end: for each core 32 words of
   64 bits, word i from CSR 0xB00 + i. Word 1 of the first core is the program's exit code. */
#define VX_MPM_ADDR 0x80
#define VX_MPM_WORDS 32
#define VX_MPM_EXIT_CODE_WORD 1

/* Device memory that the driver hands out starts here and ends below the image. */
#define VX_USER_BASE_ADDR 0x10000

/* Per-hart stacks grow down from here: top(hart) = base - (hart << log2 size). The core-private
   local memory starts at the same address and grows up. VX_STACK_LOG2_SIZE is what images are built
   with; those of vxcc can be given another size when they are loaded (StackShift.h). All stacks
   together have room for VX_STACK_ROOM bytes. */
#define VX_STACK_BASE_ADDR_64 0x1FFFF0000
#define VX_STACK_BASE_ADDR_32 0xFFFF0000
#define VX_STACK_LOG2_SIZE 13
#define VX_STACK_ROOM_64 0xC0000000
#define VX_STACK_ROOM_32 0x40000000
#define VX_LMEM_LOG2_SIZE 14

/* Control and status registers that the device code reads. */
#define VX_CSR_THREAD_ID 0xCC0
#define VX_CSR_WARP_ID 0xCC1
#define VX_CSR_CORE_ID 0xCC2
#define VX_CSR_ACTIVE_WARPS 0xCC3
#define VX_CSR_ACTIVE_THREADS 0xCC4
#define VX_CSR_NUM_THREADS 0xFC0
#define VX_CSR_NUM_WARPS 0xFC1
#define VX_CSR_NUM_CORES 0xFC2
#define VX_CSR_LOCAL_MEM_BASE 0xFC3
#define VX_CSR_MHARTID 0xF14
#define VX_CSR_MSCRATCH 0x340
#define VX_CSR_MPM_BASE 0xB00
#define VX_CSR_MCYCLE 0xB00
#define VX_CSR_MINSTRET 0xB02

/* Device configuration registers, written by the driver before a start. */
#define VX_DCR_STARTUP_ADDR0 0x1
#define VX_DCR_STARTUP_ADDR1 0x2
#define VX_DCR_STARTUP_ARG0 0x3
#define VX_DCR_STARTUP_ARG1 0x4
#define VX_DCR_MPM_CLASS 0x5

/* What a7 holds at an `ecall`. EXIT ends the run with exit code a0 (the convention of riscv-tests);
   the others stop it with the cause named. An `ebreak` is a __trap(). */
#define VX_ECALL_EXIT 93
#define VX_ECALL_ASSERT 0x7601 /* assert failed: the record is in LaunchDescriptor::status */
#define VX_ECALL_PURE_VIRTUAL 0x7602
#define VX_ECALL_NO_LOCAL_MEMORY 0x7603 /* no room for an alloca() */

/* Hints: `slti x0, rs1, N` (a no-operation that RISC-V sets aside for custom use) with which a
   kernel says what a lane works on, for fault reports: its block and its thread in the block,
   numbered linearly. Hardware ignores them. */
#define VX_HINT_BLOCK 1
#define VX_HINT_THREAD 2
/* As these, rs1 = an address: of the word around it, the lr.w and sc.w that follow are about this
   byte, or these 16 bits, alone. The others are stored as they were loaded; a device that protects
   memory to the byte does not look at their permissions. */
#define VX_HINT_ATOMIC_BYTE 3
#define VX_HINT_ATOMIC_HALF 4

#endif // VX_ABI_ADDRESS_MAP_H
