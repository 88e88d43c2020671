// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the operands of a vx_tile, and says if it changes anything. An error is an
// open split, a size other than 4, 8, 16 and 32, mask bits where no group of that size begins, or none, and a
// new group that the core has no threads for, or that has ended ones. Groups that no warp completes or resumes
// make the core stuck.

module vx_tile_check
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  groups_t groups,
    input  slot_t   slot,      // of the group that executes it
    input  word_t   mask,
    input  word_t   threads,   // of a new group
    output size_t   size,
    output logic    is_bad,
    output logic    keeps      // the groups as they are
);
  wire group_t group = groups[slot];
  wire slot_t first = slot_t'((int'(slot) >> size) << size);
  wire joins = size >= group.size && is_named(mask[7:0], first);  // it becomes part of the group from `first` on

  logic size_is_bad;
  logic [7:0] starts;          // the bits that may start groups of the size
  always_comb begin
    size_is_bad = 1'b0;
    case (threads)
      4: {size, starts} = {2'd0, 8'hff};
      8: {size, starts} = {2'd1, 8'haa};
      16: {size, starts} = {2'd2, 8'h88};
      32: {size, starts} = {2'd3, 8'h80};
      default: begin
        {size, starts} = {2'd3, 8'h80};
        size_is_bad = 1'b1;
      end
    endcase
  end

  group_t other;
  logic any_ended, any_suspended;
  always_comb begin
    any_ended = 1'b0;
    any_suspended = 1'b0;
    for (int c = 0; c < CELLS; c++) begin
      other = groups[owner_of(groups, slot_t'(c))];
      if ((c >> size) == (int'(slot) >> size) && other.state == GROUP_IDLE && !other.empty) any_ended = 1'b1;
      if (c / TILE_CELLS == int'(slot) / TILE_CELLS && other.state == GROUP_SUSPENDED) any_suspended = 1'b1;
    end
  end

  assign is_bad = size_is_bad || mask == 0 || (mask & ~word_t'(starts)) != 0 || group.depth != 0 ||
                  (joins && (any_ended || int'(first) + (1 << size) > CELLS));
  assign keeps = size == group.size && is_named(mask[7:0], slot) && !any_suspended;
endmodule
