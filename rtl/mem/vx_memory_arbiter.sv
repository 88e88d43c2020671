// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two caches at one memory port. Answers come in the order of the reads, so each goes to the cache whose
// read is the oldest: a queue of one bit per read under way. A cache has one read under way.

module vx_memory_arbiter
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic                clk,
    input  logic                reset,
    input  logic [1:0]          in_valid,
    output logic [1:0]          in_ready,
    input  mem_request_t [1:0]  in,
    output logic [1:0]          fill_valid,
    output logic                mem_valid,
    input  logic                mem_ready,
    output mem_request_t        mem,
    input  logic                answer_valid
);
  logic grant;
  logic [1:0] waiting;   // reads under way
  logic [1:0] whose;     // the cache of each, the oldest in bit 0

  vx_arbiter #(.COUNT(2)) arbiter (
      .clk, .reset, .requests(in_valid), .taken(mem_ready), .valid(mem_valid), .grant
  );
  assign mem = in[grant];
  assign in_ready = mem_ready && mem_valid ? 2'b01 << grant : '0;
  assign fill_valid = answer_valid ? 2'b01 << whose[0] : '0;

  wire read = mem_valid && mem_ready && !mem.write;
  always_ff @(posedge clk) begin
    if (reset) waiting <= '0;
    else waiting <= waiting + 2'(read) - 2'(answer_valid);
    if (answer_valid) whose[0] <= whose[1];
    if (read) whose[waiting[0] && !answer_valid] <= grant;
  end
endmodule
