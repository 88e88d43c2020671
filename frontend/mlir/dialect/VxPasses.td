// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the dialect vx.

#ifndef VX_DOORS_MLIR_DIALECT_VXPASSES_TD
#define VX_DOORS_MLIR_DIALECT_VXPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertVxToLLVM : Pass<"convert-vx-to-llvm"> {
  let summary = "Turn operations of the dialect vx into calls of __vx_* functions";
  let description = [{
    Runs on a `gpu.module`, or on any other operation with a symbol table. The stock
    `convert-to-llvm` and `convert-gpu-to-nvvm` do the same where they find the dialect.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def VxLowerSubgroupReduce : Pass<"vx-lower-subgroup-reduce"> {
  let summary = "Turn gpu.subgroup_reduce into vx.reduce, or into shuffles";
  let description = [{
    Reductions of 32- and 64-bit numbers over contiguous lanes become `vx.reduce`. Vectors are
    reduced by element. Other types, operators and clusters with a stride become a butterfly of
    `gpu.shuffle`. The subgroup is the warp of 32 threads.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect",
                           "::vx::dialect::VxDialect"];
}

def VxLowerSubgroupOps : Pass<"vx-lower-subgroup-ops"> {
  let summary = "Lower what the stock conversion of the dialect gpu leaves of subgroups";
  let description = [{
    `gpu.subgroup_size`, `gpu.subgroup_id`, `gpu.num_subgroups`, `gpu.subgroup_broadcast`,
    `gpu.rotate`, and `gpu.shuffle` and `gpu.all_reduce` of vectors and of numbers of fewer than 32
    bits. The subgroup is the warp of 32 threads.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::vx::dialect::VxDialect"];
}

def VxLowerVectors : Pass<"vx-lower-vectors"> {
  let summary = "Lower operations on vectors to those that convert-gpu-to-nvvm knows";
  let description = [{
    Transfers of one dimension, contractions, reductions, transpositions and the like become loads,
    stores and arithmetic on vectors of one dimension.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def VxPromotePrintf : Pass<"vx-promote-printf"> {
  let summary = "Widen the integers that gpu.printf is given to 32 bits";
  let description = [{
    As C promotes arguments: with their sign, and `i1` as 0 or 1.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def VxAttachTarget : Pass<"vx-attach-target"> {
  let summary = "Attach #vx.target to the gpu.modules";
  let description = [{
    All `gpu.module`s directly inside the operation whose names match `module` get the target;
    the options are its parameters.
  }];
  let options = [
    Option<"module", "module", "std::string", "\"\"",
           "regular expression for the names of the modules; empty: all">,
    Option<"optLevel", "O", "unsigned", "3", "level of optimization">,
    Option<"lower", "lower", "std::string", "\"auto\"", "variants of the kernels: auto, hw, sw">,
    Option<"xlen", "xlen", "std::string", "\"64\"", "widths of registers: 64, 32 or both">,
    Option<"isa", "isa", "std::string", "\"warp\"",
           "instructions of the device: warp, upstream, base">,
    Option<"target", "target", "std::string", "\"vortex\"",
           "whose code is embedded: vortex, host or both">,
    Option<"lines", "lines", "bool", "true", "whether reports know source lines">,
    Option<"compilerOptions", "opts", "std::string", "\"\"", "further options of vxcc">,
    ListOption<"link", "l", "std::string", "bitcode files to link">,
  ];
  let dependentDialects = ["::vx::dialect::VxDialect"];
}

#endif // VX_DOORS_MLIR_DIALECT_VXPASSES_TD
