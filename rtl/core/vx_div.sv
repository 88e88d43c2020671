// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division: restoring, one bit of the quotient per cycle, all lanes at once. Division by zero gives all
// ones and the dividend as remainder, the overflowing quotient is the dividend, as RISC-V says: the
// first falls out of the algorithm with the sign left alone, the second out of the negation.

module vx_div
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
  typedef enum logic [1:0] {IDLE, DIVIDE, DONE} phase_e;
  phase_e phase;
  logic [4:0] step;
  result_t result;
  logic wants_remainder;
  lanes_t negate;
  words_t quotient, remainder, divisor;

  wire is_signed = in.insn.op == OP_DIV || in.insn.op == OP_REM;
  wire is_remainder = in.insn.op == OP_REM || in.insn.op == OP_REMU;
  assign in_ready = phase == IDLE;
  assign out_valid = phase == DONE;

  always_comb begin
    out = result;
    for (int l = 0; l < NUM_LANES; l++) begin
      automatic word_t magnitude = wants_remainder ? remainder[l] : quotient[l];
      out.data[l] = negate[l] ? -magnitude : magnitude;
    end
  end

  always_ff @(posedge clk) begin
    if (reset) phase <= IDLE;
    else
      case (phase)
        IDLE: if (in_valid) phase <= DIVIDE;
        DIVIDE: if (step == 5'd31) phase <= DONE;
        default: if (out_ready) phase <= IDLE;
      endcase

    if (phase == IDLE) begin
      step <= '0;
      result <= plain_result(in);
      wants_remainder <= is_remainder;
      for (int l = 0; l < NUM_LANES; l++) begin
        automatic logic a_negative = is_signed && in.a[l][31];
        automatic logic b_negative = is_signed && in.b[l][31];
        quotient[l] <= a_negative ? -in.a[l] : in.a[l];
        divisor[l] <= b_negative ? -in.b[l] : in.b[l];
        remainder[l] <= '0;
        negate[l] <= is_remainder ? a_negative : a_negative != b_negative && in.b[l] != 0;
      end
    end else if (phase == DIVIDE) begin
      step <= step + 1'b1;
      for (int l = 0; l < NUM_LANES; l++) begin
        automatic logic [32:0] shifted = {remainder[l], quotient[l][31]};
        automatic logic fits = shifted >= {1'b0, divisor[l]};
        automatic logic [32:0] rest = fits ? shifted - {1'b0, divisor[l]} : shifted;
        remainder[l] <= rest[31:0];
        quotient[l] <= {quotient[l][30:0], fits};
      end
    end
  end
endmodule
