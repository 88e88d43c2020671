// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core: its stages and units, and how they are joined.
//
//   groups ─► scheduler ─► fetch ─► operands ─► compute (arithmetic, votes, shuffles) ─┐
//     ▲                     │       registers   LSU ─► D$, local memory ───────────────┼─► commit
//     │                    I$         ▲         control (masks, groups, CSRs) ─────────┘     │
//     └───────────────────────────────┴──────────────────────────────────────────────────────┘
//
// A group has one instruction in flight, so there is nothing to wait for between its instructions; other
// groups fill the time. One beat of a result is committed per cycle.
//
// Simulation and a host see: `done` (all groups have ended and memory has all that was written), a fault
// that stopped the core, `stuck` (groups are left and none can run), and each beat that is committed.

module vx_core
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic        clk,
    input  logic        reset,
    input  word_t       start_pc,
    input  word_t       start_argument,
    output logic        done,
    output logic        stuck,
    // Memory: lines. Answers of reads come in their order; writes have none.
    output logic        mem_valid,
    input  logic        mem_ready,
    output logic        mem_write,
    output logic        mem_is_code,
    output line_t       mem_line,
    output line_data_t  mem_data,
    output logic [LINE_BYTES-1:0] mem_enable,
    input  logic        answer_valid,
    input  line_data_t  answer_data,
    // The load, store or atomic that the load/store unit works on.
    output slot_t       access_slot,
    output word_t       access_pc,
    output word_t       access_address,
    // The beat that is committed in this cycle.
    output logic        commit_valid,
    output slot_t       commit_slot,
    output warp_t       commit_warp,
    output word_t       commit_pc,
    output logic        commit_last,
    output lanes_t      commit_mask,
    output logic        commit_write,
    output logic [5:0]  commit_rd,
    output words_t      commit_data,
    output fault_e      commit_fault,
    output word_t       commit_target
);
  groups_t groups, formed;
  all_threads_t masks;
  logic [NUM_WARPS-1:0] live_warps;
  logic [CELLS-1:0] release_barrier, form_cells, suspend;
  update_t update;
  wait_t barrier_query;
  logic [5:0] barrier_count;
  logic tile_busy, halted;
  logic commit;
  result_t result;
  logic [6:0] executed;

  // ---- Groups ---------------------------------------------------------------------------------------

  fetch_t chosen;
  logic chosen_valid, chosen_ready;

  vx_groups group_table (
      .clk, .reset, .start_pc, .groups, .masks, .live_warps, .issue(chosen_valid && chosen_ready),
      .issue_slot(chosen.slot), .update, .commit, .result, .release_barrier, .form_cells, .formed, .suspend
  );
  if (HAS_TILES) begin : gen_tiles
    vx_tile_engine tile_engine (
        .clk, .reset, .groups, .masks,
        .arrived(commit && result.beat.last && result.park == GROUP_AT_TILE && result.fault == FAULT_NONE),
        .busy(tile_busy), .form_cells, .formed, .suspend
    );
  end else begin : gen_no_tiles
    assign tile_busy = 1'b0;
    assign form_cells = '0;
    assign formed = '0;
    assign suspend = '0;
  end
  vx_barriers barriers (
      .clk, .groups, .update, .release_barrier, .query(barrier_query), .query_count(barrier_count)
  );
  vx_scheduler scheduler (
      .clk, .reset, .halted, .groups, .out_valid(chosen_valid), .out_ready(chosen_ready), .out(chosen)
  );

  // ---- Fetch and operands ---------------------------------------------------------------------------

  fetched_t fetched;
  logic fetched_valid, fetched_ready, flush_icache;
  issue_t issue;
  logic issue_valid, issue_ready;
  logic [1:0] cache_mem_valid, cache_mem_ready, fill_valid;
  mem_request_t [1:0] cache_mem;
  localparam int DATA = 0, CODE = 1;

  vx_fetch fetch (
      .clk, .reset, .flush(flush_icache), .in_valid(chosen_valid), .in_ready(chosen_ready), .in(chosen),
      .out_valid(fetched_valid), .out_ready(fetched_ready), .out(fetched),
      .mem_valid(cache_mem_valid[CODE]), .mem_ready(cache_mem_ready[CODE]), .mem(cache_mem[CODE]),
      .fill_valid(fill_valid[CODE]), .fill_data(answer_data)
  );
  vx_operands operands (
      .clk, .reset, .groups, .masks, .in_valid(fetched_valid), .in_ready(fetched_ready), .in(fetched),
      .out_valid(issue_valid), .out_ready(issue_ready), .out(issue), .commit, .result
  );

  // ---- Units ----------------------------------------------------------------------------------------

  logic [NUM_PARTS-1:0] part_in_valid, part_in_ready, part_out_valid, part_out_ready;
  result_t [NUM_PARTS-1:0] results;
  wire part_e part = part_of(issue.insn.latency);
  assign part_in_valid = issue_valid ? NUM_PARTS'(1) << part : '0;
  assign issue_ready = part_in_ready[part];

  vx_compute compute (
      .clk, .reset, .in_valid(part_in_valid[PART_COMPUTE]), .in_ready(part_in_ready[PART_COMPUTE]), .in(issue),
      .out_valid(part_out_valid[PART_COMPUTE]), .out_ready(part_out_ready[PART_COMPUTE]), .out(results[PART_COMPUTE])
  );
  vx_control control (
      .clk, .reset, .start_argument, .groups, .masks, .live_warps, .executed, .tile_busy, .update,
      .barrier_query, .barrier_count,
      .in_valid(part_in_valid[PART_CONTROL]), .in_ready(part_in_ready[PART_CONTROL]), .in(issue),
      .out_valid(part_out_valid[PART_CONTROL]), .out_ready(part_out_ready[PART_CONTROL]),
      .out(results[PART_CONTROL])
  );

  mem_request_t load_store;
  logic load_store_valid, load_store_ready, data_valid;
  line_data_t data_line;
  logic unused_tag;
  vx_lsu lsu (
      .clk, .reset, .flush_icache, .in_valid(part_in_valid[PART_LOAD_STORE]), .in_ready(part_in_ready[PART_LOAD_STORE]),
      .in(issue), .out_valid(part_out_valid[PART_LOAD_STORE]), .out_ready(part_out_ready[PART_LOAD_STORE]),
      .out(results[PART_LOAD_STORE]), .access_slot, .access_pc, .access_address, 
      .cache_valid(load_store_valid), .cache_ready(load_store_ready),
      .cache(load_store), .answer_valid(data_valid), .answer(data_line)
  );
  vx_cache #(.SETS(256)) dcache (
      .clk, .reset, .flush(1'b0), .in_valid(load_store_valid), .in_ready(load_store_ready), .in(load_store),
      .in_tag(1'b0), .out_valid(data_valid), .out_ready(1'b1), .out_data(data_line), .out_tag(unused_tag),
      .mem_valid(cache_mem_valid[DATA]), .mem_ready(cache_mem_ready[DATA]), .mem(cache_mem[DATA]),
      .fill_valid(fill_valid[DATA]), .fill_data(answer_data)
  );

  // ---- Memory port ----------------------------------------------------------------------------------

  mem_request_t mem;
  vx_memory_arbiter memory_arbiter (
      .clk, .reset, .in_valid(cache_mem_valid), .in_ready(cache_mem_ready), .in(cache_mem), .fill_valid,
      .mem_valid, .mem_ready, .mem, .answer_valid
  );
  assign mem_write = mem.write;
  assign mem_is_code = cache_mem_ready[CODE];
  assign mem_line = mem.line;
  assign mem_data = mem.data;
  assign mem_enable = mem.enable;

  // ---- Commit ---------------------------------------------------------------------------------------

  logic [1:0] winner;
  vx_arbiter #(.COUNT(NUM_PARTS)) commit_arbiter (
      .clk, .reset, .requests(part_out_valid), .taken(1'b1), .valid(commit), .grant(winner)
  );
  assign part_out_ready = commit ? NUM_PARTS'(1) << winner : '0;
  assign result = results[winner];
  assign executed = commit && result.fault == FAULT_NONE ? 7'($countones(result.beat.mask)) : '0;

  // A fault stops the core: nothing new is issued.
  always_ff @(posedge clk)
    if (reset) halted <= 1'b0;
    else if (commit && result.fault != FAULT_NONE) halted <= 1'b1;

  logic any_active, any_waiting;
  always_comb begin
    any_active = tile_busy || |release_barrier;
    any_waiting = 1'b0;
    for (int c = 0; c < CELLS; c++)
      if (groups[c].head)
        case (groups[c].state)
          GROUP_IDLE: ;
          GROUP_READY, GROUP_RUNNING: any_active = 1'b1;
          default: any_waiting = 1'b1;
        endcase
    if (groups[0].state == GROUP_AT_SPAWN && live_warps == 1) any_active = 1'b1;
  end
  assign done = !any_active && !any_waiting;
  assign stuck = !any_active && any_waiting;

  assign commit_valid = commit;
  assign commit_slot = result.beat.slot;
  assign commit_warp = result.beat.warp;
  assign commit_pc = groups[result.beat.slot].pc;
  assign commit_last = result.beat.last;
  assign commit_mask = result.beat.mask;
  assign commit_write = result.write;
  assign commit_rd = result.rd;
  assign commit_data = result.data;
  assign commit_fault = result.fault;
  assign commit_target = result.target;
endmodule
