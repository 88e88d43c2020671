// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the group whose next instruction is fetched: round-robin among those that are ready.

module vx_scheduler
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic    clk,
    input  logic    reset,
    input  logic    halted,
    input  groups_t groups,
    output logic    out_valid,
    input  logic    out_ready,
    output fetch_t  out
);
  logic [CELLS-1:0] ready;
  slot_t grant;

  always_comb
    for (int c = 0; c < CELLS; c++)
      ready[c] = groups[c].head && groups[c].state == GROUP_READY && !halted;

  vx_arbiter #(.COUNT(CELLS)) arbiter (
      .clk, .reset, .requests(ready), .taken(out_ready), .valid(out_valid), .grant
  );

  assign out.slot = grant;
  assign out.pc = groups[grant].pc;
endmodule
