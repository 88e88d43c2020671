// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The metadata of kernels that clang and the SPIR-V translator write: the names of its kinds, and
// how numbers are read from it.

#ifndef VX_FRONTEND_OPENCL_KERNELMETADATA_H
#define VX_FRONTEND_OPENCL_KERNELMETADATA_H

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

namespace vx::opencl {

inline constexpr llvm::StringLiteral kRequiredGroupSize = "reqd_work_group_size";
inline constexpr llvm::StringLiteral kGroupSizeHint = "work_group_size_hint";
inline constexpr llvm::StringLiteral kRequiredSubGroupSize = "intel_reqd_sub_group_size";
inline constexpr llvm::StringLiteral kVectorTypeHint = "vec_type_hint";
inline constexpr llvm::StringLiteral kArgumentAddressSpaces = "kernel_arg_addr_space";
inline constexpr llvm::StringLiteral kArgumentAccess = "kernel_arg_access_qual";
inline constexpr llvm::StringLiteral kArgumentTypes = "kernel_arg_type";
inline constexpr llvm::StringLiteral kArgumentBaseTypes = "kernel_arg_base_type";
inline constexpr llvm::StringLiteral kArgumentQualifiers = "kernel_arg_type_qual";
inline constexpr llvm::StringLiteral kArgumentNames = "kernel_arg_name";

/// Returns the numbers of F's metadata KIND, in order; empty if it has none.
inline llvm::SmallVector<uint64_t, 3> numbersOf(const llvm::Function &f, llvm::StringRef kind) {
  llvm::SmallVector<uint64_t, 3> numbers;
  if (const llvm::MDNode *node = f.getMetadata(kind))
    for (const llvm::MDOperand &operand : node->operands()) {
      const auto *value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(operand);
      numbers.push_back(value ? value->getZExtValue() : 0);
    }
  return numbers;
}

} // namespace vx::opencl

#endif // VX_FRONTEND_OPENCL_KERNELMETADATA_H
