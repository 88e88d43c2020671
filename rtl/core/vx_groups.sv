// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group table: which threads execute together, and the state of each group. Thread masks are kept
// by cell, so that regrouping moves none of them.
//
// Changes come from the scheduler (an instruction is under way), from the control unit (masks, depths,
// flags, what a group waits for), from the end of an instruction, from barriers, from the tile engine,
// and from the rule of vx_wspawn below. Each change is to a group of its own: a group has one
// instruction in flight, and what waits has none.

module vx_groups
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic             clk,
    input  logic             reset,
    input  word_t            start_pc,
    output groups_t          groups,
    output all_threads_t     masks,
    output logic [NUM_WARPS-1:0] live_warps,
    // An instruction of `issue_slot` is under way.
    input  logic             issue,
    input  slot_t            issue_slot,
    input  update_t          update,
    // A beat of an instruction ends.
    input  logic             commit,
    input  result_t          result,
    // Groups that leave their barrier.
    input  logic [CELLS-1:0] release_barrier,
    // New groups for the cells of `form_cells`.
    input  logic [CELLS-1:0] form_cells,
    input  groups_t          formed,
    input  logic [CELLS-1:0] suspend
);
  logic [5:0] spawn_count;
  word_t spawn_pc;
  logic spawn;
  logic [CELLS-1:0] normalize, warp_empty;

  wire slot_t ending = result.beat.slot;
  wire ends = commit && result.beat.last && result.fault == FAULT_NONE;

  // The owner of each cell.
  slot_t [CELLS-1:0] owner;
  always_comb
    for (int c = 0; c < CELLS; c++) owner[c] = owner_of(groups, slot_t'(c));

  always_comb begin
    live_warps = '0;
    for (int c = 0; c < CELLS; c++)
      if (groups[owner[c]].state != GROUP_IDLE) live_warps[c/CELLS_PER_WARP] = 1'b1;
  end

  // A hardware warp none of whose threads runs is a group of its own again, ready to be spawned. It has
  // ended unless all that was in it had no active thread.
  always_comb
    for (int w = 0; w < NUM_WARPS; w++)
      for (int i = 0; i < CELLS_PER_WARP; i++) begin
        automatic int c = w * CELLS_PER_WARP + i;
        normalize[c] = !live_warps[w];
        warp_empty[c] = 1'b1;
        for (int j = 0; j < CELLS_PER_WARP; j++)
          if (!groups[owner[w*CELLS_PER_WARP+j]].empty) warp_empty[c] = 1'b0;
      end

  // A vx_wspawn takes place when its warp is the only live one.
  always_comb begin
    spawn = groups[0].state == GROUP_AT_SPAWN;
    for (int w = 1; w < NUM_WARPS; w++)
      if (live_warps[w]) spawn = 1'b0;
  end

  // ---- Masks: by cell ---------------------------------------------------------------------------

  wire all_threads_t update_bits =
      all_threads_t'(threads_of(groups[update.slot].size)) << (CELL * update.slot);
  wire all_threads_t update_mask = all_threads_t'(update.mask) << (CELL * update.slot);

  always_ff @(posedge clk) begin
    if (reset) masks <= all_threads_t'(1);
    else begin
      if (update.valid && update.set_mask) masks <= (masks & ~update_bits) | (update_mask & update_bits);
      if (spawn)
        for (int w = 1; w < NUM_WARPS; w++)
          if (w < int'(spawn_count)) masks[w*NUM_LANES] <= 1'b1;
    end
  end

  // ---- Everything else: by group ----------------------------------------------------------------

  always_ff @(posedge clk)
    if (update.valid && update.set_spawn) begin
      spawn_count <= update.count;
      spawn_pc <= update.spawn_pc;
    end

  for (genvar c = 0; c < CELLS; c++) begin : gen_cell
    localparam int WARP = c / CELLS_PER_WARP;
    localparam bit FIRST = c % CELLS_PER_WARP == 0;
    wire updated = update.valid && update.slot == slot_t'(c);
    wire spawned = FIRST && WARP > 0 && spawn && WARP < int'(spawn_count);

    always_ff @(posedge clk) begin
      if (reset) begin
        groups[c] <= '0;
        groups[c].head <= FIRST;
        groups[c].size <= WARP_SIZE;
        groups[c].state <= c == 0 ? GROUP_READY : GROUP_IDLE;
        groups[c].pc <= start_pc;
      end else if (spawned) begin
        groups[c] <= '0;
        groups[c].head <= 1'b1;
        groups[c].size <= WARP_SIZE;
        groups[c].state <= GROUP_READY;
        groups[c].pc <= spawn_pc;
      end else if (form_cells[c]) begin
        groups[c] <= formed[c];
      end else if (normalize[c]) begin
        groups[c].head <= FIRST;
        groups[c].size <= WARP_SIZE;
        groups[c].state <= GROUP_IDLE;
        groups[c].empty <= warp_empty[c];
      end else begin
        if (suspend[c]) groups[c].state <= GROUP_SUSPENDED;
        if (release_barrier[c]) groups[c].state <= GROUP_READY;
        if (c == 0 && spawn) groups[c].state <= GROUP_READY;
        if (issue && issue_slot == slot_t'(c)) groups[c].state <= GROUP_RUNNING;
        if (updated && update.set_depth) groups[c].depth <= update.depth;
        if (updated && update.set_fflags) groups[c].fflags <= update.fflags;
        if (updated && update.set_frm) groups[c].frm <= update.frm;
        if (updated && update.set_waits) groups[c].waits <= update.waits;
        if (commit && ending == slot_t'(c) && result.fflags != 0)
          groups[c].fflags <= groups[c].fflags | result.fflags;
        if (ends && ending == slot_t'(c)) begin
          groups[c].state <= result.park;
          groups[c].pc <= result.redirect ? result.target : groups[c].pc + 4;
          if (result.park == GROUP_IDLE) groups[c].empty <= 1'b0;
        end
      end
    end
  end
endmodule
