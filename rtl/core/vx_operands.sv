// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes an instruction and collects its operands: one beat per cycle, one beat for each hardware warp
// that the group has threads in. Registers are in three copies of a memory, one for each source; its
// words are registers of a hardware warp, all lanes. Integer registers come before floating-point ones.

module vx_operands
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic         clk,
    input  logic         reset,
    input  groups_t      groups,
    input  all_threads_t masks,
    input  logic         in_valid,
    output logic         in_ready,
    input  fetched_t     in,
    output logic         out_valid,
    input  logic         out_ready,
    output issue_t       out,
    // Results.
    input  logic         commit,
    input  result_t      result
);
  localparam int REGISTERS = HAS_FLOAT ? 64 : 32;
  typedef logic [width_of(NUM_WARPS * REGISTERS)-1:0] address_t;

  function automatic address_t register_of(warp_t warp, logic [5:0] number);
    return address_t'(int'(warp) * REGISTERS + int'(number));
  endfunction

  function automatic word_t immediate_of(word_t w, field_e field);
    case (field)
      FIELD_IMM_I: return {{20{w[31]}}, w[31:20]};
      FIELD_IMM_S: return {{20{w[31]}}, w[31:25], w[11:7]};
      FIELD_IMM_B: return {{20{w[31]}}, w[7], w[30:25], w[11:8], 1'b0};
      FIELD_IMM_U: return {w[31:12], 12'b0};
      FIELD_IMM_J: return {{12{w[31]}}, w[19:12], w[20], w[30:21], 1'b0};
      FIELD_SHAMT: return {27'b0, w[24:20]};
      FIELD_CSR: return {20'b0, w[31:20]};
      FIELD_LANE: return {26'b0, w[30:25]};
      default: return '0;
    endcase
  endfunction

  // ---- The beat whose registers are read ---------------------------------------------------------

  beat_number_t number;
  wire group_t group = groups[in.slot];
  wire beat_number_t last_number = last_beat_of(group.size);
  wire warp_t warp = warp_of(in.slot) + warp_t'(number);

  insn_t insn;
  rounding_t rounding;
  always_comb begin
    insn = decode(in.word);
    rounding = in.word[14:12] == 3'd7 ? group.frm : in.word[14:12];
    if (insn.rounds && rounding > 3'd4) insn = INVALID_INSN;  // a reserved mode
    if (!HAS_EXCHANGE && (insn.latency == LATENCY_VOTE || insn.latency == LATENCY_SHUFFLE)) insn = INVALID_INSN;
    if (!HAS_TILES && insn.op == OP_VX_TILE) insn = INVALID_INSN;
    if (!HAS_FLOAT && (insn.floats != 0 || insn.writes_f)) insn = INVALID_INSN;
  end

  wire advance = !out_valid || out_ready;
  wire is_last = number == last_number;
  assign in_ready = advance && is_last;

  issue_t next;
  always_comb begin
    next = '0;
    next.beat.slot = in.slot;
    next.beat.warp = warp;
    next.beat.mask = masks[int'(warp)*NUM_LANES+:NUM_LANES] & lanes_of(in.slot, group.size);
    next.beat.first = number == 0;
    next.beat.last = is_last;
    next.size = group.size;
    next.insn = insn;
    next.word = in.word;
    next.pc = in.pc;
    next.imm = immediate_of(in.word, insn.immediate);
    next.rounding = rounding;
  end

  issue_t current;
  always_ff @(posedge clk) begin
    if (reset) begin
      out_valid <= 1'b0;
      number <= '0;
    end else if (advance) begin
      out_valid <= in_valid;
      if (in_valid) number <= is_last ? '0 : number + 1'b1;
    end
    if (advance) current <= next;
  end

  // ---- Registers ----------------------------------------------------------------------------------

  wire [2:0][4:0] fields = {in.word[31:27], in.word[24:20], in.word[19:15]};
  wire lanes_t write = commit && result.write && result.fault == FAULT_NONE ? result.beat.mask : '0;
  words_t [2:0] values;

  for (genvar s = 0; s < 3; s++) begin : gen_source
    words_t value;
    logic is_zero;
    vx_ram #(.WORDS(NUM_WARPS * REGISTERS), .LANES(NUM_LANES), .BITS(XLEN)) registers (
        .clk,
        .read(advance),
        .read_address(register_of(warp, {insn.floats[s], fields[s]})),
        .read_data(value),
        .write,
        .write_address(register_of(result.beat.warp, result.rd)),
        .write_data(result.data)
    );
    always_ff @(posedge clk)
      if (advance) is_zero <= !insn.reads[s] || (!insn.floats[s] && fields[s] == 0);
    assign values[s] = is_zero ? '0 : value;
  end

  always_comb begin
    out = current;
    out.a = values[0];
    out.b = values[1];
    out.c = values[2];
  end
endmodule
