// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `vx`: its enumerations and the target attribute.

#ifndef VX_DOORS_MLIR_DIALECT_VXDIALECT_TD
#define VX_DOORS_MLIR_DIALECT_VXDIALECT_TD

include "mlir/Dialect/GPU/IR/CompilationAttrInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Vx_Dialect : Dialect {
  let name = "vx";
  let cppNamespace = "::vx::dialect";
  let summary = "Kernels for the Vortex GPU.";
  let description = [{
    What a kernel for Vortex can do besides the operations of the dialect `gpu`: coordinates as
    32-bit integers, warp functions with member masks, tiles, barriers, fences, and the target
    attribute with which `gpu-module-to-binary` makes the device's images.

    A warp has 32 threads on every device, also where a hardware warp has fewer lanes. Operations
    that exchange values between threads have a *member mask*, an `i32` with a bit for each lane
    of the warp. Without one, all 32 lanes are members. A thread that executes the operation is a
    member of its own mask, and all members that have not ended execute the same operation with
    the same mask.

    `convert-vx-to-llvm` turns each operation into calls of the functions `__vx_*`, which the
    device compiler lowers to instructions (hw) or to loops over the threads (sw).
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

class Vx_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::vx::dialect";
  let genSpecializedAttr = 0;
}
class Vx_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<Vx_Dialect, info, mnemonic>;

def Vx_Dimension : Vx_Enum<"Dimension", "axis of the grid or the block", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;
def Vx_DimensionAttr : Vx_EnumAttr<Vx_Dimension, "dim">;

def Vx_VoteKind : Vx_Enum<"VoteKind", "question of a vote", [
  I32EnumAttrCase<"All", 0, "all">, I32EnumAttrCase<"Any", 1, "any">,
  I32EnumAttrCase<"Uni", 2, "uni">, I32EnumAttrCase<"Ballot", 3, "ballot">]>;
def Vx_VoteKindAttr : Vx_EnumAttr<Vx_VoteKind, "vote_kind">;

def Vx_ShuffleMode : Vx_Enum<"ShuffleMode", "source lane of a shuffle", [
  I32EnumAttrCase<"Up", 0, "up">, I32EnumAttrCase<"Down", 1, "down">,
  I32EnumAttrCase<"Xor", 2, "xor">, I32EnumAttrCase<"Idx", 3, "idx">]>;
def Vx_ShuffleModeAttr : Vx_EnumAttr<Vx_ShuffleMode, "shuffle_mode">;

def Vx_MatchKind : Vx_Enum<"MatchKind", "question of a match", [
  I32EnumAttrCase<"Any", 0, "any">, I32EnumAttrCase<"All", 1, "all">]>;
def Vx_MatchKindAttr : Vx_EnumAttr<Vx_MatchKind, "match_kind">;

def Vx_ReduceKind : Vx_Enum<"ReduceKind", "operator of a reduction", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Min", 1, "min">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"UMin", 3, "umin">,
  I32EnumAttrCase<"UMax", 4, "umax">, I32EnumAttrCase<"And", 5, "and">,
  I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">]>;
def Vx_ReduceKindAttr : Vx_EnumAttr<Vx_ReduceKind, "reduce_kind">;

def Vx_BarrierReduction : Vx_Enum<"BarrierReduction", "what a barrier finds out", [
  I32EnumAttrCase<"Count", 0, "count">, I32EnumAttrCase<"And", 1, "and">,
  I32EnumAttrCase<"Or", 2, "or">]>;
def Vx_BarrierReductionAttr : Vx_EnumAttr<Vx_BarrierReduction, "barrier_reduction">;

def Vx_FenceScope : Vx_Enum<"FenceScope", "who sees the accesses in order", [
  I32EnumAttrCase<"Block", 0, "block">, I32EnumAttrCase<"Device", 1, "device">,
  I32EnumAttrCase<"System", 2, "system">]>;
def Vx_FenceScopeAttr : Vx_EnumAttr<Vx_FenceScope, "fence_scope">;

def Vx_TargetAttr : AttrDef<Vx_Dialect, "Target",
    [DeclareAttrInterfaceMethods<GPUTargetAttrInterface>]> {
  let mnemonic = "target";
  let summary = "How a gpu.module is compiled for Vortex.";
  let description = [{
    With this attribute on a `gpu.module`, `gpu-module-to-binary` compiles the module by running
    `vxcc`. The parameters are vxcc's options of the same names:

    | parameter | option | values |
    |---|---|---|
    | `O` | `-O` | 0 to 3; 3 by default |
    | `lower` | `--lower` | `"auto"` (hw and sw variants), `"hw"`, `"sw"` |
    | `xlen` | `--vx-xlen` | `"64"`, `"32"`, `"32,64"` |
    | `isa` | `--vx-isa` | `"warp"`, `"upstream"`, `"base"`, `"paths"`, or several joined by commas |
    | `target` | `--target` | `"vortex"`, `"host"`, `"vortex,host"` |
    | `lines` | | whether fault reports and profiles know source lines; true by default |
    | `options` | | further options of vxcc, separated by spaces |
    | `link` | | bitcode files with device functions |

    The formats of `gpu-module-to-binary` are: `fatbin`, a fat binary with an image for each
    target and width; `bin`, one image (ELF); `isa`, NVVM IR as text, which is compiled when the
    program loads it, for the device there is; `llvm`, the same as bitcode.

    vxcc is looked for in the pass's `toolkit` path, in `$VXCC_HOME`, next to this library, and on
    the `PATH`.

    ```mlir
    gpu.module @kernels [#vx.target] { ... }
    gpu.module @kernels [#vx.target<O = 2, lower = "sw", xlen = "32,64">] { ... }
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int", "3", "level of optimization">:$O,
    StringRefParameter<"variants of the kernels", "\"auto\"">:$lower,
    StringRefParameter<"widths of registers", "\"64\"">:$xlen,
    StringRefParameter<"instructions of the device", "\"warp\"">:$isa,
    StringRefParameter<"whose code is embedded", "\"vortex\"">:$target,
    DefaultValuedParameter<"bool", "true", "line tables">:$lines,
    StringRefParameter<"further options of vxcc", "\"\"">:$options,
    OptionalParameter<"::mlir::ArrayAttr", "bitcode files to link">:$link
  );
  let assemblyFormat = [{
    (`<` struct($O, $lower, $xlen, $isa, $target, $lines, $options, $link)^ `>`)?
  }];
  let genVerifyDecl = 1;
}

#endif // VX_DOORS_MLIR_DIALECT_VXDIALECT_TD
