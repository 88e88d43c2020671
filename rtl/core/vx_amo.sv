// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an atomic instruction leaves in memory.

module vx_amo
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  op_e   op,
    input  word_t old,
    input  word_t operand,
    output word_t result
);
  wire less = $signed(old) < $signed(operand);
  wire below = old < operand;

  always_comb
    case (op)
      OP_AMOADD_W: result = old + operand;
      OP_AMOXOR_W: result = old ^ operand;
      OP_AMOAND_W: result = old & operand;
      OP_AMOOR_W: result = old | operand;
      OP_AMOMIN_W: result = less ? old : operand;
      OP_AMOMAX_W: result = less ? operand : old;
      OP_AMOMINU_W: result = below ? old : operand;
      OP_AMOMAXU_W: result = below ? operand : old;
      default: result = operand;  // swap, store-conditional
    endcase
endmodule
