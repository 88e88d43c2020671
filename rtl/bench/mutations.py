#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants a fault in each module of the RTL core and runs random programs: each fault has to be found.

usage: rtl/bench/mutations.py [--build=build] [--shape=4x8] [--only=MODULE,...]

Prints a table: the fault and what found it. Exit status 1 if a fault was not found.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INSTRUCTIONS = 100000
# file, what is in it, what takes its place, the fault in words
MUTATIONS = [
    ("core/vx_alu.sv", "$signed(a) >>> b[4:0]", "$signed(a) >>> b[3:0]", "sra by less than 16"),
    ("core/vx_amo.sv", "less ? operand : old", "below ? operand : old", "amomax without sign"),
    ("core/vx_arbiter.sv", "requests[i] && i > int'(last)", "i > int'(last)", "a grant for one that does not ask"),
    ("core/vx_barriers.sv", "arrived[b] >= 7'(counts[b])", "arrived[b] + 7'd1 >= 7'(counts[b])", "a barrier opens one group early"),
    ("core/vx_compute.sv", "assign out = results[winner]", "assign out = results[0]", "the wrong unit's result"),
    ("core/vx_control.sv", "$countones(taken) >= $countones(mask & ~taken)", "$countones(taken) > $countones(mask & ~taken)",
     "on a tie the other side comes first"),
    ("core/vx_core.sv", "commit ? NUM_PARTS'(1) << winner : '0", "'1", "results lost that end in one cycle"),
    ("core/vx_csr.sv", "CSR_WARP_ID: value = word_t'(warp_of(slot))", "CSR_WARP_ID: value = word_t'(slot)", "the slot as warp id"),
    ("core/vx_div.sv", "&& in.b[l] != 0", "", "division by zero with the wrong sign"),
    ("core/vx_exchange.sv", "wanted <= $signed({2'b0, high})", "wanted < $signed({2'b0, high})", "a segment one lane short"),
    ("core/vx_fetch.sv", "line[32*fetched.pc[LINE_BITS-1:2]+:32]", "line[32*fetched.pc[LINE_BITS-2:2]+:32]", "half of a line fetched"),
    ("core/vx_groups.sv", "groups[c].fflags <= groups[c].fflags | result.fflags", "groups[c].fflags <= result.fflags", "flags not accrued"),
    ("core/vx_local_memory.sv", "(!write && row[chosen[bank[l]]] == row[l])", "!write", "a conflict of banks not seen"),
    ("core/vx_lsu.sv", "(is_store && any_reservation)", "1'b0", "stores that reservations do not see"),
    ("core/vx_mul.sv", "in.insn.op == OP_MULH || in.insn.op == OP_MULHSU", "in.insn.op == OP_MULH", "mulhsu without sign"),
    ("core/vx_operands.sv", "& lanes_of(in.slot, group.size)", "", "groups that are parts of a warp write each other's lanes"),
    ("core/vx_pipe.sv", "if (in_ready) out_data <= in_data", "if (in_valid) out_data <= in_data", "data overwritten while it waits"),
    ("core/vx_ram.sv", "if (write[l]) contents", "if (write != 0) contents", "lanes that are not active are written"),
    ("core/vx_reservations.sv", "words[t][XLEN-3:1] == address[XLEN-1:3]", "words[t] == address[XLEN-1:2]", "reservations on four bytes"),
    ("core/vx_scheduler.sv", "groups[c].state == GROUP_READY", "groups[c].state != GROUP_IDLE", "groups that wait are issued"),
    ("core/vx_tile_check.sv", "&& !any_suspended", "", "suspended groups not resumed"),
    ("core/vx_tile_engine.sv", "GROUP_IDLE: return g.empty", "GROUP_IDLE: return 1'b0", "empty groups are waited for"),
    ("fpu/vx_fma_lane.sv", "|normalized[49:0]", "1'b0", "no sticky bit"),
    ("fpu/vx_fma.sv", "OP_FMUL_S: c = (in.a[l] ^ in.b[l]) & SIGN", "OP_FMUL_S: c = '0", "-0 as a product is +0"),
    ("fpu/vx_fdiv.sv", "remainder != 0}", "1'b0}", "quotients without a sticky bit"),
    ("fpu/vx_fmisc.sv", "is_equal(a, b) ? a[31] : is_less(a, b)", "is_less(a, b)", "the zeros in fmin"),
    ("fpu/vx_fp_pkg.sv", "tiny = field < 0 || !carries", "tiny = 1'b1", "tininess before rounding"),
    ("mem/vx_cache.sv", "fills ? '1 : writes_line ? request.enable : '0", "fills ? '1 : '0", "lines in the cache keep old data"),
    ("mem/vx_memory_arbiter.sv", "2'b01 << whose[0]", "2'b01 << whose[1]", "answers to the other cache"),
]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


