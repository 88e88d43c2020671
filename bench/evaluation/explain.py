# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why a kernel is faster one way than the other, in words, from what the simulator counted."""

CAUSES = {
    "fetch": "instruction fetch",
    "control": "branches and warp control",
    "barrier": "barriers",
    "scoreboard": "results of operations",
    "memory": "loads",
    "operands": "beats of merged warps",
}


def value(row, key):
    return float(row.get(key) or 0)


def accesses(row):
    """Loads, stores and atomics of threads, about: those of warps times the lanes that are active."""
    warp = value(row, "core.loads") + value(row, "core.stores") + value(row, "core.atomics")
    lanes = value(row, "thread_instructions") / max(value(row, "warp_instructions"), 1)
    return warp * lanes


def lanes_per_line(row):
    """How well the lanes of an access share lines; 0: not known."""
    lines = value(row, "coalescer_lines")
    return value(row, "coalescer_lanes") / lines if lines else 0


def amount(number):
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if number >= limit:
            return f"{number / limit:.3g} {unit}"
    return f"{number:.0f}"


def times(ratio):
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"


def where_cycles_go(row):
    """The two largest parts of the cycles, issuing included."""
    total = max(value(row, "core.cycles"), 1)
    parts = [(value(row, "core.stall_" + cause), "waits for " + words)
             for cause, words in CAUSES.items()]
    idle = sum(part for part, _ in parts)
    parts.append((total - idle, "issues"))
    parts.sort(reverse=True)
    return " and ".join(f"{words} in {100 * part / total:.0f} %" for part, words in parts[:2])


def explain(hw, sw):
    """Sentences about two rows of results, hw against sw."""
    sentences = []
    instructions = value(sw, "thread_instructions") / max(value(hw, "thread_instructions"), 1)
    warps = value(sw, "warp_instructions") / max(value(hw, "warp_instructions"), 1)
    memory = accesses(sw) / max(accesses(hw), 1)
    if instructions > 1.1:
        sentences.append(f"sw executes {times(instructions)} times the thread instructions "
                         f"({amount(value(sw, 'thread_instructions'))} against "
                         f"{amount(value(hw, 'thread_instructions'))})")
    elif instructions < 0.9:
        sentences.append(f"sw needs {100 * instructions:.0f} % of the thread instructions "
                         f"({amount(value(sw, 'thread_instructions'))} against "
                         f"{amount(value(hw, 'thread_instructions'))})")
    else:
        sentences.append("both execute about the same number of thread instructions")
    if memory > 1.1 or memory < 0.9:
        sentences[-1] += f" and {times(memory)} times the memory accesses"
    if warps > instructions * 1.2:
        sentences.append(f"its instructions are of one hardware warp each, {times(warps)} times as "
                         "many to issue, while what is one value for a CUDA warp is computed once")
    hw_lanes, sw_lanes = lanes_per_line(hw), lanes_per_line(sw)
    if hw_lanes > 1.25 * sw_lanes > 0 or sw_lanes > 1.25 * hw_lanes > 0:
        sentences.append(f"a line of memory serves {hw_lanes:.1f} lanes of an access in hw and "
                         f"{sw_lanes:.1f} in sw")
    sentences.append(f"with hw the core {where_cycles_go(hw)} of its cycles, with sw it "
                     f"{where_cycles_go(sw)}")
    for name, row in (("hw", hw), ("sw", sw)):
        occupancy = value(row, "lane_occupancy")
        if 0 < occupancy < 0.9:
            sentences.append(f"in {name} {100 * (1 - occupancy):.0f} % of the lanes are idle "
                             "(divergence, partial groups)")
    hw_dram, sw_dram = value(hw, "dram_bytes"), value(sw, "dram_bytes")
    if sw_dram > 1.5 * hw_dram or hw_dram > 1.5 * sw_dram:
        sentences.append(f"DRAM moves {amount(sw_dram)}B in sw and {amount(hw_dram)}B in hw")
    return "; ".join(sentences)[0].upper() + "; ".join(sentences)[1:] + "."
