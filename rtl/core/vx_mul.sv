// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplication: one beat per cycle, two cycles of latency.

module vx_mul
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
  typedef struct packed {
    result_t result;
    logic high;
    logic [NUM_LANES-1:0][65:0] products;
  } product_t;
  product_t product, stored;
  logic stored_valid, stored_ready;

  wire a_is_signed = in.insn.op == OP_MULH || in.insn.op == OP_MULHSU;
  wire b_is_signed = in.insn.op == OP_MULH;

  always_comb begin
    product.result = plain_result(in);
    product.high = in.insn.op != OP_MUL;
    product.products = '0;
    if (in_valid)
      for (int l = 0; l < NUM_LANES; l++)
        product.products[l] = $signed({{33{a_is_signed && in.a[l][31]}}, a_is_signed && in.a[l][31], in.a[l]}) *
                              $signed({{33{b_is_signed && in.b[l][31]}}, b_is_signed && in.b[l][31], in.b[l]});
  end

  vx_pipe #(.T(product_t)) multiply (
      .clk, .reset, .in_valid, .in_ready, .in_data(product),
      .out_valid(stored_valid), .out_ready(stored_ready), .out_data(stored)
  );

  result_t selected;
  always_comb begin
    selected = stored.result;
    for (int l = 0; l < NUM_LANES; l++)
      selected.data[l] = stored.high ? stored.products[l][63:32] : stored.products[l][31:0];
  end

  vx_pipe #(.T(result_t)) select (
      .clk, .reset, .in_valid(stored_valid), .in_ready(stored_ready), .in_data(selected),
      .out_valid, .out_ready, .out_data(out)
  );
endmodule
