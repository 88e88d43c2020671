// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The __vx_* functions of common IR as a table (VxFunctions.def): look-up by name, declaration in a
// module with the right attributes.

#ifndef VX_LIB_VORTEXIR_VXFUNCTIONS_H
#define VX_LIB_VORTEXIR_VXFUNCTIONS_H

#include "lib/VortexIR/IRNames.h"
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
/// Returns true if a call in the body of F is at warp level.
bool hasWarpFunctions(const llvm::Function &f);

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

/// Address spaces of common IR. After import everything but shared memory is generic.
inline constexpr unsigned kGenericAS = 0;
inline constexpr unsigned kSharedAS = 3;

/// Returns true if V is a shared variable or a constant expression over one.
bool refersToShared(const llvm::Value *v);

/// Returns true for a function with the kernel attribute.
bool isKernel(const llvm::Function &f);

} // namespace vx

#endif // VX_LIB_VORTEXIR_VXFUNCTIONS_H
