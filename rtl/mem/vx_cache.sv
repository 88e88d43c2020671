// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cache: direct-mapped, writes go through to memory and allocate no line. A request looks up its line in
// one cycle and is answered in the next; a read that misses holds up those after it until its line is
// there. A write is answered when memory has taken it, so it has its place among all writes of the core.
//
//   LOOKUP   tag and data of the request are being read
//   stage 1  hit: answer; read miss: ask memory, wait, write the line, look up again

module vx_cache
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
#(
    parameter int SETS = 256,
    parameter type TAG = logic          // what comes back with the answer
) (
    input  logic         clk,
    input  logic         reset,
    input  logic         flush,         // forget all lines
    input  logic         in_valid,
    output logic         in_ready,
    input  mem_request_t in,
    input  TAG           in_tag,
    output logic         out_valid,
    input  logic         out_ready,
    output line_data_t   out_data,      // of a read
    output TAG           out_tag,
    // Memory: answers of reads come in their order.
    output logic         mem_valid,
    input  logic         mem_ready,
    output mem_request_t mem,
    input  logic         fill_valid,
    input  line_data_t   fill_data
);
  localparam int SET_BITS = $clog2(SETS);
  typedef logic [$bits(line_t)-SET_BITS-1:0] tag_t;

  // The bits above choose the set, too: the stacks of the lanes lie 8 KiB apart, and what a warp has on
  // them would be in two sets.
  function automatic logic [SET_BITS-1:0] set_of(line_t line);
    return line[SET_BITS-1:0] ^ line[2*SET_BITS-1:SET_BITS] ^ SET_BITS'(line >> 2 * SET_BITS);
  endfunction
  function automatic tag_t tag_of(line_t line);
    return line[$bits(line_t)-1:SET_BITS];
  endfunction

  typedef enum logic [1:0] {RUN, WAIT_FILL, REPLAY} phase_e;
  phase_e phase;
  logic valid;                 // a request is in stage 1
  mem_request_t request;
  TAG tag;
  logic [SETS-1:0] line_valid;
  logic was_valid;
  tag_t stored_tag;
  line_data_t stored_data;

  wire hit = was_valid && stored_tag == tag_of(request.line);
  wire write_done = request.write && mem_ready;
  wire finishes = valid && phase == RUN && out_ready && (request.write ? write_done : hit);
  // A write changes the line in the cycle in which it ends: nothing is looked up then.
  wire writes_line = valid && phase == RUN && request.write && write_done && out_ready && hit;

  assign in_ready = phase == RUN && (!valid || finishes) && !writes_line && !flush;
  assign out_valid = valid && phase == RUN && (request.write ? mem_ready : hit);
  assign out_data = stored_data;
  assign out_tag = tag;
  // A write is offered to memory only when its answer can be taken in the same cycle.
  assign mem_valid = valid && phase == RUN && (request.write ? out_ready : !hit);
  assign mem = request;

  wire accept = in_valid && in_ready;
  wire line_t lookup_line = phase == REPLAY ? request.line : in.line;
  wire lookup = accept || phase == REPLAY;
  wire fills = phase == WAIT_FILL && fill_valid;

  vx_ram #(.WORDS(SETS), .LANES(1), .BITS($bits(tag_t))) tags (
      .clk, .read(lookup), .read_address(set_of(lookup_line)), .read_data(stored_tag),
      .write(fills), .write_address(set_of(request.line)), .write_data(tag_of(request.line))
  );
  vx_ram #(.WORDS(SETS), .LANES(LINE_BYTES), .BITS(8)) lines (
      .clk, .read(lookup), .read_address(set_of(lookup_line)), .read_data(stored_data),
      .write(fills ? '1 : writes_line ? request.enable : '0), .write_address(set_of(request.line)),
      .write_data(fills ? fill_data : request.data)
  );

  always_ff @(posedge clk) begin
    if (reset || flush) line_valid <= '0;
    else if (fills) line_valid[set_of(request.line)] <= 1'b1;
    if (lookup) was_valid <= line_valid[set_of(lookup_line)];

    if (reset) begin
      phase <= RUN;
      valid <= 1'b0;
    end else
      case (phase)
        RUN: begin
          if (accept) valid <= 1'b1;
          else if (finishes) valid <= 1'b0;
          if (valid && !request.write && !hit && mem_ready) phase <= WAIT_FILL;
        end
        WAIT_FILL: if (fill_valid) phase <= REPLAY;
        default: phase <= RUN;  // REPLAY
      endcase

    if (accept) begin
      request <= in;
      tag <= in_tag;
    end
  end
endmodule
