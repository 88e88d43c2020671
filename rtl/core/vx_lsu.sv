// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores and atomics of a beat at a time. Lanes that wait are served in the order of their numbers,
// as many at once as one access can serve: those in local memory that meet no conflict of banks, or all that
// lie in the same line of the cache (coalescing). Of lanes that write the same bytes the last one wins.
// Atomics take one lane at a time, and so do stores while some thread holds a reservation, which has to
// see each of them.
//
// A beat ends when all of its accesses have taken place, and beats are served one after the other: every
// instruction that ends is in memory before whatever any warp issues after it. So a barrier, which is
// issued after the stores of its group have ended, finds them done, and a fence has nothing to wait for.
//
//   IDLE ─► SELECT ─► WAIT ─┬──────────────► SELECT …─► SEND
//                           └─► MODIFY ─► WAIT_WRITE ─┘     (atomics)

module vx_lsu
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic         clk,
    input  logic         reset,
    output logic         flush_icache,
    input  logic         in_valid,
    output logic         in_ready,
    input  issue_t       in,
    output logic         out_valid,
    input  logic         out_ready,
    output result_t      out,
    // What the cache is asked for, for reports: the first lane's address.
    output slot_t        access_slot,
    output word_t        access_pc,
    output word_t        access_address,
    // The data cache.
    output logic         cache_valid,
    input  logic         cache_ready,
    output mem_request_t cache,
    input  logic         answer_valid,
    input  line_data_t   answer
);
  typedef enum logic [2:0] {IDLE, SELECT, WAIT, MODIFY, WAIT_WRITE, SEND} phase_e;
  phase_e phase;
  localparam int THREAD_BITS = width_of(THREADS);
  issue_t beat;
  words_t address, loaded;
  lanes_t pending;             // lanes that have not been served
  lanes_t selected;            // lanes that are being served
  logic is_local;              // in local memory
  word_t old;                  // of an atomic

  wire op_e op = beat.insn.op;
  wire is_store = beat.insn.memory == MEMORY_STORE;
  wire is_sc = op == OP_SC_W;
  wire is_lr = op == OP_LR_W;
  wire is_atomic = beat.insn.memory == MEMORY_ATOMIC || is_lr;
  wire [2:0] width = beat.word[14:12];  // log2 of the bytes in bits 0 and 1, unsigned in bit 2
  assign in_ready = phase == IDLE;

  logic holds, any_reservation;  // of the reservations, below

  // ---- Choice of lanes ------------------------------------------------------------------------------

  typedef logic [width_of(NUM_LANES)-1:0] lane_t;
  lane_t first;                // of those that wait
  lanes_t local_lanes, same_line, choice;
  logic choice_is_local;
  logic [NUM_LANES-1:0][3:0] enable;
  words_t store_data;

  always_comb begin
    first = '0;
    for (int l = NUM_LANES - 1; l >= 0; l--)
      if (pending[l]) first = lane_t'(l);
    for (int l = 0; l < NUM_LANES; l++) begin
      local_lanes[l] = address[l][XLEN-1:LMEM_LOG2_SIZE] == STACK_BASE_ADDR_32[XLEN-1:LMEM_LOG2_SIZE];
      same_line[l] = address[l][XLEN-1:LINE_BITS] == address[first][XLEN-1:LINE_BITS];
      store_data[l] = beat.b[l] << (8 * address[l][1:0]);
      case (width[1:0])
        2'd0: enable[l] = 4'b0001 << address[l][1:0];
        2'd1: enable[l] = 4'b0011 << address[l][1:0];
        default: enable[l] = 4'b1111;
      endcase
    end
    choice_is_local = local_lanes[first];
    choice = pending & (choice_is_local ? local_lanes : same_line);
    if (is_atomic || (is_store && any_reservation)) choice = lanes_t'(1) << first;
  end

  // ---- Reservations ---------------------------------------------------------------------------------

  logic access_done;
  wire writes_memory = (is_store && phase == WAIT) || phase == WAIT_WRITE;
  vx_reservations reservations (
      .clk, .reset, .thread(THREAD_BITS'(int'(beat.beat.warp) * NUM_LANES + int'(first))),
      .address(address[first]), .set(is_lr && phase == WAIT && access_done), .drop(is_sc && phase == SELECT),
      .written(writes_memory && access_done), .holds, .any(any_reservation)
  );

  // ---- Accesses -------------------------------------------------------------------------------------

  word_t modified;
  vx_amo amo (.op, .old, .operand(beat.b[first]), .result(modified));

  wire asks = phase == SELECT && !(is_sc);
  wire writes = (phase == SELECT && is_store) || phase == MODIFY;
  wire to_local = phase == MODIFY ? is_local : choice_is_local;
  wire lanes_t lanes = phase == MODIFY ? selected : choice;
  wire words_t data = phase == MODIFY ? {NUM_LANES{modified}} : store_data;

  lanes_t local_served;
  words_t local_data;
  vx_local_memory local_memory (
      .clk, .request((asks || phase == MODIFY) && to_local ? lanes : '0), .write(writes), .address, .data, .enable,
      .served(local_served), .read_data(local_data)
  );

  assign access_slot = beat.beat.slot;
  assign access_pc = beat.pc;
  assign access_address = address[first];
  assign cache_valid = (asks || phase == MODIFY) && !to_local;
  always_comb begin
    cache = '0;
    cache.write = writes;
    cache.line = address[first][XLEN-1:LINE_BITS];
    for (int l = 0; l < NUM_LANES; l++)
      if (lanes[l] && writes)
        for (int i = 0; i < 4; i++)
          if (enable[l][i]) begin
            cache.enable[{address[l][LINE_BITS-1:2], 2'(i)}] = 1'b1;
            cache.data[8*{address[l][LINE_BITS-1:2], 2'(i)}+:8] = data[l][8*i+:8];
          end
  end
  wire accepted = to_local ? |local_served : cache_ready;
  assign access_done = is_local || answer_valid;

  function automatic word_t extract(word_t raw, logic [1:0] offset, logic [2:0] kind);
    word_t shifted;
    shifted = raw >> (8 * offset);
    case (kind[1:0])
      2'd0: return {{24{shifted[7] && !kind[2]}}, shifted[7:0]};
      2'd1: return {{16{shifted[15] && !kind[2]}}, shifted[15:0]};
      default: return shifted;
    endcase
  endfunction

  words_t raw;
  always_comb
    for (int l = 0; l < NUM_LANES; l++)
      raw[l] = is_local ? local_data[l] : answer[32*address[l][LINE_BITS-1:2]+:32];

  // ---- Phases ---------------------------------------------------------------------------------------

  lanes_t misaligned;
  words_t in_address;
  always_comb
    for (int l = 0; l < NUM_LANES; l++) begin
      in_address[l] = in.a[l] + in.imm;
      misaligned[l] = in.beat.mask[l] && (in.word[13] ? in_address[l][1:0] != 0 : in.word[12] && in_address[l][0]);
    end
  wire is_fence = in.insn.memory == MEMORY_FENCE;
  wire lanes_t left = pending & ~selected;

  always_ff @(posedge clk) begin
    if (reset) phase <= IDLE;
    else
      case (phase)
        IDLE: if (in_valid) phase <= is_fence || misaligned != 0 || in.beat.mask == 0 ? SEND : SELECT;
        SELECT:
          if (is_sc) begin  // writes if the reservation is still there
            if (holds) phase <= MODIFY;
            else if ((pending & ~choice) == 0) phase <= SEND;
          end else if (accepted) phase <= WAIT;
        WAIT:
          if (access_done) phase <= is_atomic && !is_lr ? MODIFY : left == 0 ? SEND : SELECT;
        MODIFY: if (accepted) phase <= WAIT_WRITE;
        WAIT_WRITE: if (access_done) phase <= left == 0 ? SEND : SELECT;
        default: if (out_ready) phase <= IDLE;  // SEND
      endcase

    if (phase == IDLE) begin
      beat <= in;
      address <= in_address;
      pending <= in.beat.mask;
    end
    if (phase == SELECT) begin
      selected <= choice_is_local && !is_sc ? local_served : choice;
      is_local <= choice_is_local;
      if (is_sc) begin
        loaded[first] <= word_t'(!holds);
        if (!holds) pending <= pending & ~choice;
      end
    end
    if (phase == WAIT && access_done) begin
      old <= raw[first];
      for (int l = 0; l < NUM_LANES; l++)
        if (selected[l]) loaded[l] <= extract(raw[l], address[l][1:0], width);
    end
    if ((phase == WAIT && access_done && !(is_atomic && !is_lr)) || (phase == WAIT_WRITE && access_done))
      pending <= left;
  end

  // ---- Results --------------------------------------------------------------------------------------

  fault_e fault;
  word_t fault_address;
  logic is_fence_i;
  always_ff @(posedge clk)
    if (phase == IDLE) begin
      fault <= misaligned != 0 && !is_fence ? FAULT_MISALIGNED : FAULT_NONE;
      is_fence_i <= in.insn.op == OP_FENCE_I;
      for (int l = NUM_LANES - 1; l >= 0; l--)
        if (misaligned[l]) fault_address <= in_address[l];
    end

  assign out_valid = phase == SEND;
  assign flush_icache = phase == SEND && out_ready && is_fence_i;
  always_comb begin
    out = plain_result(beat);
    out.data = loaded;
    out.fault = fault;
    out.target = fault_address;
  end
endmodule
