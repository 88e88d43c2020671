// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that the modules of the core share.
//
// What executes is a *group* of threads with one pc, one thread mask and one stack of splits: a
// hardware warp, or after a vx_tile 4, 8, 16 or 32 threads. The threads of the core are counted as
// warp * NUM_LANES + lane and divided into *cells* of four (without vx_tile, of a warp); a group is an aligned run of cells, and
// its number, the *slot*, is that of its first cell. An instruction of a group passes through the core
// as one *beat* for each hardware warp that the group has threads in. A group has one instruction in
// flight at a time.
//
// Streams have valid and ready: a transfer happens in a cycle where both are set, and valid does not
// wait for ready.

package vx_pkg;
  import vx_isa_pkg::*;
  import vx_shape_pkg::*;

  localparam int XLEN = 32;
  localparam int CELL = HAS_TILES ? 4 : NUM_LANES;
  localparam int THREADS = NUM_WARPS * NUM_LANES;
  localparam int CELLS = THREADS / CELL;
  localparam int CELLS_PER_WARP = NUM_LANES / CELL;
  localparam int TILE_CELLS = 8;  // that the mask of a vx_tile is about
  localparam int GROUP_MAX = !HAS_TILES ? NUM_LANES : THREADS < 32 ? THREADS : 32;
  localparam int BEATS_MAX = GROUP_MAX / NUM_LANES;
  localparam int NUM_BARRIERS = NUM_WARPS < 2 ? 1 : NUM_WARPS / 2;
  localparam int NUM_CORES = 1;

  // The bits of a number below COUNT, at least one.
  function automatic int width_of(int count);
    return count < 2 ? 1 : $clog2(count);
  endfunction

  typedef logic [XLEN-1:0] word_t;
  typedef logic [width_of(CELLS)-1:0] slot_t;
  typedef logic [width_of(NUM_WARPS)-1:0] warp_t;
  typedef logic [width_of(BEATS_MAX)-1:0] beat_number_t;
  typedef logic [NUM_LANES-1:0] lanes_t;          // a bit for each lane
  typedef logic [NUM_LANES-1:0][XLEN-1:0] words_t;
  typedef logic [GROUP_MAX-1:0] threads_t;        // a bit for each thread of a group
  typedef logic [THREADS-1:0] all_threads_t;      // a bit for each thread of the core
  typedef logic [1:0] size_t;                     // log2 of the cells of a group
  typedef logic [4:0] depth_t;                    // open splits of a group
  typedef logic [2:0] rounding_t;
  typedef logic [4:0] fflags_t;

  localparam size_t WARP_SIZE = size_t'($clog2(CELLS_PER_WARP));

  // ---- Groups -----------------------------------------------------------------------------------

  typedef enum logic [2:0] {
    GROUP_IDLE,        // not started, ended, or part of a group in another slot
    GROUP_READY,
    GROUP_RUNNING,     // an instruction is in flight
    GROUP_AT_BARRIER,
    GROUP_AT_SPAWN,    // its vx_wspawn waits for the other warps to end
    GROUP_AT_TILE,     // its vx_tile waits for the others of the new group
    GROUP_SUSPENDED    // a vx_tile left it out; a later one resumes it
  } state_e;

  // The operands of what a group waits for: id of a barrier, or mask and size of a vx_tile.
  typedef struct packed {
    logic is_global;
    logic [4:0] barrier;
    logic [7:0] tile_mask;
    size_t tile_size;
  } wait_t;

  typedef struct packed {
    logic head;        // a group begins in this cell; else the rest has no meaning
    logic empty;       // idle because no thread was active when it was formed
    state_e state;
    size_t size;
    word_t pc;
    depth_t depth;
    fflags_t fflags;
    rounding_t frm;
    wait_t waits;
  } group_t;
  typedef group_t [CELLS-1:0] groups_t;

  function automatic threads_t threads_of(size_t size);
    return threads_t'((64'd1 << (CELL << size)) - 64'd1);
  endfunction

  // The threads of a group among those of the core.
  function automatic threads_t group_mask(all_threads_t all, slot_t slot, size_t size);
    return threads_t'(all >> (CELL * slot)) & threads_of(size);
  endfunction

  function automatic warp_t warp_of(slot_t slot);
    return warp_t'(int'(slot) / CELLS_PER_WARP);
  endfunction

  // The lane of a group's first thread.
  function automatic logic [4:0] first_lane_of(slot_t slot);
    return 5'(CELL * (int'(slot) % CELLS_PER_WARP));
  endfunction

  // The lanes of a hardware warp that can belong to a group.
  function automatic lanes_t lanes_of(slot_t slot, size_t size);
    return size >= WARP_SIZE ? '1 : lanes_t'(threads_of(size)) << first_lane_of(slot);
  endfunction

  function automatic beat_number_t last_beat_of(size_t size);
    return size <= WARP_SIZE ? '0 : beat_number_t'((1 << (size - WARP_SIZE)) - 1);
  endfunction

  // The cell where the group begins that CELL is part of.
  function automatic slot_t owner_of(groups_t groups, slot_t cell_number);
    owner_of = cell_number;
    for (int s = 0; s <= 3; s++) begin
      slot_t first = slot_t'((int'(cell_number) >> s) << s);
      if (groups[first].head && int'(groups[first].size) >= s) owner_of = first;
    end
  endfunction

  // Returns 1 if the mask of a vx_tile names the group that begins in a cell.
  function automatic logic is_named(logic [7:0] mask, slot_t cell_number);
    return mask[7 - int'(cell_number) % TILE_CELLS];
  endfunction

  // ---- Instructions in flight -------------------------------------------------------------------

  // Where a beat goes after its operands.
  typedef enum logic [1:0] {PART_COMPUTE, PART_LOAD_STORE, PART_CONTROL} part_e;
  localparam int NUM_PARTS = 3;
  typedef enum logic [2:0] {
    UNIT_ALU, UNIT_MUL, UNIT_DIV, UNIT_EXCHANGE, UNIT_FMA, UNIT_FDIV, UNIT_FMISC
  } unit_e;
  localparam int NUM_UNITS = 7;

  function automatic part_e part_of(latency_e latency);
    case (latency)
      LATENCY_LSU: return PART_LOAD_STORE;
      LATENCY_SFU: return PART_CONTROL;
      default: return PART_COMPUTE;
    endcase
  endfunction

  // The unit of an instruction that only computes.
  function automatic unit_e unit_of(latency_e latency);
    case (latency)
      LATENCY_MUL: return UNIT_MUL;
      LATENCY_DIV: return UNIT_DIV;
      LATENCY_VOTE, LATENCY_SHUFFLE: return UNIT_EXCHANGE;
      LATENCY_FP_FMA: return UNIT_FMA;
      LATENCY_FP_DIV, LATENCY_FP_SQRT: return UNIT_FDIV;
      LATENCY_FP_CONVERT, LATENCY_FP_MOVE: return UNIT_FMISC;
      default: return UNIT_ALU;
    endcase
  endfunction

  // An instruction on its way from the scheduler to the operands.
  typedef struct packed {
    slot_t slot;
    word_t pc;
  } fetch_t;
  typedef struct packed {
    slot_t slot;
    word_t pc;
    word_t word;
  } fetched_t;

  typedef struct packed {
    slot_t slot;
    warp_t warp;
    lanes_t mask;       // active lanes of the hardware warp that belong to the group
    logic first, last;  // beat of the instruction
  } beat_t;

  // A beat with its operands: what a unit takes.
  typedef struct packed {
    beat_t beat;
    size_t size;
    insn_t insn;
    word_t word;
    word_t pc;
    word_t imm;
    rounding_t rounding;
    words_t a, b, c;    // of rs1, rs2, rs3
  } issue_t;

  typedef enum logic [3:0] {
    FAULT_NONE, FAULT_ILLEGAL, FAULT_MISALIGNED, FAULT_DIVERGENCE, FAULT_IPDOM_OVERFLOW,
    FAULT_IPDOM_UNDERFLOW, FAULT_BARRIER, FAULT_SPAWN, FAULT_TILE, FAULT_BREAKPOINT, FAULT_ECALL
  } fault_e;

  // What a unit makes of a beat. The last one ends the instruction: the group continues at the next
  // instruction or at `target`, in the state `park`.
  typedef struct packed {
    beat_t beat;
    logic write;        // `data` goes to register rd of the active lanes
    logic [5:0] rd;     // from 32 on: floating-point
    words_t data;
    fflags_t fflags;
    logic redirect;
    word_t target;      // with FAULT_MISALIGNED the address
    state_e park;
    fault_e fault;
  } result_t;

  // A result with nothing but its beat and its register.
  function automatic result_t plain_result(issue_t in);
    plain_result = '0;
    plain_result.beat = in.beat;
    plain_result.write = in.insn.writes_f || (in.insn.writes_x && in.word[11:7] != 0);
    plain_result.rd = {in.insn.writes_f, in.word[11:7]};
    plain_result.park = GROUP_READY;
    plain_result.fault = FAULT_NONE;
  endfunction

  // A change that the control unit makes to a group; its instruction is in flight.
  typedef struct packed {
    logic valid;
    slot_t slot;
    logic set_mask, set_depth, set_fflags, set_frm, set_waits, set_barrier, set_spawn;
    threads_t mask;
    depth_t depth;
    fflags_t fflags;
    rounding_t frm;
    wait_t waits;
    logic [5:0] count;  // of the barrier or the warps to spawn
    word_t spawn_pc;
  } update_t;

  // ---- Memory -----------------------------------------------------------------------------------

  localparam int LINE_BYTES = 64;
  localparam int LINE_BITS = $clog2(LINE_BYTES);
  typedef logic [XLEN-LINE_BITS-1:0] line_t;        // number of a line
  typedef logic [LINE_BYTES*8-1:0] line_data_t;

  typedef struct packed {
    logic write;
    line_t line;
    line_data_t data;
    logic [LINE_BYTES-1:0] enable;  // bytes to be written
  } mem_request_t;

endpackage
