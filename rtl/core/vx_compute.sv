// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The units that only compute: a beat goes to the unit of its instruction, and one result per cycle comes
// out, round-robin. What an instruction of theirs makes depends on its operands alone.

module vx_compute
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
  logic [NUM_UNITS-1:0] unit_in_valid, unit_in_ready, unit_out_valid, unit_out_ready;
  result_t [NUM_UNITS-1:0] results;
  wire unit_e unit = unit_of(in.insn.latency);
  assign unit_in_valid = in_valid ? NUM_UNITS'(1) << unit : '0;
  assign in_ready = unit_in_ready[unit];

  vx_alu alu (
      .clk, .reset, .in_valid(unit_in_valid[UNIT_ALU]), .in_ready(unit_in_ready[UNIT_ALU]), .in,
      .out_valid(unit_out_valid[UNIT_ALU]), .out_ready(unit_out_ready[UNIT_ALU]), .out(results[UNIT_ALU])
  );
  vx_mul mul (
      .clk, .reset, .in_valid(unit_in_valid[UNIT_MUL]), .in_ready(unit_in_ready[UNIT_MUL]), .in,
      .out_valid(unit_out_valid[UNIT_MUL]), .out_ready(unit_out_ready[UNIT_MUL]), .out(results[UNIT_MUL])
  );
  vx_div div (
      .clk, .reset, .in_valid(unit_in_valid[UNIT_DIV]), .in_ready(unit_in_ready[UNIT_DIV]), .in,
      .out_valid(unit_out_valid[UNIT_DIV]), .out_ready(unit_out_ready[UNIT_DIV]), .out(results[UNIT_DIV])
  );
  if (HAS_EXCHANGE) begin : gen_exchange
    vx_exchange exchange (
        .clk, .reset, .in_valid(unit_in_valid[UNIT_EXCHANGE]), .in_ready(unit_in_ready[UNIT_EXCHANGE]), .in,
        .out_valid(unit_out_valid[UNIT_EXCHANGE]), .out_ready(unit_out_ready[UNIT_EXCHANGE]),
        .out(results[UNIT_EXCHANGE])
    );
  end else begin : gen_no_exchange
    assign unit_in_ready[UNIT_EXCHANGE] = 1'b1;
    assign unit_out_valid[UNIT_EXCHANGE] = 1'b0;
    assign results[UNIT_EXCHANGE] = '0;
  end
  if (HAS_FLOAT) begin : gen_float
    vx_fma fma (
        .clk, .reset, .in_valid(unit_in_valid[UNIT_FMA]), .in_ready(unit_in_ready[UNIT_FMA]), .in,
        .out_valid(unit_out_valid[UNIT_FMA]), .out_ready(unit_out_ready[UNIT_FMA]), .out(results[UNIT_FMA])
    );
    vx_fdiv fdiv (
        .clk, .reset, .in_valid(unit_in_valid[UNIT_FDIV]), .in_ready(unit_in_ready[UNIT_FDIV]), .in,
        .out_valid(unit_out_valid[UNIT_FDIV]), .out_ready(unit_out_ready[UNIT_FDIV]), .out(results[UNIT_FDIV])
    );
    vx_fmisc fmisc (
        .clk, .reset, .in_valid(unit_in_valid[UNIT_FMISC]), .in_ready(unit_in_ready[UNIT_FMISC]), .in,
        .out_valid(unit_out_valid[UNIT_FMISC]), .out_ready(unit_out_ready[UNIT_FMISC]), .out(results[UNIT_FMISC])
    );
  end else begin : gen_no_float
    assign unit_in_ready[UNIT_FMA] = 1'b1;
    assign unit_out_valid[UNIT_FMA] = 1'b0;
    assign results[UNIT_FMA] = '0;
    assign unit_in_ready[UNIT_FDIV] = 1'b1;
    assign unit_out_valid[UNIT_FDIV] = 1'b0;
    assign results[UNIT_FDIV] = '0;
    assign unit_in_ready[UNIT_FMISC] = 1'b1;
    assign unit_out_valid[UNIT_FMISC] = 1'b0;
    assign results[UNIT_FMISC] = '0;
  end

  logic [width_of(NUM_UNITS)-1:0] winner;
  vx_arbiter #(.COUNT(NUM_UNITS)) arbiter (
      .clk, .reset, .requests(unit_out_valid), .taken(out_ready), .valid(out_valid), .grant(winner)
  );
  assign unit_out_ready = out_valid && out_ready ? NUM_UNITS'(1) << winner : '0;
  assign out = results[winner];
endmodule
