#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a self-checking CUDA program on devices of several shapes.

usage: run-shapes.py [--few | --warp | --wide] [--xlen=32] [--status=N] [--lower=sw] [--isa=ISA]
                     PROGRAM [ARGUMENT...]

A run is good when the program ends with the wanted status (0) and, for status 0, its last line is
PASS. By default the shapes are warps x lanes 1x1, 4x4, 4x8, 2x32 and 16x16 on 1 and 4 cores;
--few takes three of them; --warp takes shapes on which a CUDA warp is one hardware warp or several:
8x4, 4x8, 2x16, 1x32, 4x32 and 16x8; --wide those of them that have 32 lanes. --xlen=32 makes them
devices with 32-bit registers. Every failing shape is reported with the program's output; the
setting that repeats it is printed in full.
--lower=sw (or VX_LOWERING=sw) runs the sw variants, on devices without warp instructions.
--isa sets isa.warp.
Devices whose warps keep paths (paths.toml) have all warp instructions.
With VX_BACKEND=LIBRARY the program runs once, on the device of the library.
"""

import os
import subprocess
import sys

ALL = [(cores, warps, lanes) for warps, lanes in ((1, 1), (4, 4), (4, 8), (2, 32), (16, 16))
       for cores in (1, 4)]
FEW = [(1, 4, 8), (4, 1, 1), (1, 16, 16)]
WARP = [(1, 8, 4), (2, 4, 8), (1, 2, 16), (1, 1, 32), (1, 4, 32), (1, 16, 8)]
WIDE = [shape for shape in WARP if shape[2] == 32]
LIBRARY = "/" in os.environ.get("VX_BACKEND", "")
SECONDS = 300 if LIBRARY else 120
KEEPS_PATHS = os.path.basename(os.environ.get("VX_CONFIG", "")) == "paths.toml"


def setting(shape, xlen, lower, isa):
    if not shape:
        return ""
    cores, warps, lanes = shape
    text = f"num_cores={cores},core.num_warps={warps},core.num_threads={lanes}"
    isa = isa or ("off" if lower == "sw" and not KEEPS_PATHS else "")
    return text + (f",isa.xlen={xlen}" if xlen else "") + (f",isa.warp={isa}" if isa else "")


def run(command, settings, status, lower):
    """Returns None when the run was good, else what was wrong with it."""
    environment = dict(os.environ, VX_SET=settings, VX_LOWERING=lower)
    try:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, errors="replace")
    except subprocess.TimeoutExpired as late:
        text = (late.stdout or b"").decode(errors="replace")
        return f"no end after {SECONDS} s\n{text}"
    lines = done.stdout.rstrip().splitlines()
    if LIBRARY: # it says how many instructions it has compared
        lines = [line for line in lines if not line.startswith("vortex-rtl: ")]
    if done.returncode != status:
        return f"exit status {done.returncode}, wanted {status}\n{done.stdout}"
    if status == 0 and (not lines or lines[-1] != "PASS"):
        return f"the last line is not PASS\n{done.stdout}"
    return None


def main(arguments):
    shapes, xlen, status, lower, isa = ALL, None, 0, os.environ.get("VX_LOWERING", ""), None
    while arguments and arguments[0].startswith("--"):
        option = arguments.pop(0)
        if option == "--few":
            shapes = FEW
        elif option == "--warp":
            shapes = WARP
        elif option == "--wide":
            shapes = WIDE
        elif option.startswith("--isa="):
            isa = option.removeprefix("--isa=")
        elif option.startswith("--xlen="):
            xlen = option.removeprefix("--xlen=")
        elif option.startswith("--lower="):
            lower = option.removeprefix("--lower=")
        elif option.startswith("--status="):
            status = int(option.removeprefix("--status="))
        else:
            sys.exit(f"run-shapes.py: unknown option {option}")
    if not arguments:
        sys.exit(__doc__)
    failures = 0
    if LIBRARY:
        shapes = [None]
    for shape in shapes:
        settings = setting(shape, xlen, lower, isa)
        problem = run(arguments, settings, status, lower)
        if problem:
            failures += 1
            how = f"VX_LOWERING={lower} " if lower else ""
            print(f"{how}VX_SET={settings} {' '.join(arguments)}: {problem}", flush=True)
    print(f"{len(shapes) - failures} of {len(shapes)} shapes passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
