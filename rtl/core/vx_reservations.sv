// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reservation for each thread of the core, so that lanes which loop over load-reserved and
// store-conditional do not take each other's. A write ends all reservations on its eight bytes.

module vx_reservations
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic  clk,
    input  logic  reset,
    input  logic [width_of(THREADS)-1:0] thread,
    input  word_t address,
    input  logic  set,       // `thread` reserves `address`
    input  logic  drop,      // its reservation ends
    input  logic  written,   // `address` has been written
    output logic  holds,     // `thread` has reserved `address`
    output logic  any
);
  logic [THREADS-1:0] valid;
  logic [THREADS-1:0][XLEN-3:0] words;

  assign any = |valid;
  assign holds = valid[thread] && words[thread] == address[XLEN-1:2];

  always_ff @(posedge clk) begin
    if (reset) valid <= '0;
    else begin
      for (int t = 0; t < THREADS; t++)
        if (written && words[t][XLEN-3:1] == address[XLEN-1:3]) valid[t] <= 1'b0;
      if (drop) valid[thread] <= 1'b0;
      if (set) valid[thread] <= 1'b1;
    end
    if (set) words[thread] <= address[XLEN-1:2];
  end
endmodule