class Builder:
    """Links the random programs with a core that has a fault; all else is the build's."""

    def __init__(self, build, shape, work):
        self.build, self.shape, self.work = build, shape, work
        self.include = run(["verilator", "--getenv", "VERILATOR_ROOT"]).stdout.strip() + "/include"
        self.packages = [os.path.join(build, "rtl", shape, p) for p in ("vx_isa_pkg.sv", "vx_shape_pkg.sv")]

    def make(self):
        model = os.path.join(self.work, "model")
        shutil.rmtree(model, ignore_errors=True)
        sources = sorted((f for part in ("core", "fpu", "mem") for f in glob.glob(f"{self.work}/rtl/{part}/*.sv")),
                         key=lambda f: not f.endswith("_pkg.sv"))
        program, objects = os.path.join(self.work, "program"), f"{self.build}/rtl/CMakeFiles/rtl-random-{self.shape}.dir/random"
        steps = [
            ["verilator", "--cc", "-O3", "--no-timing", "-Wno-fatal", "-Wno-lint", "--top-module", "vx_core", "--Mdir", model,
             "--x-assign", "fast", "--x-initial", "fast", "--output-split", "0", *self.packages, *sources],
            [sys.executable, f"{ROOT}/rtl/join-sources.py", model, "Vvx_core"],
            ["clang++-22", "-std=c++20", "-O1", "-w", "-fPIC", f"-I{model}", f"-isystem{self.include}",
             f"-isystem{self.include}/vltstd", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-c", f"{model}/Vvx_core__ALL.cpp", "-o",
             f"{model}/core.o"],
            ["clang++-22", "-o", program, *glob.glob(f"{objects}/*.o"), f"{model}/core.o", f"{self.build}/rtl/libvx_rtl_{self.shape}.a",
             f"{self.build}/simulator/vortex/libvx_vortex.a", f"{self.build}/simulator/libvx_simulator.a",
             f"{self.build}/rtl/libvx_verilated.a", "-lpthread"],
        ]
        for step in steps:
            done = run(step)
            if done.returncode:
                sys.exit(f"mutations.py: {' '.join(step)[:200]}\n{done.stdout[-2000:]}")
        return program


def find(program):
    """How random programs show the fault, or None."""
    try:
        done = run([program, f"--instructions={INSTRUCTIONS}"], timeout=600)
    except subprocess.TimeoutExpired:
        return "no end"
    if done.returncode == 0:
        return None
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    return next((line for line in lines if line.startswith("lockstep")), lines[-1] if lines else f"status {done.returncode}")[:100]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--shape", default="4x8")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    only = set(filter(None, args.only.split(",")))
    missed = 0
    with tempfile.TemporaryDirectory() as work:
        builder = Builder(args.build, args.shape, work)
        print("| module | fault | found by |\n|---|---|---|")
        for path, old, new, fault in MUTATIONS:
            module = os.path.basename(path).removesuffix(".sv")
            if only and module not in only:
                continue
            shutil.rmtree(f"{work}/rtl", ignore_errors=True)
            shutil.copytree(f"{ROOT}/rtl", f"{work}/rtl")
            with open(f"{work}/rtl/{path}", encoding="utf-8") as file:
                text = file.read()
            if text.count(old) < 1:
                sys.exit(f"mutations.py: {path} has no '{old}'")
            with open(f"{work}/rtl/{path}", "w", encoding="utf-8") as file:
                file.write(text.replace(old, new, 1))
            found = find(builder.make())
            missed += found is None
            print(f"| {module} | {fault} | {found or '**not found**'} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
