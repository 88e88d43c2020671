// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memory with one read and one write port. What is read comes a cycle later, and stays until the next
// read; a word that is written in the cycle of its read may come in either version.

module vx_ram #(
    parameter int WORDS = 64,
    parameter int LANES = 8,   // parts of a word that are written separately
    parameter int BITS = 32,   // of a part
    parameter logic [LANES*BITS-1:0] FRESH = '0,  // what all words begin with
    localparam int A = WORDS < 2 ? 1 : $clog2(WORDS)
) (
    input  logic                       clk,
    input  logic                       read,
    input  logic [A-1:0]               read_address,
    output logic [LANES-1:0][BITS-1:0] read_data,
    input  logic [LANES-1:0]           write,
    input  logic [A-1:0]               write_address,
    input  logic [LANES-1:0][BITS-1:0] write_data
);
  logic [LANES-1:0][BITS-1:0] contents[WORDS];

  initial for (int i = 0; i < WORDS; i++) contents[i] = FRESH;

  always_ff @(posedge clk) begin
    if (read) read_data <= contents[read_address];
    if (write != 0)
      for (int l = 0; l < LANES; l++)
        if (write[l]) contents[write_address][l] <= write_data[l];
  end
endmodule
