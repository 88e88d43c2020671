// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic, branches and jumps. The active lanes of a group have to agree where to go: what
// the beats of an instruction said is remembered until its last one.

module vx_alu
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic    clk,
    input  logic    reset,
    input  logic    in_valid,
    output logic    in_ready,
    input  issue_t  in,
    output logic    out_valid,
    input  logic    out_ready,
    output result_t out
);
  function automatic word_t compute(op_e op, word_t a, word_t b, word_t pc, word_t imm);
    case (op)
      OP_LUI: return imm;
      OP_AUIPC: return pc + imm;
      OP_JAL, OP_JALR: return pc + 4;
      OP_ADD, OP_ADDI: return a + b;
      OP_SUB: return a - b;
      OP_SLT, OP_SLTI: return word_t'($signed(a) < $signed(b));
      OP_SLTU, OP_SLTIU: return word_t'(a < b);
      OP_XOR, OP_XORI: return a ^ b;
      OP_OR, OP_ORI: return a | b;
      OP_AND, OP_ANDI: return a & b;
      OP_SLL, OP_SLLI: return a << b[4:0];
      OP_SRL, OP_SRLI: return a >> b[4:0];
      OP_SRA, OP_SRAI: return word_t'($signed(a) >>> b[4:0]);
      OP_CZERO_EQZ: return b == 0 ? '0 : a;
      OP_CZERO_NEZ: return b != 0 ? '0 : a;
      default: return '0;
    endcase
  endfunction

  function automatic logic is_taken(op_e op, word_t a, word_t b);
    case (op)
      OP_BEQ: return a == b;
      OP_BNE: return a != b;
      OP_BLT: return $signed(a) < $signed(b);
      OP_BGE: return $signed(a) >= $signed(b);
      OP_BLTU: return a < b;
      OP_BGEU: return a >= b;
      default: return 1'b0;
    endcase
  endfunction

  // ---- Where this beat goes ------------------------------------------------------------------------

  wire lanes_t active = in.beat.mask;
  lanes_t taken;
  words_t data;
  word_t jump_target;     // of the first active lane
  logic jumps_agree;
  always_comb begin
    jump_target = '0;
    for (int l = NUM_LANES - 1; l >= 0; l--)
      if (active[l]) jump_target = (in.a[l] + in.imm) & ~32'd1;
    jumps_agree = 1'b1;
    for (int l = 0; l < NUM_LANES; l++) begin
      data[l] = compute(in.insn.op, in.a[l], in.insn.reads[1] ? in.b[l] : in.imm, in.pc, in.imm);
      taken[l] = is_taken(in.insn.op, in.a[l], in.b[l]);
      if (active[l] && ((in.a[l] + in.imm) & ~32'd1) != jump_target) jumps_agree = 1'b0;
    end
  end

  // ---- What the beats before said ------------------------------------------------------------------

  typedef struct packed {
    logic any_taken, any_not_taken, any_jump, disagree;
    word_t target;
  } verdict_t;
  verdict_t earlier, now;

  always_comb begin
    now = in.beat.first ? '0 : earlier;
    if (in.insn.op == OP_JALR) begin
      if (|active && now.any_jump && now.target != jump_target) now.disagree = 1'b1;
      if (!jumps_agree) now.disagree = 1'b1;
      if (|active && !now.any_jump) now.target = jump_target;
      if (|active) now.any_jump = 1'b1;
    end else begin
      now.target = in.pc + in.imm;
      now.any_jump = in.insn.flow == FLOW_JUMP;
      if (in.insn.flow == FLOW_BRANCH) begin
        now.any_taken |= |(active & taken);
        now.any_not_taken |= |(active & ~taken);
        now.disagree = now.any_taken && now.any_not_taken;
      end
    end
  end

  always_ff @(posedge clk)
    if (in_valid && in_ready) earlier <= now;

  result_t next;
  always_comb begin
    next = plain_result(in);
    next.data = data;
    next.redirect = now.any_taken || now.any_jump;
    next.target = now.target;
    if (in.beat.last) begin
      if (now.disagree) next.fault = FAULT_DIVERGENCE;
      else if (next.redirect && now.target[1:0] != 0) next.fault = FAULT_MISALIGNED;
    end
  end

  vx_pipe #(.T(result_t)) pipe (
      .clk, .reset, .in_valid, .in_ready, .in_data(next), .out_valid, .out_ready, .out_data(out)
  );
endmodule
