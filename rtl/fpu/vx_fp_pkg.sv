// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IEEE 754 single precision as the floating-point units see it. A finite number that is not 0 is
// sig / 2^23 * 2^exp with bit 23 of sig set, subnormal ones too. Operations leave a significand of 27 bits
// with bit 26 set, the lowest of which is sticky (set when anything below was lost); round() makes the
// final pattern and the flags of it. Tininess is detected after rounding.

package vx_fp_pkg;

  localparam logic [31:0] NAN = 32'h7fc00000;
  localparam logic [31:0] INFINITY = 32'h7f800000;

  // Flags as in fcsr: invalid, division by zero, overflow, underflow, inexact.
  localparam logic [4:0] INVALID = 5'b10000;
  localparam logic [4:0] DIV_BY_ZERO = 5'b01000;

  typedef enum logic [2:0] {NEAREST_EVEN, TO_ZERO, DOWN, UP, NEAREST_MAX} mode_e;

  typedef struct packed {
    logic sign;
    logic zero, infinite, nan, signaling;
    logic signed [9:0] exp;
    logic [23:0] sig;
  } number_t;

  // A number before rounding.
  typedef struct packed {
    logic sign;
    logic signed [10:0] exp;
    logic [26:0] sig;
  } exact_t;

  typedef struct packed {
    logic [4:0] flags;
    logic [31:0] bits;
  } rounded_t;

  // The zeros above the highest bit that is set.
  function automatic logic [4:0] zeros24(logic [23:0] value);
    zeros24 = 5'd24;
    for (int i = 0; i < 24; i++) if (value[i]) zeros24 = 5'(23 - i);
  endfunction

  function automatic number_t unpack(logic [31:0] bits);
    logic [4:0] shift;
    unpack = '0;
    unpack.sign = bits[31];
    unpack.zero = bits[30:0] == 0;
    unpack.infinite = bits[30:0] == INFINITY[30:0];
    unpack.nan = bits[30:0] > INFINITY[30:0];
    unpack.signaling = unpack.nan && !bits[22];
    if (bits[30:23] == 0) begin
      shift = zeros24({1'b0, bits[22:0]});
      unpack.exp = -10'sd126 - $signed({5'b0, shift});
      unpack.sig = {1'b0, bits[22:0]} << shift;
    end else begin
      unpack.exp = $signed({2'b0, bits[30:23]}) - 10'sd127;
      unpack.sig = {1'b1, bits[22:0]};
    end
  endfunction

  // Returns 1 if a magnitude is rounded up, given its lowest kept bit and the three below.
  function automatic logic rounds_up(logic [2:0] mode, logic sign, logic odd, logic [2:0] below);
    case (mode)
      NEAREST_EVEN: return below > 3'd4 || (below == 3'd4 && odd);
      TO_ZERO: return 1'b0;
      DOWN: return sign && below != 0;
      UP: return !sign && below != 0;
      default: return below >= 3'd4;  // NEAREST_MAX
    endcase
  endfunction

  // A right shift that keeps what it loses as the lowest bit.
  function automatic logic [26:0] shift_sticky(logic [26:0] value, logic [4:0] count);
    logic [26:0] lost;
    lost = value & ((27'd1 << count) - 27'd1);
    return (value >> count) | 27'(lost != 0);
  endfunction

  function automatic rounded_t overflow(logic sign, logic [2:0] mode);
    logic to_infinity;
    to_infinity = mode == NEAREST_EVEN || mode == NEAREST_MAX || mode == (sign ? DOWN : UP);
    return '{flags: 5'b00101, bits: {sign, to_infinity ? INFINITY[30:0] : INFINITY[30:0] - 31'd1}};
  endfunction

  function automatic rounded_t round(exact_t number, logic [2:0] mode);
    logic signed [11:0] field;  // of the exponent
    logic tiny, carries;
    logic [26:0] sig;
    logic [24:0] kept;
    logic [31:0] magnitude;
    logic signed [11:0] shift;
    field = number.exp + 12'sd127;
    sig = number.sig;
    tiny = 1'b0;
    if (field < 1) begin
      // Tiny, unless rounding with an unlimited range of exponents reaches the smallest normal number.
      carries = &sig[26:3] && rounds_up(mode, number.sign, 1'b1, sig[2:0]);
      tiny = field < 0 || !carries;
      shift = 12'sd1 - field;
      sig = shift_sticky(sig, shift > 12'sd27 ? 5'd27 : shift[4:0]);
    end
    kept = {1'b0, sig[26:3]} + 25'(rounds_up(mode, number.sign, sig[3], sig[2:0]));
    // The hidden bit in `kept` adds one to the exponent field, a carry out of it another.
    magnitude = {7'b0, kept};
    if (field >= 1) magnitude = magnitude + {1'b0, 8'(field - 12'sd1), 23'b0};
    if (field >= 255 || magnitude[30:0] >= INFINITY[30:0]) return overflow(number.sign, mode);
    return '{flags: {3'b0, tiny && sig[2:0] != 0, sig[2:0] != 0}, bits: {number.sign, magnitude[30:0]}};
  endfunction

endpackage
