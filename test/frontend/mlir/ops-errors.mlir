// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of the operations' verifiers.
//
// RUN: %vx_mlir_opt %s --split-input-file --verify-diagnostics

func.func @ballot(%p: i1) {
  // expected-error @below {{'vx.vote' op 'ballot' has a result of type i32}}
  %0 = vx.vote ballot %p : i1
  return
}

// -----

func.func @vote(%p: i1) {
  // expected-error @below {{'vx.vote' op 'any' has a result of type i1}}
  %0 = vx.vote any %p : i32
  return
}

// -----

func.func @predicate(%p: i32) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{expects different type than prior uses: 'i1' vs 'i32'}}
  %0 = vx.vote all %p : i1
  return
}

// -----

func.func @width(%v: f32, %i: i32) {
  // expected-error @below {{'vx.shuffle' op width is 12, it must be a power of two up to 32}}
  %0 = vx.shuffle up %v, %i width 12 : f32
  return
}

// -----

func.func @wide(%v: f32, %i: i32) {
  // expected-error @below {{'vx.shuffle' op width is 64, it must be a power of two up to 32}}
  %0 = vx.shuffle up %v, %i width 64 : f32
  return
}

// -----

func.func @type(%v: vector<2xf32>, %i: i32) {
  // expected-error @below {{'vx.shuffle' op operand #0 must be}}
  %0 = vx.shuffle up %v, %i : vector<2xf32>
  return
}

// -----

func.func @direction(%v: f32, %i: i32) {
  // expected-error @+2 {{expected ::vx::dialect::ShuffleMode to be one of: up, down, xor, idx}}
  // expected-error @+1 {{failed to parse}}
  %0 = vx.shuffle left %v, %i : f32
  return
}

// -----

func.func @match(%v: f16) {
  // expected-error @below {{'vx.match' op operand #0 must be}}
  %0 = vx.match any %v : f16
  return
}

// -----

func.func @reduceFloat(%v: f32) {
  // expected-error @below {{'vx.reduce' op 'xor' is for integers, not for 'f32'}}
  %0 = vx.reduce xor %v : f32
  return
}

// -----

func.func @reduceUnsigned(%v: f64) {
  // expected-error @below {{'vx.reduce' op 'umin' is for integers, not for 'f64'}}
  %0 = vx.reduce umin %v : f64
  return
}

// -----

func.func @reduceWidth(%v: i32) {
  // expected-error @below {{'vx.reduce' op width is 0, it must be a power of two up to 32}}
  %0 = vx.reduce add %v width 0 : i32
  return
}

// -----

func.func @reduceBoth(%v: i32, %m: i32) {
  // expected-error @below {{'vx.reduce' op 'width' and 'mask' exclude each other: the width names the members}}
  %0 = vx.reduce add %v width 8 mask %m : i32
  return
}

// -----

func.func @tile() {
  // expected-error @below {{'vx.tile' op size is 6, it must be a power of two up to 32}}
  %0, %1, %2 = vx.tile 6
  return
}

// -----

func.func @count(%p: i1) {
  // expected-error @below {{'vx.barrier_reduce' op 'count' has a result of type i32}}
  %0 = vx.barrier_reduce count %p : i1
  return
}

// -----

func.func @either(%p: i1) {
  // expected-error @below {{'vx.barrier_reduce' op 'or' has a result of type i1}}
  %0 = vx.barrier_reduce or %p : i32
  return
}

// -----

func.func @group() {
  // expected-error @below {{'vx.group_sync' op a group has 64, 128, 256 or 512 threads, not 32; vx.warp_sync is for parts of a warp, vx.barrier for the block}}
  vx.group_sync 32
  return
}

// -----

// expected-error @below {{O is 4, it must be 0 to 3}}
gpu.module @m [#vx.target<O = 4>] {}

// -----

// expected-error @below {{lower is "both", it must be "auto", "hw" or "sw"}}
gpu.module @m [#vx.target<lower = "both">] {}

// -----

// expected-error @below {{xlen is "16", it must be "64", "32" or "32,64"}}
gpu.module @m [#vx.target<xlen = "16">] {}

// -----

// expected-error @below {{isa is "warp,warp", it must be "base", "upstream", "warp", "paths", or several of them joined by commas}}
gpu.module @m [#vx.target<isa = "warp,warp">] {}

// -----

// expected-error @below {{target is "cuda", it must be "vortex", "host" or "vortex,host"}}
gpu.module @m [#vx.target<target = "cuda">] {}

// -----

// expected-error @below {{link must be an array of file names}}
gpu.module @m [#vx.target<link = [1]>] {}
