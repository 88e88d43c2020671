// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Round-robin choice among requests: the first one after the last grant that was taken. A request that
// stays is granted after at most COUNT - 1 others.

module vx_arbiter #(
    parameter int COUNT = 2,
    localparam int W = COUNT < 2 ? 1 : $clog2(COUNT)
) (
    input  logic             clk,
    input  logic             reset,
    input  logic [COUNT-1:0] requests,
    input  logic             taken,     // the grant is used in this cycle
    output logic             valid,
    output logic [W-1:0]     grant
);
  logic [W-1:0] last;

  always_comb begin
    valid = |requests;
    grant = '0;
    for (int i = COUNT - 1; i >= 0; i--)
      if (requests[i]) grant = W'(i);
    for (int i = COUNT - 1; i >= 0; i--)
      if (requests[i] && i > int'(last)) grant = W'(i);
  end

  always_ff @(posedge clk) begin
    if (reset) last <= W'(COUNT - 1);
    else if (taken && valid) last <= grant;
  end
endmodule
