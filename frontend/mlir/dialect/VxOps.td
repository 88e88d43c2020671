// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of the dialect `vx`. What each becomes is in VxToLLVM.cpp.

#ifndef VX_DOORS_MLIR_DIALECT_VXOPS_TD
#define VX_DOORS_MLIR_DIALECT_VXOPS_TD

include "frontend/mlir/dialect/VxDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Vx_Op<string mnemonic, list<Trait> traits = []> : Op<Vx_Dialect, mnemonic, traits>;

// ---- Coordinates.

class Vx_AxisOp<string mnemonic, string what> : Vx_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = what # " by axis, in 32 bits.\n\n```mlir\n%x = vx." # mnemonic # " x\n```";
  let arguments = (ins Vx_DimensionAttr:$dimension);
  let results = (outs I32:$result);
  let assemblyFormat = "$dimension attr-dict";
}
def Vx_ThreadIdOp : Vx_AxisOp<"thread_id", "Place of the thread in its block">;
def Vx_BlockIdOp : Vx_AxisOp<"block_id", "Place of the block in the grid">;
def Vx_BlockDimOp : Vx_AxisOp<"block_dim", "Number of threads in the block">;
def Vx_GridDimOp : Vx_AxisOp<"grid_dim", "Number of blocks in the grid">;

class Vx_NumberOp<string mnemonic, string what, Type type = I32, list<Trait> traits = [Pure]>
    : Vx_Op<mnemonic, traits> {
  let summary = what;
  let description = what # ".\n\n```mlir\n%n = vx." # mnemonic # "\n```";
  let results = (outs type:$result);
  let assemblyFormat = "attr-dict";
}
def Vx_LaneIdOp : Vx_NumberOp<"lane_id", "Place of the thread in its warp, 0 to 31">;
def Vx_WarpIdOp : Vx_NumberOp<"warp_id", "Place of the warp in its block">;

// ---- Warp functions.

defvar Vx_Masked = "(`mask` $mask^)?";
def Vx_Value : AnyTypeOf<[I1, I8, I16, I32, I64, Index, F16, BF16, F32, F64]>;
def Vx_Number : AnyTypeOf<[I32, I64, F32, F64]>;

def Vx_ActiveMaskOp : Vx_NumberOp<"active_mask",
  "Member mask of the lanes that execute this operation together", I32, []>;

def Vx_VoteOp : Vx_Op<"vote"> {
  let summary = "A question to the members of a warp.";
  let description = [{
    `all`, `any`: whether the predicate is true for all, for any member; `uni`: whether it is the
    same for all; `ballot`: an `i32` with the bits of the members for which it is true.

    ```mlir
    %all = vx.vote all %p : i1
    %bits = vx.vote ballot %p mask %m : i32
    ```
  }];
  let arguments = (ins Vx_VoteKindAttr:$kind, I1:$predicate, Optional<I32>:$mask);
  let results = (outs AnyTypeOf<[I1, I32]>:$result);
  let assemblyFormat = !strconcat("$kind $predicate ", Vx_Masked, " attr-dict `:` type($result)");
  let hasVerifier = 1;
}

def Vx_ShuffleOp : Vx_Op<"shuffle", [AllTypesMatch<["value", "result"]>]> {
  let summary = "The value of another lane.";
  let description = [{
    The warp is divided into segments of `width` lanes, a power of two, 32 if nothing is said. The
    source is the lane `offset` before (`up`) or after (`down`) this one, the one whose number
    differs in the bits of `offset` (`xor`), or the lane `offset` of the segment (`idx`). A thread
    whose source is outside its segment gets its own value; what is read from a lane that is not
    a member is undefined.

    ```mlir
    %other = vx.shuffle xor %value, %offset : f32
    %first = vx.shuffle idx %value, %zero width 8 mask %m : i64
    ```
  }];
  let arguments = (ins Vx_ShuffleModeAttr:$mode, Vx_Value:$value, I32:$offset,
                       DefaultValuedAttr<I32Attr, "32">:$width, Optional<I32>:$mask);
  let results = (outs Vx_Value:$result);
  let assemblyFormat = !strconcat("$mode $value `,` $offset (`width` $width^)? ", Vx_Masked, " attr-dict `:` type($value)");
  let hasVerifier = 1;
}

def Vx_MatchOp : Vx_Op<"match"> {
  let summary = "The members that have the same value.";
  let description = [{
    `any`: the members whose value has the same bits as this thread's. `all`: the mask if all
    members have the same value, else 0.

    ```mlir
    %peers = vx.match any %key : i32
    ```
  }];
  let arguments = (ins Vx_MatchKindAttr:$kind, Vx_Number:$value, Optional<I32>:$mask);
  let results = (outs I32:$result);
  let assemblyFormat = !strconcat("$kind $value ", Vx_Masked, " attr-dict `:` type($value)");
}

