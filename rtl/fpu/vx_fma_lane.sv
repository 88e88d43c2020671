// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a * b + c with one rounding, for one lane: one result per cycle with `enable`, three cycles of latency
// (multiply; align and add; normalize and round). Product and addend stand in 76 bits with the binary point
// below bit 73: enough for an alignment that can cancel to lose nothing, and all others to keep a sticky bit.

module vx_fma_lane
  import vx_fp_pkg::*;
(
    input  logic        clk,
    input  logic        enable,
    input  logic [2:0]  valid,      // stages that have something to do: operands of others are held still
    input  logic [31:0] a, b, c,
    input  logic [2:0]  mode,
    output rounded_t    result
);
  // ---- Multiply -----------------------------------------------------------------------------------

  typedef struct packed {
    logic special;             // the result is known already
    rounded_t known;
    logic [2:0] mode;
    logic product_sign;
    logic product_zero;
    logic signed [10:0] product_exp;
    logic [47:0] product;
    number_t addend;
  } multiplied_t;
  multiplied_t multiplied, m;

  number_t x, y, z;
  logic any_nan, zero_times_infinity;
  always_comb begin
    x = '0;
    y = '0;
    z = '0;
    any_nan = 1'b0;
    zero_times_infinity = 1'b0;
    multiplied = '0;
    if (valid[0]) begin
      x = unpack(a);
      y = unpack(b);
      z = unpack(c);
      any_nan = x.nan || y.nan || z.nan;
      zero_times_infinity = (x.zero && y.infinite) || (x.infinite && y.zero);

      multiplied.mode = mode;
      multiplied.product_sign = x.sign != y.sign;
      multiplied.product_zero = x.zero || y.zero;
      multiplied.product_exp = 11'(x.exp) + 11'(y.exp);
      multiplied.product = x.sig * y.sig;
      multiplied.addend = z;
      multiplied.special = 1'b1;
      multiplied.known = '{flags: '0, bits: NAN};
      if (any_nan || zero_times_infinity) begin
        if (zero_times_infinity || x.signaling || y.signaling || z.signaling) multiplied.known.flags = INVALID;
      end else if (x.infinite || y.infinite) begin
        if (z.infinite && z.sign != multiplied.product_sign) multiplied.known.flags = INVALID;
        else multiplied.known.bits = {multiplied.product_sign, INFINITY[30:0]};
      end else if (z.infinite) multiplied.known.bits = c;
      else if (multiplied.product_zero) begin
        multiplied.known.bits = c;
        if (z.zero && z.sign != multiplied.product_sign) multiplied.known.bits = {mode == DOWN, 31'b0};
      end else multiplied.special = 1'b0;
    end
  end
  always_ff @(posedge clk) if (enable) m <= multiplied;

  // ---- Align and add ------------------------------------------------------------------------------

  typedef struct packed {
    logic special;
    rounded_t known;
    logic [2:0] mode;
    logic sign;
    logic signed [10:0] exp;   // of bit 73
    logic [75:0] sum;
  } added_t;
  added_t added, s;

  // A right shift that keeps what it loses as the lowest bit.
  function automatic logic [75:0] shift_sticky76(logic [75:0] value, logic [6:0] count);
    logic [75:0] lost;
    lost = value & ((76'd1 << count) - 76'd1);
    return (value >> count) | 76'(lost != 0);
  endfunction

  logic [75:0] product, addend;
  logic signed [11:0] difference;
  always_comb begin
    product = '0;
    addend = '0;
    difference = '0;
    added = '0;
    if (valid[1]) begin
      product = {1'b0, m.product, 27'b0};
      addend = m.addend.zero ? '0 : {2'b0, m.addend.sig, 50'b0};
      difference = 12'(m.product_exp) - 12'(m.addend.exp);
      added.special = m.special;
      added.known = m.known;
      added.mode = m.mode;
      added.exp = m.product_exp;
      if (!m.addend.zero) begin
        if (difference >= 0) addend = shift_sticky76(addend, difference > 76 ? 7'd76 : difference[6:0]);
        else begin
          product = shift_sticky76(product, -difference > 76 ? 7'd76 : 7'(-difference));
          added.exp = 11'(m.addend.exp);
        end
      end
      added.sign = m.product_sign;
      if (m.addend.zero || m.product_sign == m.addend.sign) added.sum = product + addend;
      else if (product >= addend) added.sum = product - addend;
      else begin
        added.sum = addend - product;
        added.sign = m.addend.sign;
      end
    end
  end
  always_ff @(posedge clk) if (enable) s <= added;

  // ---- Normalize and round --------------------------------------------------------------------------

  logic [6:0] zeros;
  logic [75:0] normalized;
  exact_t exact;
  rounded_t rounded;
  always_comb begin
    zeros = '0;
    normalized = '0;
    exact = '0;
    rounded = '0;
    if (valid[2]) begin
      zeros = 7'd76;
      for (int i = 0; i < 76; i++) if (s.sum[i]) zeros = 7'(75 - i);
      normalized = s.sum << zeros;
      exact.sign = s.sign;
      exact.exp = s.exp + 11'sd2 - $signed({4'b0, zeros});
      exact.sig = {normalized[75:50], |normalized[49:0]};
      if (s.special) rounded = s.known;
      else if (s.sum == 0) rounded = '{flags: '0, bits: {s.mode == DOWN, 31'b0}};
      else rounded = round(exact, s.mode);
    end
  end
  always_ff @(posedge clk) if (enable) result <= rounded;
endmodule
