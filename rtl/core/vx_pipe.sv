// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline register for a stream: one cycle of latency, one transfer per cycle.

module vx_pipe #(
    parameter type T = logic
) (
    input  logic clk,
    input  logic reset,
    input  logic in_valid,
    output logic in_ready,
    input  T     in_data,
    output logic out_valid,
    input  logic out_ready,
    output T     out_data
);
  assign in_ready = !out_valid || out_ready;

  always_ff @(posedge clk) begin
    if (reset) out_valid <= 1'b0;
    else if (in_ready) out_valid <= in_valid;
    if (in_ready) out_data <= in_data;
  end
endmodule
