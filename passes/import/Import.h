// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of vx-import-nvvm. ImportNVVM.cpp runs them in the order of this file; each rewrites
// the module in place and reports what it cannot translate, with the user's source line.

#ifndef VX_PASSES_IMPORT_IMPORT_H
#define VX_PASSES_IMPORT_IMPORT_H

#include "lib/VortexIR/ReportUnsupported.h"

namespace llvm {
class CallInst;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace vx::import {

/// Makes triple and data layout those of RISC-V; removes attributes and metadata that speak of
/// NVPTX.
void retarget(llvm::Module &m);

/// Drops type-based alias information: CUDA programs access memory as other types than it was
/// written as, and nvcc makes no use of it in device code.
void dropTypeBasedAliasing(llvm::Module &m);

/// Removes attributes of another target from F and its parameters.
void dropForeignAttributes(llvm::Function &f);

/// Makes attributes of ptx_kernel, launch bounds and annotations, and everything but kernels and
/// device variables internal.
void importKernels(llvm::Module &m);

/// Moves local variables of constant size to the entry blocks, also those in loops, and others to
/// the device's heap.
void placeAllocas(llvm::Module &m);

/// Calls of the CUDA run-time library (vprintf, malloc, operator new, __assertfail, …).
void importLibraryCalls(llvm::Module &m);

/// Returns true if a call of NAME is one of those.
bool isLibraryFunction(llvm::StringRef name);

/// Calls of C's mathematical functions (hypot, logb, …).
void importMathCalls(llvm::Module &m);

/// Calls of llvm.nvvm.* intrinsics for matrices become inline PTX.
void importMatrixIntrinsics(llvm::Module &m);

/// Calls of llvm.nvvm.* intrinsics, by the table NVVMIntrinsics.def.
void importIntrinsics(llvm::Module &m);

/// Imports inline PTX, by the table of PtxInstructions, and assembly of the device.
void importInlinePtx(llvm::Module &m);

/// If CALL is an asm statement with assembly of the device, makes its operands those of RISC-V.
/// Returns false if it is inline PTX.
bool importVortexAsm(llvm::CallInst &call);

/// Calls of contract functions by name.
void importContractCalls(llvm::Module &m);

/// Makes integers that are made from pointers to shared memory, and pointers made from them, count
/// from the base of the block's shared memory.
void makeSharedAddressesOffsets(llvm::Module &m);

/// Replaces address spaces 1 (global), 4 (constant) and 5 (local) by the generic one.
void makeAddressSpacesGeneric(llvm::Module &m);

/// Returns true if some stage knows what F, which has no body, does.
bool isProvided(const llvm::Function &f);

/// Reports whatever is left that no later stage knows as an error. Device math (__nv_*, __vxm_*) is
/// linked later (Math.h) and passes.
void reportUnresolved(llvm::Module &m);

} // namespace vx::import

#endif // VX_PASSES_IMPORT_IMPORT_H
