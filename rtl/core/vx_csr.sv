// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control and status registers: what a read gives, and what a write leaves. Flags and rounding mode belong
// to a group and are in the group table; here are the registers of the core.

module vx_csr
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic        clk,
    input  logic        reset,
    input  word_t       start_argument,
    input  logic [6:0]  executed,       // threads whose instruction ends in this cycle
    input  logic [NUM_WARPS-1:0] live_warps,
    // A read of the CSR `number` by a group.
    input  logic [11:0] number,
    input  slot_t       slot,
    input  group_t      group,
    input  threads_t    active,
    output logic        exists,
    output word_t       value,          // for a CSR that differs between lanes, that of thread 0
    output logic        by_thread,      // it does: add the number of the thread
    // A write of `written` to it.
    input  logic        write,
    input  word_t       written
);
  localparam int FIRST_EVENT = int'(CSR_MCYCLE) + 3;

  wire [11:0] counter = number & ~12'h080;
  logic [63:0] cycles, instructions;
  word_t mscratch;

  always_ff @(posedge clk) begin
    if (reset) begin
      cycles <= '0;
      instructions <= '0;
      mscratch <= start_argument;
    end else begin
      cycles <= cycles + 1;
      instructions <= instructions + 64'(executed);
      if (write && number == CSR_MSCRATCH) mscratch <= written;
    end
  end

  always_comb begin
    exists = 1'b1;
    by_thread = 1'b0;
    value = '0;
    case (number)
      CSR_FFLAGS: value = word_t'(group.fflags);
      CSR_FRM: value = word_t'(group.frm);
      CSR_FCSR: value = word_t'({group.frm, group.fflags});
      CSR_MSCRATCH: value = mscratch;
      CSR_MCYCLE, CSR_CYCLE: value = cycles[31:0];
      CSR_MCYCLEH, CSR_CYCLEH: value = cycles[63:32];
      CSR_MINSTRET, CSR_INSTRET: value = instructions[31:0];
      CSR_MINSTRETH, CSR_INSTRETH: value = instructions[63:32];
      CSR_THREAD_ID: by_thread = 1'b1;
      CSR_WARP_ID: value = word_t'(warp_of(slot));
      CSR_CORE_ID: value = '0;
      CSR_ACTIVE_WARPS: value = word_t'(live_warps);
      CSR_ACTIVE_THREADS: value = word_t'(active);
      CSR_MHARTID: begin
        value = word_t'(CELL * int'(slot));
        by_thread = 1'b1;
      end
      CSR_NUM_THREADS: value = NUM_LANES;
      CSR_NUM_WARPS: value = NUM_WARPS;
      CSR_NUM_CORES: value = NUM_CORES;
      CSR_LOCAL_MEM_BASE: value = STACK_BASE_ADDR_32;
      default: begin
        // Event counters, and their upper halves: there are none, they read as 0.
        exists = counter >= 12'(FIRST_EVENT) && counter < CSR_MCYCLE + 12'(MPM_WORDS);
      end
    endcase
  end
endmodule
