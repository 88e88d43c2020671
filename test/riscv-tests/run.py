#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the public riscv-tests on vx-sim.

usage: run.py CHECKOUT [--vx-sim PROGRAM] [--suites rv64ui,rv64um,…] [--set KEY=VALUE]

CHECKOUT is a checkout of github.com/riscv-software-src/riscv-tests; it is not part of this project.
The tests of a suite are those that its Makefrag lists. Exit code 0: all passed.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SUITES = "rv64ui rv64um rv64ua rv64uf rv64ud rv64uzicond rv32ui rv32um rv32ua rv32uf rv32ud rv32uzicond"


def test_names(suite_dir):
    text = (suite_dir / "Makefrag").read_text().replace("\\\n", " ")
    text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    names = re.search(r"_sc_tests\s*=\s*(.*)", text).group(1).split()
    return names


def build(source, xlen, isa_dir, output):
    march = "rv%simafd_zicsr_zifencei_zicond" % xlen
    abi = "lp64" if xlen == "64" else "ilp32"
    command = ["clang-22", "--target=riscv%s-unknown-elf" % xlen, "-march=" + march, "-mabi=" + abi,
               "-mcmodel=medany", "-mno-relax", "-nostdlib", "-static", "-fuse-ld=lld-22",
               "-Wno-unused-command-line-argument", "-I", str(HERE),
               "-I", str(isa_dir / "macros" / "scalar"), "-T", str(HERE / "link.ld"),
               str(source), "-o", str(output)]
    return subprocess.run(command, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--vx-sim", default=str(HERE.parents[1] / "build" / "bin" / "vx-sim"))
    parser.add_argument("--suites", default=SUITES.replace(" ", ","))
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    isa_dir = options.checkout / "isa"
    settings = ["--set=run.max_instructions=10000000"] + ["--set=" + s for s in options.set]
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        for suite in options.suites.split(","):
            if not (isa_dir / suite).is_dir():
                print("%-12s not in this checkout" % suite)
                continue
            names = test_names(isa_dir / suite)
            bad = []
            for name in names:
                elf = pathlib.Path(work) / (suite + "-" + name)
                built = build(isa_dir / suite / (name + ".S"), suite[2:4], isa_dir, elf)
                if built.returncode:
                    bad.append("%s (does not build: %s)" % (name, built.stderr.splitlines()[0]))
                    continue
                ran = subprocess.run([options.vx_sim] + settings + [str(elf)], capture_output=True,
                                     text=True, timeout=60)
                if ran.returncode:
                    bad.append("%s (exit code %d) %s" % (name, ran.returncode, ran.stderr.strip()))
            print("%-12s %d of %d passed" % (suite, len(names) - len(bad), len(names)))
            for line in bad:
                print("    failed: " + line)
            failed += len(bad)
    return 1 if failed else 0


sys.exit(main())
