// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addition, multiplication and their fusion: one beat per cycle, three cycles of latency. A sum is
// a * 1 + b; a product is a * b and a zero of its sign, which changes nothing.

module vx_fma
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*, vx_fp_pkg::*;
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
  localparam word_t ONE = 32'h3f800000;
  localparam word_t SIGN = 32'h80000000;
  localparam int LATENCY = 3;

  result_t [LATENCY-1:0] stage;
  logic [LATENCY-1:0] valid;
  wire enable = !valid[LATENCY-1] || out_ready;
  assign in_ready = enable;
  assign out_valid = valid[LATENCY-1];

  always_ff @(posedge clk) begin
    if (reset) valid <= '0;
    else if (enable) valid <= {valid[LATENCY-2:0], in_valid};
    if (enable) begin
      stage[0] <= plain_result(in);
      for (int i = 1; i < LATENCY; i++) stage[i] <= stage[i-1];
    end
  end

  rounded_t [NUM_LANES-1:0] results;
  for (genvar l = 0; l < NUM_LANES; l++) begin : gen_lane
    word_t a, b, c;
    always_comb begin
      a = in.a[l];
      b = in.b[l];
      c = in.c[l];
      case (in.insn.op)
        OP_FADD_S: begin b = ONE; c = in.b[l]; end
        OP_FSUB_S: begin b = ONE; c = in.b[l] ^ SIGN; end
        OP_FMUL_S: c = (in.a[l] ^ in.b[l]) & SIGN;
        OP_FMSUB_S: c = in.c[l] ^ SIGN;
        OP_FNMSUB_S: a = in.a[l] ^ SIGN;
        OP_FNMADD_S: begin a = in.a[l] ^ SIGN; c = in.c[l] ^ SIGN; end
        default: ;
      endcase
    end
    vx_fma_lane lane (
        .clk, .enable, .valid({valid[1:0], in_valid}), .a, .b, .c, .mode(in.rounding), .result(results[l])
    );
  end

  always_comb begin
    out = stage[LATENCY-1];
    for (int l = 0; l < NUM_LANES; l++) begin
      out.data[l] = results[l].bits;
      if (out.beat.mask[l]) out.fflags |= results[l].flags;
    end
  end
endmodule
