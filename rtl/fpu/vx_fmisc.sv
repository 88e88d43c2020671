// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point instructions without arithmetic: comparisons, minimum and maximum, signs, classes, moves,
// and conversions from and to integers. One beat per cycle, one cycle of latency.

module vx_fmisc
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
  // The zeros of both signs are equal here.
  function automatic logic is_less(word_t a, word_t b);
    if (a[30:0] == 0 && b[30:0] == 0) return 1'b0;
    if (a[31] != b[31]) return a[31];
    return a[31] ? a[30:0] > b[30:0] : a[30:0] < b[30:0];
  endfunction
  function automatic logic is_equal(word_t a, word_t b);
    return a == b || (a[30:0] == 0 && b[30:0] == 0);
  endfunction

  function automatic rounded_t compare(op_e op, word_t a, word_t b);
    number_t x, y;
    logic unordered;
    x = unpack(a);
    y = unpack(b);
    unordered = x.nan || y.nan;
    compare = '0;
    case (op)
      OP_FEQ_S: begin
        compare.bits = word_t'(!unordered && is_equal(a, b));
        if (x.signaling || y.signaling) compare.flags = INVALID;
      end
      default: begin  // FLT_S, FLE_S
        compare.bits = word_t'(!unordered && (is_less(a, b) || (op == OP_FLE_S && is_equal(a, b))));
        if (unordered) compare.flags = INVALID;
      end
    endcase
  endfunction

  // A NaN loses against a number, -0 is less than +0.
  function automatic rounded_t min_max(logic max, word_t a, word_t b);
    number_t x, y;
    logic a_first;
    x = unpack(a);
    y = unpack(b);
    a_first = is_equal(a, b) ? a[31] : is_less(a, b);
    min_max = '{flags: x.signaling || y.signaling ? INVALID : '0, bits: a_first != max ? a : b};
    if (x.nan) min_max.bits = y.nan ? NAN : b;
    else if (y.nan) min_max.bits = a;
  endfunction

  // The ten classes, one bit each.
  function automatic word_t classify(word_t a);
    number_t x;
    logic subnormal;
    x = unpack(a);
    subnormal = a[30:23] == 0;
    classify = '0;
    if (x.nan) classify[x.signaling ? 8 : 9] = 1'b1;
    else if (x.infinite) classify[x.sign ? 0 : 7] = 1'b1;
    else if (x.zero) classify[x.sign ? 3 : 4] = 1'b1;
    else if (subnormal) classify[x.sign ? 2 : 5] = 1'b1;
    else classify[x.sign ? 1 : 6] = 1'b1;
  endfunction

  function automatic rounded_t from_integer(logic is_signed, word_t a, logic [2:0] mode);
    logic sign;
    word_t magnitude;
    logic [5:0] zeros;
    logic [31:0] normalized;
    exact_t exact;
    sign = is_signed && a[31];
    magnitude = sign ? -a : a;
    zeros = 6'd32;
    for (int i = 0; i < 32; i++) if (magnitude[i]) zeros = 6'(31 - i);
    normalized = magnitude << zeros;
    exact = '{sign: sign, exp: 11'sd31 - $signed({5'b0, zeros}), sig: {normalized[31:6], |normalized[5:0]}};
    return magnitude == 0 ? '0 : round(exact, mode);
  endfunction

  // Saturates.
  function automatic rounded_t to_integer(logic is_signed, word_t a, logic [2:0] mode);
    number_t x;
    logic negative, too_large;
    logic [57:0] wide;           // the magnitude, with 24 bits below the point
    logic [2:0] below;
    logic [33:0] kept;
    word_t limit;
    x = unpack(a);
    negative = x.sign && !x.nan;
    // Below a half all that counts is that something is there.
    if (x.exp < -10'sd1) wide = 58'd1;
    else wide = {34'b0, x.sig} << (x.exp > 10'sd32 ? 6'd33 : 6'(x.exp + 10'sd1));
    below = {wide[23:22], |wide[21:0]};
    kept = wide[57:24] + 34'(rounds_up(mode, x.sign, wide[24], below));
    limit = is_signed ? (negative ? 32'h80000000 : 32'h7fffffff) : (negative ? 32'h0 : 32'hffffffff);
    too_large = x.nan || x.infinite || x.exp > 10'sd32 || kept > {2'b0, limit};
    if (x.zero) return '0;
    if (too_large) return '{flags: INVALID, bits: limit};
    return '{flags: {4'b0, below != 0}, bits: negative ? -kept[31:0] : kept[31:0]};
  endfunction

  function automatic rounded_t compute(op_e op, word_t a, word_t b, logic [2:0] mode);
    compute = '0;
    case (op)
      OP_FSGNJ_S: compute.bits = {b[31], a[30:0]};
      OP_FSGNJN_S: compute.bits = {!b[31], a[30:0]};
      OP_FSGNJX_S: compute.bits = {a[31] ^ b[31], a[30:0]};
      OP_FMIN_S: compute = min_max(1'b0, a, b);
      OP_FMAX_S: compute = min_max(1'b1, a, b);
      OP_FEQ_S, OP_FLT_S, OP_FLE_S: compute = compare(op, a, b);
      OP_FCLASS_S: compute.bits = classify(a);
      OP_FCVT_S_W: compute = from_integer(1'b1, a, mode);
      OP_FCVT_S_WU: compute = from_integer(1'b0, a, mode);
      OP_FCVT_W_S: compute = to_integer(1'b1, a, mode);
      OP_FCVT_WU_S: compute = to_integer(1'b0, a, mode);
      default: compute.bits = a;  // moves
    endcase
  endfunction

  result_t next;
  rounded_t r;
  always_comb begin
    next = plain_result(in);
    r = '0;
    if (in_valid)
      for (int l = 0; l < NUM_LANES; l++) begin
        r = compute(in.insn.op, in.a[l], in.b[l], in.rounding);
        next.data[l] = r.bits;
        if (in.beat.mask[l]) next.fflags |= r.flags;
      end
  end

  vx_pipe #(.T(result_t)) pipe (
      .clk, .reset, .in_valid, .in_ready, .in_data(next), .out_valid, .out_ready, .out_data(out)
  );
endmodule
