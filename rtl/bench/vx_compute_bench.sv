// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The computing units after a decoder, one instruction of a hardware warp at a time.

module vx_compute_bench
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic      clk,
    input  logic      reset,
    input  logic      in_valid,
    output logic      in_ready,
    input  word_t     word,
    input  word_t     imm,
    input  lanes_t    mask,
    input  rounding_t rounding,
    input  words_t    a, b, c,
    output logic      is_computing,   // the word is an instruction of these units
    output logic [7:0] op,            // 0: the word is not an instruction of the core
    output logic      out_valid,
    output words_t    out_data,
    output fflags_t   out_fflags
);
  insn_t insn;
  issue_t issue;
  result_t result;

  always_comb begin
    insn = decode(word);
    is_computing = insn.op != OP_INVALID && insn.flow == FLOW_STRAIGHT && insn.memory == MEMORY_NONE;
    op = 8'(insn.op);
    issue = '0;
    issue.beat = '{slot: '0, warp: '0, mask: mask, first: 1'b1, last: 1'b1};
    issue.size = WARP_SIZE;
    issue.insn = insn;
    issue.word = word;
    issue.imm = imm;
    issue.rounding = rounding;
    issue.a = a;
    issue.b = b;
    issue.c = c;
  end

  vx_compute compute (
      .clk, .reset, .in_valid(in_valid && is_computing), .in_ready, .in(issue), .out_valid, .out_ready(1'b1),
      .out(result)
  );
  assign out_data = result.data;
  assign out_fflags = result.fflags;
endmodule
