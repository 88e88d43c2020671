// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches instruction words through the instruction cache, in order.

module vx_fetch
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic         clk,
    input  logic         reset,
    input  logic         flush,
    input  logic         in_valid,
    output logic         in_ready,
    input  fetch_t       in,
    output logic         out_valid,
    input  logic         out_ready,
    output fetched_t     out,
    output logic         mem_valid,
    input  logic         mem_ready,
    output mem_request_t mem,
    input  logic         fill_valid,
    input  line_data_t   fill_data
);
  mem_request_t request;
  fetch_t fetched;
  line_data_t line;
  logic line_valid, line_ready;
  fetched_t next;

  always_comb begin
    request = '0;
    request.line = in.pc[XLEN-1:LINE_BITS];
  end

  vx_cache #(.SETS(256), .TAG(fetch_t)) icache (
      .clk, .reset, .flush, .in_valid, .in_ready, .in(request), .in_tag(in),
      .out_valid(line_valid), .out_ready(line_ready), .out_data(line), .out_tag(fetched),
      .mem_valid, .mem_ready, .mem, .fill_valid, .fill_data
  );

  always_comb begin
    next.slot = fetched.slot;
    next.pc = fetched.pc;
    next.word = line[32*fetched.pc[LINE_BITS-1:2]+:32];
  end

  vx_pipe #(.T(fetched_t)) pipe (
      .clk, .reset, .in_valid(line_valid), .in_ready(line_ready), .in_data(next), .out_valid, .out_ready,
      .out_data(out)
  );
endmodule