def Vx_ReduceOp : Vx_Op<"reduce", [AllTypesMatch<["value", "result"]>]> {
  let summary = "The sum, minimum, … of the members' values.";
  let description = [{
    All members get the result. `umin` and `umax` are of unsigned integers; `and`, `or` and `xor`
    of integers only. With `width`, the members are the aligned segment of that many lanes around
    the thread, all of which execute the operation. The order of evaluation is a butterfly's.

    ```mlir
    %sum = vx.reduce add %value : f32
    %largest = vx.reduce umax %value width 8 : i32
    ```
  }];
  let arguments = (ins Vx_ReduceKindAttr:$kind, Vx_Number:$value, OptionalAttr<I32Attr>:$width,
                       Optional<I32>:$mask);
  let results = (outs Vx_Number:$result);
  let assemblyFormat = !strconcat("$kind $value (`width` $width^)? ", Vx_Masked, " attr-dict `:` type($value)");
  let hasVerifier = 1;
}

def Vx_TileOp : Vx_Op<"tile", [Pure]> {
  let summary = "The tile of a warp that the thread is in.";
  let description = [{
    Divides the warp into tiles of `size` lanes, a power of two up to 32. The results are the
    member mask of this thread's tile, for the other operations, the thread's place in the tile
    and the tile's place in the warp. The device compiler forms groups of that many lanes
    (`vx_tile`) where the kernel's operations need no larger ones.

    ```mlir
    %mask, %rank, %index = vx.tile 8
    %any = vx.vote any %p mask %mask : i1
    ```
  }];
  let arguments = (ins I32Attr:$size);
  let results = (outs I32:$mask, I32:$rank, I32:$index);
  let assemblyFormat = "$size attr-dict";
  let hasVerifier = 1;
}

def Vx_WarpSyncOp : Vx_Op<"warp_sync"> {
  let summary = "The members of a warp wait for each other.";
  let description = [{
    The members wait for each other, and see each other's accesses to memory before it.

    ```mlir
    vx.warp_sync mask %m
    ```
  }];
  let arguments = (ins Optional<I32>:$mask);
  let assemblyFormat = !strconcat(Vx_Masked, " attr-dict");
}

// ---- Barriers and fences.

class Vx_SynchronizeOp<string mnemonic, string what> : Vx_Op<mnemonic> {
  let summary = what;
  let description = what # ", and see each other's accesses to memory before it.\n\n" #
                    "```mlir\nvx." # mnemonic # "\n```";
  let assemblyFormat = "attr-dict";
}
def Vx_BarrierOp : Vx_SynchronizeOp<"barrier", "All threads of the block wait for each other">;
def Vx_GridSyncOp : Vx_SynchronizeOp<"grid_sync",
  "All threads of the grid of a cooperative launch wait for each other">;

def Vx_BarrierReduceOp : Vx_Op<"barrier_reduce"> {
  let summary = "All threads of the block wait for each other and ask a question.";
  let description = [{
    A barrier that also counts the threads whose predicate is true (`count`, an `i32`), or finds
    out whether it is true for all (`and`) or for any (`or`) of them.

    ```mlir
    %n = vx.barrier_reduce count %p : i32
    %any = vx.barrier_reduce or %p : i1
    ```
  }];
  let arguments = (ins Vx_BarrierReductionAttr:$kind, I1:$predicate);
  let results = (outs AnyTypeOf<[I1, I32]>:$result);
  let assemblyFormat = "$kind $predicate attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Vx_GroupSyncOp : Vx_Op<"group_sync"> {
  let summary = "The threads of a group of several warps wait for each other.";
  let description = [{
    The aligned group of 64, 128, 256 or 512 threads of the block that the thread is in. Groups
    do not wait for each other.

    ```mlir
    vx.group_sync 64
    ```
  }];
  let arguments = (ins I32Attr:$threads);
  let assemblyFormat = "$threads attr-dict";
  let hasVerifier = 1;
}

def Vx_FenceOp : Vx_Op<"fence"> {
  let summary = "Orders the thread's accesses to memory.";
  let description = [{
    Other threads of the block, of the device, or of the device and the host see the accesses
    before the fence before those after it. It does not wait for other threads.

    ```mlir
    vx.fence device
    ```
  }];
  let arguments = (ins Vx_FenceScopeAttr:$scope);
  let assemblyFormat = "$scope attr-dict";
}

// ---- Time, end.

def Vx_ClockOp : Vx_NumberOp<"clock", "Cycles of the core", I64, []>;
def Vx_GlobalTimerOp : Vx_NumberOp<"global_timer", "Nanoseconds at the device's nominal clock",
                                   I64, []>;
def Vx_TrapOp : Vx_Op<"trap"> {
  let summary = "Stops the kernel with an error.";
  let description = [{
    The launch fails, and the report names the operation's location.

    ```mlir
    vx.trap
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // VX_DOORS_MLIR_DIALECT_VXOPS_TD
