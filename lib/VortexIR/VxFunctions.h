// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The __vx_* functions of common IR as a table (VxFunctions.def): look-up by name, declaration in a
// module with the right attributes.

#ifndef VX_LIB_VORTEXIR_VXFUNCTIONS_H
#define VX_LIB_VORTEXIR_VXFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace llvm {
class CallInst;
class Function;
class FunctionType;
class Module;
class Value;
} // namespace llvm

namespace vx {

enum class VxFn {
#define VX_FUNCTION(ID, NAME, RET, PARAMS, UNIFORMITY, EFFECTS) ID,
#include "lib/VortexIR/VxFunctions.def"
};

enum class VxUniformity { U, D, T, W };
enum class VxEffects { Pure, Read, Convergent, Effect, NoReturn };

struct VxFnInfo {
  VxFn fn;
  llvm::StringRef name;
  VxUniformity uniformity;
  VxEffects effects;
};

/// Returns the row of FN.
const VxFnInfo &getInfo(VxFn fn);

/// Returns the row of the function called NAME, if it is one of the contract.
std::optional<VxFn> lookupVxFn(llvm::StringRef name);

/// Returns the function that V directly calls, if it is one of the contract.
std::optional<VxFn> getVxFn(const llvm::Value *v);

/// Returns true for the functions of the section "Warp functions".
bool isWarpFunction(VxFn fn);
/// Returns true for a call of a warp function or of a synchronization of several warps.
bool isWarpLevel(const llvm::Instruction &i);

/// Returns true for the memory fences, of any scope.
bool isFence(VxFn fn);

/// Arithmetic with a rounding mode in its name, in the order of the table: three modes for each
/// type, two types for each operation.
enum class RoundedOp { Add, Sub, Mul, Div, Sqrt, Fma };
enum class Rounding { TowardZero, Down, Up };
struct Rounded {
  RoundedOp op;
  Rounding mode;
};
/// Returns what FN computes if it is of the section "Arithmetic that rounds".
std::optional<Rounded> getRounded(VxFn fn);

/// Returns the type that FN's row gives it.
llvm::FunctionType *getType(llvm::LLVMContext &ctx, VxFn fn);

/// Gives F, a declaration of FN, the attributes that its row names.
void addAttributes(llvm::Function &f, VxFn fn);

/// Declares (or finds) FN in M with the attributes its row names.
llvm::Function *getOrDeclare(llvm::Module &m, VxFn fn);

/// Emits a call of FN at the builder's position.
llvm::CallInst *emitCall(llvm::IRBuilderBase &b, VxFn fn, llvm::ArrayRef<llvm::Value *> args = {});

/// Function attribute that marks a kernel in common IR (set by passes/import).
inline constexpr llvm::StringLiteral kKernelAttr = "vx-kernel";
/// Kernel attributes with decimal values: __launch_bounds__.
inline constexpr llvm::StringLiteral kMaxThreadsAttr = "vx-max-threads";
inline constexpr llvm::StringLiteral kMinBlocksAttr = "vx-min-blocks";
/// Kernel attribute with a decimal value: __cluster_dims__, as KernelRecord::clusterDim.
inline constexpr llvm::StringLiteral kClusterDimAttr = "vx-cluster-dim";
/// Kernel attribute: "hw", "sw" or "auto", from __vx_lower__ in source.
inline constexpr llvm::StringLiteral kLowerAttr = "vx-lower";
/// Kernel attribute of vx-inline-boundaries: a function without recursion that it holds was
/// recursive and has warp functions.
inline constexpr llvm::StringLiteral kRecursiveExchangeAttr = "vx-recursive-exchange";
/// Kernel attribute of vx-place-tiles: threads that must execute as one group.
inline constexpr llvm::StringLiteral kGroupThreadsAttr = "vx-group-threads";
/// Attribute of kernels and entries whose hardware warps form logical warps
/// (vx-clone-logical-warps): "uniform" or "early-exit", what is known of control flow around warp
/// functions.
inline constexpr llvm::StringLiteral kLogicalWarpAttr = "vx-logical-warp";
inline constexpr llvm::StringLiteral kUniformWarps = "uniform", kEarlyExitWarps = "early-exit";
/// Attribute of kernels and entries of mapping split-warps: inside a hardware warp of a logical
/// warp, warp functions are instructions.
inline constexpr llvm::StringLiteral kSplitWarpsAttr = "vx-split-warps";
/// Attribute of kernels and entries of mapping coarsened: a lane runs kCoarsenedParts threads.
inline constexpr llvm::StringLiteral kCoarsenedAttr = "vx-coarsened";
/// Attribute of calls of warp functions: threads may come there in different rounds of a cycle
/// (vx-merge-meetings), and those that are first wait for the others that the mask names.
inline constexpr llvm::StringLiteral kAwaitsMembersAttr = "vx-awaits-members";
/// Attribute of calls of warp functions: all lanes that exchange values are of one hardware warp
/// (vx-split-warps).
inline constexpr llvm::StringLiteral kInsideWarpAttr = "vx-inside-warp";
/// Parameter attribute: differs between lanes although the function is a kernel.
inline constexpr llvm::StringLiteral kDivergentAttr = "vx-divergent";

/// Address spaces of common IR. After import everything but shared memory is generic.
inline constexpr unsigned kGenericAS = 0;
inline constexpr unsigned kSharedAS = 3;

/// Returns true if V is a shared variable or a constant expression over one.
bool refersToShared(const llvm::Value *v);

/// Returns true for a function with the kernel attribute.
bool isKernel(const llvm::Function &f);

} // namespace vx

#endif // VX_LIB_VORTEXIR_VXFUNCTIONS_H
