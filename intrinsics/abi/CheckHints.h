// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints for the checkers of the simulator (docs/user/checkers.md), of the family of VX_HINT_BLOCK
// (AddressMap.h): `slti x0, rs1, N`, which hardware ignores.

#ifndef VX_ABI_CHECK_HINTS_H
#define VX_ABI_CHECK_HINTS_H

/* rs1 = 1: what follows is the runtime's own work and is not checked; 0: it is the program's again.
 */
#define VX_HINT_PAUSE 5
/* rs1 = the size that the hint after this one is about. */
#define VX_HINT_SIZE 6
/* malloc() in device code returns rs1, of that size. */
#define VX_HINT_HEAP_ALLOCATED 7
/* free() in device code is given rs1; a device that checks writes 0 into rs1 where nothing is to be
   freed. */
#define VX_HINT_HEAP_FREE 8

/* Code that is compiled to be checked (-fvx-check) says for each thread what follows. */

/* rs1 = an address: until the next such hint, accesses of the lane to what begins there are
   volatile or atomic. */
#define VX_HINT_STRONG 9
/* The thread begins to execute the kernel; it has ended. */
#define VX_HINT_THREAD_START 10
#define VX_HINT_THREAD_END 11
/* A fence, of the scope of the block or of the device, or what releases like one. */
#define VX_HINT_FENCE_BLOCK 12
#define VX_HINT_FENCE_DEVICE 13
/* rs1 = a number of what the hint after this one is about: of the warp function; else four times
   that of the call in the source, and for a barrier of the block 1 to 3 if it is reduced over:
   count, and, or. */
#define VX_HINT_SITE 14
/* The thread arrives at a synchronization: of its block; of the aligned group of rs1 threads of its
   block; of the grid; of the lanes of its CUDA warp that rs1 names, with or without an order of
   memory (EXCHANGE: votes, shuffles). */
#define VX_HINT_SYNC_BLOCK 15
#define VX_HINT_SYNC_GROUP 16
#define VX_HINT_SYNC_GRID 17
#define VX_HINT_SYNC_WARP 18
#define VX_HINT_EXCHANGE 19
/* It continues after the one that it has arrived at. */
#define VX_HINT_SYNC_LEAVE 20
/* It has arrived at, or waited for, the barrier of its cluster. */
#define VX_HINT_CLUSTER_ARRIVE 21
#define VX_HINT_CLUSTER_WAIT 22
/* The local array that the record is about begins at rs1; VX_LOCAL_PADDING bytes before and after
   it belong to nothing. The one at rs1 ends. */
#define VX_HINT_LOCAL_BEGIN 23
#define VX_HINT_LOCAL_END 24
#define VX_LOCAL_PADDING 16
/* So do that many before and after each __device__ and __constant__ variable. */
#define VX_VARIABLE_PADDING 16
/* As VX_HINT_STRONG, but they are atomic for the threads of the block only. */
#define VX_HINT_STRONG_BLOCK 25
/* rs1 = the address of the record that the hint after this one is about. That of a local array:
   its size (32 bits), its name (ends with 0). */
#define VX_HINT_RECORD 26
/* The thread is where the paths of a branch have met again. rs1 = twice the number of that place,
   and 1 if more of the function comes after it than its end. */
#define VX_HINT_JOIN 27
/* What follows, until the last rs1 of such hints are taken back, is before the place of the number
   rs1, on some of the paths that lead there. */
#define VX_HINT_JOIN_AHEAD 28
#define VX_HINT_JOINS_OVER 29
/* As VX_HINT_STRONG, but they are volatile, not atomic. */
#define VX_HINT_VOLATILE 30
/* The thread is about to read, or to write, a vector at rs1, whose alignment is the size of
   VX_HINT_SIZE. */
#define VX_HINT_VECTOR_READ 31
#define VX_HINT_VECTOR_WRITE 32
/* The thread arrives at a named barrier of its block, and waits there, or not. rs1 = the barrier,
   and 256 times the threads of a phase, 0: all that have not ended. */
#define VX_HINT_SYNC_NAMED 33
#define VX_HINT_ARRIVE_NAMED 34
/* The thread has been at places of VX_HINT_JOIN of a function, some of those with the numbers from
   that of VX_HINT_SITE, and is past them. rs1 = twice the last number, and 1 if it does not return
   from the function by a `return`. */
#define VX_HINT_JOINS_LEFT 35
#define VX_HINT_LAST 35

#endif // VX_ABI_CHECK_HINTS_H
