// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes and shuffles. The operands of all beats are gathered; then one beat of results is made at a
// time. Threads are numbered from the first lane of the group's first hardware warp, so a group that is
// smaller than a warp begins at thread `offset`.
//
// SERIAL_EXCHANGE says how a shuffle gets at the values of other beats: by a crossbar from all threads of
// a group to the lanes of a beat, in one cycle, or by one from lanes to lanes that looks at one source
// beat per cycle.

module vx_exchange
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
  typedef logic [width_of(GROUP_MAX)-1:0] thread_t;

  typedef enum logic [1:0] {GATHER, EXCHANGE, SEND} phase_e;
  phase_e phase;
  beat_number_t number, last_number;  // of the beat that is gathered, exchanged or sent
  beat_number_t source;               // serial: the beat whose values are looked at
  issue_t first_beat;                 // what all beats have in common
  logic [BEATS_MAX-1:0][NUM_LANES-1:0][XLEN-1:0] values;
  words_t [BEATS_MAX-1:0] controls;   // rs2 of a shuffle, the member mask of a vote
  lanes_t [BEATS_MAX-1:0] active, yes;

  wire insn_t insn = first_beat.insn;
  wire is_vote = insn.latency == LATENCY_VOTE;
  wire thread_t offset = first_beat.size < WARP_SIZE ? thread_t'(first_lane_of(first_beat.beat.slot)) : '0;
  wire [5:0] size = 6'(CELL << first_beat.size);
  wire accept = in_valid && in_ready;

  assign in_ready = phase == GATHER;

  // ---- Votes ------------------------------------------------------------------------------------

  wire threads_t voters = threads_t'(active) >> offset;
  wire threads_t yes_votes = threads_t'(active & yes) >> offset;

  function automatic word_t vote(op_e op, threads_t voting, threads_t agreeing);
    case (op)
      OP_VX_VOTE_ALL: return word_t'(agreeing == voting);
      OP_VX_VOTE_ANY: return word_t'(agreeing != 0);
      OP_VX_VOTE_UNI: return word_t'(agreeing == 0 || agreeing == voting);
      default: return word_t'(agreeing);
    endcase
  endfunction

  words_t votes;
  always_comb
    for (int l = 0; l < NUM_LANES; l++) begin
      // The register x0 as member mask means all.
      automatic threads_t members = first_beat.word[24:20] == 0 ? '1 : threads_t'(controls[number][l]);
      votes[l] = vote(insn.op, voters & members, yes_votes & members);
    end

  // ---- Shuffles ---------------------------------------------------------------------------------

  // The thread that THREAD of the group reads, by the rule of PTX shfl: itself where that would leave
  // its segment. Bits of CONTROL: lane 0…5, clamp 6…11, segment mask 12…17.
  function automatic logic [5:0] source_of(op_e op, logic [5:0] thread, logic [17:0] control,
                                           logic [5:0] threads);
    logic [5:0] lane, clamp, mask, low, high;
    logic signed [7:0] wanted;
    logic in_range;
    {mask, clamp, lane} = control;
    low = thread & mask;
    high = low | (clamp & ~mask);
    case (op)
      OP_VX_SHFL_UP, OP_VX_SHFL_UP_I: wanted = $signed({2'b0, thread}) - $signed({2'b0, lane});
      OP_VX_SHFL_DOWN, OP_VX_SHFL_DOWN_I: wanted = $signed({2'b0, thread}) + $signed({2'b0, lane});
      OP_VX_SHFL_BFLY, OP_VX_SHFL_BFLY_I: wanted = $signed({2'b0, thread ^ lane});
      default: wanted = $signed({2'b0, low | (lane & ~mask)});
    endcase
    if (op == OP_VX_SHFL_UP || op == OP_VX_SHFL_UP_I) in_range = wanted >= $signed({2'b0, low});
    else in_range = wanted <= $signed({2'b0, high});
    return in_range && wanted < $signed({2'b0, threads}) ? wanted[5:0] : thread;
  endfunction

  thread_t [NUM_LANES-1:0] sources;
  logic [5:0] thread;
  logic [17:0] control;
  always_comb begin
    sources = '0;
    thread = '0;
    control = '0;
    if (phase == EXCHANGE && !is_vote)
      for (int l = 0; l < NUM_LANES; l++) begin
        thread = 6'(int'(number) * NUM_LANES + l) - 6'(offset);
        control = insn.immediate == FIELD_LANE ? {controls[number][l][11:0], first_beat.imm[5:0]}
                                               : controls[number][l][17:0];
        sources[l] = thread_t'(source_of(insn.op, thread, control, size)) + offset;
      end
  end

  words_t shuffled, collected;
  logic exchanged;  // `shuffled` has all values of the beat
  if (SERIAL_EXCHANGE) begin : gen_serial
    always_comb begin
      exchanged = is_vote || source == last_number;
      for (int l = 0; l < NUM_LANES; l++) begin
        automatic int from = int'(sources[l]) % NUM_LANES;
        shuffled[l] = collected[l];
        if (int'(sources[l]) / NUM_LANES == int'(source))
          shuffled[l] = active[source][from] ? values[source][from] : '0;
      end
    end
  end else begin : gen_crossbar
    wire [BEATS_MAX*NUM_LANES-1:0][XLEN-1:0] all_values = values;
    wire threads_t all_active = active;
    always_comb begin
      exchanged = 1'b1;
      for (int l = 0; l < NUM_LANES; l++)
        shuffled[l] = all_active[sources[l]] ? all_values[sources[l]] : '0;
    end
  end

  // ---- Beats ------------------------------------------------------------------------------------

  always_ff @(posedge clk) begin
    if (reset) begin
      phase <= GATHER;
      number <= '0;
      source <= '0;
    end else
      case (phase)
        GATHER:
          if (accept) begin
            number <= in.beat.last ? '0 : number + 1'b1;
            if (in.beat.last) phase <= EXCHANGE;
          end
        EXCHANGE: begin
          source <= exchanged ? '0 : source + 1'b1;
          if (exchanged) phase <= SEND;
        end
        default:  // SEND
          if (out_ready) begin
            phase <= number == last_number ? GATHER : EXCHANGE;
            number <= number == last_number ? '0 : number + 1'b1;
          end
      endcase

    if (accept) begin
      if (in.beat.first) begin
        first_beat <= in;
        active <= '0;
      end
      last_number <= number;
      values[number] <= in.a;
      controls[number] <= in.b;
      active[number] <= in.beat.mask;
      for (int l = 0; l < NUM_LANES; l++) yes[number][l] <= in.a[l][0];
    end
    if (phase == EXCHANGE) collected <= is_vote ? votes : shuffled;
  end

  assign out_valid = phase == SEND;
  always_comb begin
    out = plain_result(first_beat);
    out.data = collected;
    out.beat.warp = first_beat.beat.warp + warp_t'(number);
    out.beat.mask = active[number];
    out.beat.first = number == 0;
    out.beat.last = number == last_number;
  end
endmodule
