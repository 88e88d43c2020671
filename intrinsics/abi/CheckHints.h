// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints for the checkers of the simulator (docs/checkers.md), of the family of VX_HINT_BLOCK
// (AddressMap.h): `slti x0, rs1, N`, which hardware ignores.

#ifndef VX_ABI_CHECK_HINTS_H
#define VX_ABI_CHECK_HINTS_H

/* rs1 = 1: what follows is the runtime's own work and is not checked; 0: it is the program's again.
 */
#define VX_HINT_PAUSE 5
/* rs1 = the size that the hint behind this one is about. */
#define VX_HINT_SIZE 6
/* malloc() in device code returns rs1, of that size. */
#define VX_HINT_HEAP_ALLOCATED 7
/* free() in device code is given rs1; a device that checks writes 0 into rs1 where nothing is to be
   freed. */
#define VX_HINT_HEAP_FREE 8

#endif // VX_ABI_CHECK_HINTS_H
