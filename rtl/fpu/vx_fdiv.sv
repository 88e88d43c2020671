// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division and square root: one bit of the result per cycle, all lanes at once. Both keep a remainder and
// subtract from it what the next bit, if set, takes:
//
//   quotient  remainder := 2 * remainder, less the divisor
//   root      remainder := 4 * remainder + the next two bits of the radicand, less 4 * root + 1
//
// 26 bits of result and the rest of the remainder as a sticky bit are what rounding needs.

module vx_fdiv
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
  localparam int BITS = 26;

  typedef enum logic [1:0] {IDLE, ITERATE, ROUND, DONE} phase_e;
  phase_e phase;
  logic [4:0] step;
  result_t result;
  logic is_root;
  rounding_t mode;
  assign in_ready = phase == IDLE;
  assign out_valid = phase == DONE;
  assign out = result;

  always_ff @(posedge clk) begin
    if (reset) phase <= IDLE;
    else
      case (phase)
        IDLE: if (in_valid) phase <= ITERATE;
        ITERATE: if (step == 5'(BITS - 1)) phase <= ROUND;
        ROUND: phase <= DONE;
        default: if (out_ready) phase <= IDLE;
      endcase
    step <= phase == ITERATE ? step + 1'b1 : '0;
    if (phase == IDLE) begin
      is_root <= in.insn.op == OP_FSQRT_S;
      mode <= in.rounding;
    end
  end

  rounded_t [NUM_LANES-1:0] rounded;
  fflags_t flags;
  always_comb begin
    flags = '0;
    for (int l = 0; l < NUM_LANES; l++)
      if (result.beat.mask[l]) flags |= rounded[l].flags;
  end
  always_ff @(posedge clk)
    if (phase == IDLE) result <= plain_result(in);
    else if (phase == ROUND) begin
      for (int l = 0; l < NUM_LANES; l++) result.data[l] <= rounded[l].bits;
      result.fflags <= flags;
    end

  for (genvar l = 0; l < NUM_LANES; l++) begin : gen_lane
    number_t x, y;
    logic special;
    rounded_t known;
    logic root, smaller;

    // ---- Operands that need no arithmetic -------------------------------------------------------------
    always_comb begin
      root = in.insn.op == OP_FSQRT_S;
      x = '0;
      y = '0;
      smaller = 1'b0;
      special = 1'b0;
      known = '0;
      if (in_valid) begin
        x = unpack(in.a[l]);
        y = unpack(in.b[l]);
        smaller = x.sig < y.sig;
        special = 1'b1;
        known = '{flags: '0, bits: NAN};
        if (x.nan || (!root && y.nan)) begin
          if (x.signaling || (!root && y.signaling)) known.flags = INVALID;
        end else if (root) begin
          if (x.zero || (x.infinite && !x.sign)) known.bits = in.a[l];
          else if (x.sign) known.flags = INVALID;
          else special = 1'b0;
        end else if ((x.infinite && y.infinite) || (x.zero && y.zero)) known.flags = INVALID;
        else if (x.infinite || y.zero) begin
          known.bits = {x.sign != y.sign, INFINITY[30:0]};
          if (!x.infinite) known.flags = DIV_BY_ZERO;
        end else if (x.zero || y.infinite) known.bits = {x.sign != y.sign, 31'b0};
        else special = 1'b0;
      end
    end

    // ---- Iteration --------------------------------------------------------------------------------------
    logic is_special;
    rounded_t special_result;
    logic sign;
    logic signed [10:0] exp;
    logic [23:0] divisor;
    logic [51:0] radicand;      // what of it has not been used
    logic [BITS-1:0] bits;
    logic [29:0] remainder, shifted, taken, rest;
    logic fits;

    always_comb begin
      if (is_root) begin
        shifted = {remainder[27:0], radicand[51:50]};
        taken = {2'b0, bits, 2'b01};
      end else begin
        shifted = step == 0 ? remainder : {remainder[28:0], 1'b0};
        taken = {6'b0, divisor};
      end
      fits = shifted >= taken;
      rest = fits ? shifted - taken : shifted;
    end

    always_ff @(posedge clk)
      if (phase == IDLE) begin
        is_special <= special;
        special_result <= known;
        bits <= '0;
        divisor <= y.sig;
        if (root) begin
          // With an even exponent, the root of the significand is in [1, 2).
          sign <= 1'b0;
          exp <= 11'(x.exp) >>> 1;
          radicand <= x.exp[0] ? {x.sig, 28'b0} : {1'b0, x.sig, 27'b0};
          remainder <= '0;
        end else begin
          // The dividend is not less than the divisor, so that the first bit is set.
          sign <= x.sign != y.sign;
          exp <= 11'(x.exp) - 11'(y.exp) - 11'(smaller);
          remainder <= smaller ? {5'b0, x.sig, 1'b0} : {6'b0, x.sig};
        end
      end else if (phase == ITERATE) begin
        remainder <= rest;
        bits <= {bits[BITS-2:0], fits};
        radicand <= radicand << 2;
      end

    exact_t exact;
    always_comb begin
      exact = '{sign: sign, exp: exp, sig: {bits, remainder != 0}};
      rounded[l] = special_result;
      if (phase == ROUND && !is_special) rounded[l] = round(exact, mode);
    end
  end
endmodule
