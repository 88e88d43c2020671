// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of the core. Groups that wait are in the group table; here are the counts that they wait for.
// A barrier of the core opens when as many groups wait at it, a global one when all live groups do: with
// one core, no other has to arrive.

module vx_barriers
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic             clk,
    input  groups_t          groups,
    input  update_t          update,          // names the barrier that a group is about to wait at
    output logic [CELLS-1:0] release_barrier,
    // The count that others wait for at a barrier, 0 if none does.
    input  wait_t            query,
    output logic [5:0]       query_count
);
  logic [NUM_BARRIERS-1:0][5:0] counts;
  logic [5:0] global_count;

  always_ff @(posedge clk)
    if (update.valid && update.set_barrier) begin
      if (update.waits.is_global) global_count <= update.count;
      else if (int'(update.waits.barrier) < NUM_BARRIERS) counts[update.waits.barrier] <= update.count;
    end

  function automatic logic waits_at(group_t g, logic is_global, int barrier);
    return g.head && g.state == GROUP_AT_BARRIER && g.waits.is_global == is_global &&
           int'(g.waits.barrier) == barrier;
  endfunction

  logic [NUM_BARRIERS-1:0][6:0] arrived;
  logic any_at_query;
  always_comb begin
    arrived = '0;
    any_at_query = 1'b0;
    for (int c = 0; c < CELLS; c++) begin
      for (int b = 0; b < NUM_BARRIERS; b++)
        arrived[b] += 7'(waits_at(groups[c], 1'b0, b));
      if (waits_at(groups[c], query.is_global, int'(query.barrier))) any_at_query = 1'b1;
    end
  end
  assign query_count = !any_at_query ? '0
      : query.is_global ? global_count
      : int'(query.barrier) < NUM_BARRIERS ? counts[query.barrier] : '0;

  // All live groups wait at the global barrier of the first one that waits at any.
  logic all_global;
  logic [4:0] global_barrier;
  always_comb begin
    global_barrier = '0;
    for (int c = CELLS - 1; c >= 0; c--)
      if (groups[c].head && groups[c].state == GROUP_AT_BARRIER && groups[c].waits.is_global)
        global_barrier = groups[c].waits.barrier;
    all_global = 1'b1;
    for (int c = 0; c < CELLS; c++)
      if (groups[c].head && groups[c].state != GROUP_IDLE && !waits_at(groups[c], 1'b1, int'(global_barrier)))
        all_global = 1'b0;
  end

  always_comb begin
    release_barrier = '0;
    for (int c = 0; c < CELLS; c++) begin
      for (int b = 0; b < NUM_BARRIERS; b++)
        if (waits_at(groups[c], 1'b0, b) && arrived[b] >= 7'(counts[b])) release_barrier[c] = 1'b1;
      if (all_global && waits_at(groups[c], 1'b1, int'(global_barrier))) release_barrier[c] = 1'b1;
    end
  end
endmodule
