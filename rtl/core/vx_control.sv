// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp control and CSRs. An operand that is one for the whole group comes from its last active lane, a
// predicate is bit 0 of each lane: both are gathered from the beats. Then the instruction is executed in
// one cycle (two for a join, which reads the stack of splits), and results are sent: a beat for each
// hardware warp if the instruction has a result, else a single one.

module vx_control
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic         clk,
    input  logic         reset,
    input  word_t        start_argument,
    input  groups_t      groups,
    input  all_threads_t masks,
    input  logic [NUM_WARPS-1:0] live_warps,
    input  logic [6:0]   executed,
    input  logic         tile_busy,     // threads are being regrouped
    output update_t      update,
    // The barrier of a vx_bar, and the count that others wait for at it.
    output wait_t        barrier_query,
    input  logic [5:0]   barrier_count,
    input  logic         in_valid,
    output logic         in_ready,
    input  issue_t       in,
    output logic         out_valid,
    input  logic         out_ready,
    output result_t      out
);
  typedef enum logic [1:0] {GATHER, READ_STACK, EXECUTE, SEND} phase_e;
  phase_e phase;
  issue_t insn;                // its first beat
  beat_number_t number, last_number;
  word_t a, b;                 // scalar operands
  lanes_t [BEATS_MAX-1:0] condition, active;
  wire accept = in_valid && in_ready;
  assign in_ready = phase == GATHER;

  // ---- The group ----------------------------------------------------------------------------------

  wire slot_t slot = insn.beat.slot;
  wire group_t group = groups[slot];
  wire threads_t mask = group_mask(masks, slot, group.size);
  wire [4:0] offset = group.size < WARP_SIZE ? first_lane_of(slot) : '0;
  wire threads_t wanted = threads_t'(threads_t'(condition) >> offset) & mask;
  wire threads_t whole = threads_of(group.size);


  // ---- The stack of splits ------------------------------------------------------------------------
  // A group of n threads has room for n open splits from entry 4 * slot on: it needs n - 1.

  typedef struct packed {
    threads_t full;            // threads that were active at the split
    threads_t other;           // the side that runs second
    word_t pc;                 // where it starts
    logic started;             // the first join has been passed
  } entry_t;
  entry_t top, pushed;
  logic push;
  logic [width_of(THREADS)-1:0] entry;
  assign entry = $bits(entry)'(CELL * int'(slot) + int'(group.depth) - (insn.insn.op == OP_VX_JOIN ? 1 : 0));
  vx_ram #(.WORDS(THREADS), .LANES(1), .BITS($bits(entry_t))) stack (
      .clk, .read(phase == READ_STACK), .read_address(entry), .read_data(top),
      .write(push), .write_address(entry), .write_data(pushed)
  );

  // ---- vx_tile ------------------------------------------------------------------------------------

  size_t tile_size;
  wire [7:0] tile_mask = a[7:0];
  logic tile_is_bad, tile_keeps;
  if (HAS_TILES) begin : gen_tile_check
    vx_tile_check tile_check (
        .groups, .slot, .mask(a), .threads(b), .size(tile_size), .is_bad(tile_is_bad), .keeps(tile_keeps)
    );
  end else begin : gen_no_tile_check
    assign tile_size = '0;
    assign tile_is_bad = 1'b1;
    assign tile_keeps = 1'b0;
  end

  // ---- CSRs ---------------------------------------------------------------------------------------

  logic csr_exists, csr_by_thread, csr_write;
  word_t csr_value, csr_written, csr_operand;
  wire [11:0] csr = insn.imm[11:0];
  wire csr_is_immediate = insn.word[14];
  // Setting and clearing without bits is a read.
  wire csr_writes = insn.word[13:12] == 2'b01 || insn.word[19:15] != 0;
  assign csr_operand = csr_is_immediate ? word_t'(insn.word[19:15]) : a;
  always_comb
    case (insn.word[13:12])
      2'b01: csr_written = csr_operand;
      2'b10: csr_written = csr_value | csr_operand;
      default: csr_written = csr_value & ~csr_operand;
    endcase

  vx_csr csrs (
      .clk, .reset, .start_argument, .executed, .live_warps, .number(csr), .slot, .group, .active(mask),
      .exists(csr_exists), .value(csr_value), .by_thread(csr_by_thread), .write(csr_write), .written(csr_written)
  );

  // ---- Execution ----------------------------------------------------------------------------------

  wire is_global = a[31];
  wire [30:0] barrier = a[30:0];
  assign barrier_query = '{is_global: is_global, barrier: barrier[4:0], default: '0};
  // How many groups like this one a core can have, but at least how many warps.
  wire [7:0] groups_like_this = 8'((THREADS / CELL) >> group.size);
  wire [7:0] barrier_limit = is_global ? 8'(NUM_CORES) :
                             groups_like_this > 8'(NUM_WARPS) ? groups_like_this : 8'(NUM_WARPS);

  result_t outcome;            // of the last beat, without data
  update_t change;
  word_t data;                 // the result of thread 0
  logic data_by_thread;

  // Each vx_tile finds the groups that the one before it has left.
  wire waits = insn.insn.op == OP_VX_TILE && tile_busy;
  wire executes = phase == EXECUTE && !waits;

  logic continues;             // with the threads of `remaining`; without any, the group ends
  threads_t remaining, stay, taken;

  always_comb begin
    outcome = plain_result(insn);
    change = '0;
    change.slot = slot;
    change.depth = group.depth;
    pushed = '{full: mask, other: '0, pc: insn.pc + 4, started: 1'b0};
    push = 1'b0;
    data = word_t'(group.depth);
    data_by_thread = 1'b0;
    csr_write = 1'b0;
    continues = 1'b0;
    remaining = '0;
    stay = insn.insn.op == OP_VX_PRED ? wanted : mask & ~wanted;
    taken = insn.insn.op == OP_VX_SPLIT ? wanted : mask & ~wanted;

    case (insn.insn.op)
      OP_VX_TMC: begin
        continues = 1'b1;
        remaining = threads_t'(a) & whole;
      end

      OP_VX_PRED, OP_VX_PRED_N: begin
        continues = 1'b1;
        remaining = stay != 0 ? stay : threads_t'(b) & whole;
      end

      OP_VX_SPLIT, OP_VX_SPLIT_N: begin
        if (taken != 0 && taken != mask) begin
          // The larger side runs first, the one whose condition holds on a tie.
          change.set_mask = 1'b1;
          change.mask = $countones(taken) >= $countones(mask & ~taken) ? taken : mask & ~taken;
          pushed.other = mask & ~change.mask;
          if (6'(group.depth) + 1 >= 6'(CELL << group.size)) begin
            change.set_mask = 1'b0;
            outcome.fault = FAULT_IPDOM_OVERFLOW;
          end else begin
            push = 1'b1;
            change.set_depth = 1'b1;
            change.depth = group.depth + 1'b1;
          end
        end
      end

      OP_VX_JOIN:
        if (a != word_t'(group.depth)) begin  // else the split did not diverge
          pushed = top;
          pushed.started = 1'b1;
          change.set_mask = 1'b1;
          change.mask = top.started ? top.full : top.other;
          if (group.depth == 0 || a != word_t'(group.depth) - 1) begin
            change.set_mask = 1'b0;
            outcome.fault = FAULT_IPDOM_UNDERFLOW;
          end else if (top.started) begin
            change.set_depth = 1'b1;
            change.depth = group.depth - 1'b1;
          end else begin
            push = 1'b1;
            outcome.redirect = 1'b1;
            outcome.target = top.pc;
          end
        end

      OP_VX_WSPAWN:
        if (slot != 0 || group.size != WARP_SIZE || a > NUM_WARPS || b[1:0] != 0) outcome.fault = FAULT_SPAWN;
        else begin
          change.set_spawn = 1'b1;
          change.count = a[5:0];
          change.spawn_pc = b;
          outcome.park = GROUP_AT_SPAWN;
        end

      OP_VX_BAR: begin
        change.waits = barrier_query;
        change.count = b[5:0];
        if (b > word_t'(barrier_limit)) outcome.fault = FAULT_BARRIER;
        else if (is_global || b >= 2) begin  // else there is no other to wait for
          change.set_waits = 1'b1;
          change.set_barrier = 1'b1;
          outcome.park = GROUP_AT_BARRIER;
          if (barrier >= 31'(NUM_BARRIERS) || (barrier_count != 0 && barrier_count != b[5:0])) begin
            change.set_waits = 1'b0;
            change.set_barrier = 1'b0;
            outcome.fault = FAULT_BARRIER;
          end
        end
      end

      OP_VX_TILE:
        if (tile_is_bad) outcome.fault = FAULT_TILE;
        else if (!tile_keeps) begin
          change.set_waits = 1'b1;
          change.waits = '{tile_mask: tile_mask, tile_size: tile_size, default: '0};
          outcome.park = GROUP_AT_TILE;
        end

      OP_CSRRW, OP_CSRRS, OP_CSRRC, OP_CSRRWI, OP_CSRRSI, OP_CSRRCI: begin
        data = csr_value;
        data_by_thread = csr_by_thread;
        if (!csr_exists || (csr_writes && csr[11:10] == 2'b11)) outcome.fault = FAULT_ILLEGAL;
        else if (csr_writes) begin
          csr_write = executes;
          change.set_fflags = csr == CSR_FFLAGS || csr == CSR_FCSR;
          change.set_frm = csr == CSR_FRM || csr == CSR_FCSR;
          change.fflags = csr_written[4:0];
          change.frm = csr == CSR_FRM ? csr_written[2:0] : csr_written[7:5];
        end
      end

      OP_ECALL: outcome.fault = FAULT_ECALL;
      OP_EBREAK: outcome.fault = FAULT_BREAKPOINT;
      default: outcome.fault = FAULT_ILLEGAL;
    endcase

    if (continues) begin
      change.set_mask = 1'b1;
      change.mask = remaining;
      if (remaining == 0) begin
        outcome.park = GROUP_IDLE;
        if (group.depth != 0) begin
          change.set_mask = 1'b0;
          outcome.fault = FAULT_IPDOM_UNDERFLOW;
        end
      end
    end

    change.valid = executes;
    push = push && executes;
  end
  assign update = change;

  // ---- Beats --------------------------------------------------------------------------------------

  result_t stored;
  word_t stored_data;
  logic stored_by_thread;

  always_ff @(posedge clk) begin
    if (reset) begin
      phase <= GATHER;
      number <= '0;
    end else
      case (phase)
        GATHER:
          if (accept) begin
            number <= in.beat.last ? '0 : number + 1'b1;
            if (in.beat.last) phase <= in.insn.op == OP_VX_JOIN ? READ_STACK : EXECUTE;
          end
        READ_STACK: phase <= EXECUTE;
        EXECUTE: if (!waits) phase <= SEND;
        default:  // SEND
          if (out_ready) begin
            if (out.beat.last) phase <= GATHER;
            number <= out.beat.last ? '0 : number + 1'b1;
          end
      endcase

    if (accept) begin
      last_number <= number;
      if (in.beat.first) begin
        insn <= in;
        condition <= '0;
        active <= '0;
      end
      active[number] <= in.beat.mask;
      for (int l = 0; l < NUM_LANES; l++) begin
        condition[number][l] <= in.a[l][0];
        if (in.beat.mask[l]) begin
          a <= in.a[l];
          b <= in.b[l];
        end
      end
    end
    if (executes) begin
      stored <= outcome;
      stored_data <= data;
      stored_by_thread <= data_by_thread;
    end
  end

  assign out_valid = phase == SEND;
  always_comb begin
    out = stored;
    out.beat.first = number == 0;
    out.beat.last = !stored.write || stored.fault != FAULT_NONE || number == last_number;
    out.beat.warp = insn.beat.warp + warp_t'(number);
    out.beat.mask = active[number];
    for (int l = 0; l < NUM_LANES; l++)
      out.data[l] = stored_data + (stored_by_thread ? word_t'(int'(number) * NUM_LANES + l - int'(offset)) : '0);
  end
endmodule
