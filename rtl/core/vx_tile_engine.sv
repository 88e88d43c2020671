// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regroups threads. A vx_tile of mask M and size S forms groups of S threads; those that contain
// threads of the issuer continue after it if their bit in M is set, else they are suspended. A group
// that is larger than the issuer waits for the rest of its threads to reach an equal vx_tile, but not
// for suspended ones. Suspended groups elsewhere in the span of 32 threads whose bits are set continue
// after this vx_tile, too.
//
// Work is serial, because it is rare: SCAN looks at one group per cycle and performs its vx_tile if
// nothing is missing; RESUME then looks at one place of a suspended group per cycle. After a change the
// scan begins again, since one vx_tile may suspend all that another one waits for. It sleeps when a
// whole scan has found nothing, until another group arrives.

module vx_tile_engine
  import vx_isa_pkg::*, vx_shape_pkg::*, vx_pkg::*;
(
    input  logic             clk,
    input  logic             reset,
    input  groups_t          groups,
    input  all_threads_t     masks,
    input  logic             arrived,      // a group has come to wait at a vx_tile
    output logic             busy,
    output logic [CELLS-1:0] form_cells,   // cells that get new groups
    output groups_t          formed,
    output logic [CELLS-1:0] suspend
);
  localparam int SPAN = CELLS < TILE_CELLS ? CELLS : TILE_CELLS;

  typedef enum logic [1:0] {SLEEP, SCAN, RESUME} phase_e;
  phase_e phase;
  slot_t scan;       // the group that is looked at, and then the place of a suspended one
  logic pending;     // a group arrived since the scan began
  // The vx_tile that is performed, and the cells that it has regrouped.
  wait_t tile;
  word_t pc;
  slot_t done_first;
  size_t done_size;

  // What happens to a run of cells in this cycle.
  logic form;
  slot_t form_first;
  size_t form_size;
  wait_t form_tile;
  word_t form_pc;

  function automatic logic in_run(int cell_number, slot_t first, size_t size);
    return (cell_number >> size) == (int'(first) >> size);
  endfunction

  function automatic slot_t align(slot_t cell_number, size_t size);
    return slot_t'((int'(cell_number) >> size) << size);
  endfunction

  function automatic logic has_arrived(group_t g, wait_t wanted);
    case (g.state)
      GROUP_AT_TILE: return g.waits.tile_mask == wanted.tile_mask && g.waits.tile_size == wanted.tile_size;
      GROUP_SUSPENDED: return 1'b1;
      GROUP_IDLE: return g.empty;
      default: return 1'b0;
    endcase
  endfunction

  // ---- SCAN: the group at `scan` ------------------------------------------------------------------

  group_t here;
  slot_t new_first;
  logic is_larger, is_named_here, is_complete, waits_here, performed;

  always_comb begin
    here = groups[scan];
    waits_here = here.head && here.state == GROUP_AT_TILE;
    is_larger = here.size > here.waits.tile_size;
    new_first = align(scan, here.waits.tile_size);
    is_named_here = is_named(here.waits.tile_mask, new_first);
    is_complete = 1'b1;
    for (int c = 0; c < CELLS; c++)
      if (in_run(c, new_first, here.waits.tile_size) &&
          !has_arrived(groups[owner_of(groups, slot_t'(c))], here.waits))
        is_complete = 1'b0;
    performed = phase == SCAN && waits_here && (is_larger || !is_named_here || is_complete);
  end

  // ---- RESUME: the place at `scan` ------------------------------------------------------------------

  logic any_suspended, any_other, resumes;
  group_t resumed, resident;
  slot_t resumed_first;

  always_comb begin
    any_suspended = 1'b0;
    any_other = int'(scan) + (1 << tile.tile_size) > CELLS;
    for (int c = 0; c < CELLS; c++) begin
      resident = groups[owner_of(groups, slot_t'(c))];
      if (in_run(c, scan, tile.tile_size)) begin
        if (resident.state == GROUP_SUSPENDED) any_suspended = 1'b1;
        else if (!(resident.state == GROUP_IDLE && resident.empty)) any_other = 1'b1;
      end
    end
    resumed_first = owner_of(groups, scan);
    resumed = groups[resumed_first];
    resumes = phase == RESUME && align(scan, tile.tile_size) == scan && is_named(tile.tile_mask, scan) &&
              !in_run(int'(scan), done_first, done_size > tile.tile_size ? done_size : tile.tile_size) &&
              any_suspended && !any_other;
  end

  // ---- The change -----------------------------------------------------------------------------------

  always_comb begin
    form = 1'b0;
    form_first = scan;
    form_size = here.size;
    form_tile = here.waits;
    form_pc = here.pc;
    suspend = '0;
    if (performed) begin
      form = is_larger || is_named_here;
      if (!is_larger) begin
        form_first = new_first;
        form_size = here.waits.tile_size;
      end
      if (!form) suspend[scan] = 1'b1;
    end else if (resumes) begin
      form = 1'b1;
      form_tile = tile;
      form_pc = pc;
      form_size = tile.tile_size;
      if (resumed.size > tile.tile_size) begin  // a larger group is cut up
        form_first = resumed_first;
        form_size = resumed.size;
      end
    end
  end

  // Flags are joined; the rounding mode is that of the lowest group that takes part, or else that of the
  // lowest one.
  fflags_t fflags;
  rounding_t frm;
  logic any_takes_part;
  always_comb begin
    fflags = '0;
    frm = '0;
    any_takes_part = 1'b0;
    for (int c = CELLS - 1; c >= 0; c--)
      if (groups[c].head && in_run(c, form_first, form_size) && groups[c].state != GROUP_IDLE) begin
        fflags |= groups[c].fflags;
        if (groups[c].state == GROUP_AT_TILE || !any_takes_part) frm = groups[c].frm;
        if (groups[c].state == GROUP_AT_TILE) any_takes_part = 1'b1;
      end
  end

  always_comb begin
    form_cells = '0;
    formed = '0;
    for (int c = 0; c < CELLS; c++) begin
      automatic slot_t first = align(slot_t'(c), form_tile.tile_size);
      automatic threads_t active = group_mask(masks, first, form_tile.tile_size);
      form_cells[c] = form && in_run(c, form_first, form_size);
      formed[c].head = first == slot_t'(c);
      formed[c].size = form_tile.tile_size;
      formed[c].empty = active == 0;
      formed[c].pc = form_pc;
      formed[c].fflags = fflags;
      formed[c].frm = frm;
      if (!formed[c].head || active == 0) formed[c].state = GROUP_IDLE;
      else formed[c].state = is_named(form_tile.tile_mask, first) ? GROUP_READY : GROUP_SUSPENDED;
    end
  end

  // ---- Phases -----------------------------------------------------------------------------------------

  assign busy = phase != SLEEP || pending;
  wire slot_t span_first = slot_t'(int'(scan) / SPAN * SPAN);

  always_ff @(posedge clk) begin
    if (reset) begin
      phase <= SLEEP;
      pending <= 1'b0;
    end else begin
      if (arrived) pending <= 1'b1;
      case (phase)
        SLEEP:
          if (pending) begin
            phase <= SCAN;
            scan <= '0;
            pending <= arrived;
          end
        SCAN:
          if (performed) begin
            phase <= RESUME;
            tile <= here.waits;
            pc <= here.pc;
            done_first <= is_larger ? scan : new_first;
            done_size <= is_larger ? here.size : here.waits.tile_size;
            scan <= span_first;
          end else begin
            if (int'(scan) == CELLS - 1) phase <= SLEEP;
            scan <= scan + 1'b1;
          end
        default:  // RESUME
          if (int'(scan) == int'(span_first) + SPAN - 1) begin
            phase <= SCAN;
            scan <= '0;
          end else scan <= scan + 1'b1;
      endcase
    end
  end
endmodule
