// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local memory of the core: one bank of words for each lane. In a cycle a bank serves the first lane that
// asks for it and, when reading, all that ask for the same word. What is not served asks again. Data of a
// read come a cycle later.

module vx_local_memory
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic   clk,
    input  lanes_t request,                        // lanes that ask
    input  logic   write,
    input  words_t address,                        // from the begin of the memory
    input  words_t data,
    input  logic [NUM_LANES-1:0][3:0] enable,      // bytes to be written
    output lanes_t served,
    output words_t read_data                       // of the lanes served in the cycle before
);
  localparam int WORDS = 1 << (LMEM_LOG2_SIZE - 2);
  localparam int ROWS = WORDS / NUM_LANES;
  localparam int BANK_BITS = $clog2(NUM_LANES);
  typedef logic [$clog2(ROWS)-1:0] row_t;
  typedef logic [BANK_BITS-1:0] bank_t;

  bank_t [NUM_LANES-1:0] bank;
  row_t [NUM_LANES-1:0] row;
  always_comb
    for (int l = 0; l < NUM_LANES; l++) {row[l], bank[l]} = address[l][LMEM_LOG2_SIZE-1:2];

  // The lane that each bank serves.
  logic [NUM_LANES-1:0] bank_is_used;
  bank_t [NUM_LANES-1:0] chosen;
  always_comb begin
    bank_is_used = '0;
    chosen = '0;
    for (int l = NUM_LANES - 1; l >= 0; l--)
      if (request[l]) begin
        bank_is_used[bank[l]] = 1'b1;
        chosen[bank[l]] = bank_t'(l);
      end
    for (int l = 0; l < NUM_LANES; l++)
      served[l] = request[l] && (chosen[bank[l]] == bank_t'(l) || (!write && row[chosen[bank[l]]] == row[l]));
  end

  words_t bank_data;
  for (genvar b = 0; b < NUM_LANES; b++) begin : gen_bank
    vx_ram #(.WORDS(ROWS), .LANES(4), .BITS(8), .FRESH(32'hbaadf00d)) words (
        .clk,
        .read(bank_is_used[b] && !write),
        .read_address(row[chosen[b]]),
        .read_data(bank_data[b]),
        .write(bank_is_used[b] && write ? enable[chosen[b]] : '0),
        .write_address(row[chosen[b]]),
        .write_data(data[chosen[b]])
    );
  end

  bank_t [NUM_LANES-1:0] bank_before;
  always_ff @(posedge clk) bank_before <= bank;
  always_comb
    for (int l = 0; l < NUM_LANES; l++) read_data[l] = bank_data[bank_before[l]];
endmodule
