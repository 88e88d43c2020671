#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the GPU integration tests of the LLVM tree for CUDA on the simulator.

usage: mlir-gpu.py CHECKOUT [--build=BUILD] [--only=NAME]

CHECKOUT is a tree of llvm-project (22.x) with mlir/test/Integration/GPU/CUDA. The files are run as they
are; of their RUN lines the names of the programs and libraries, of the pipeline and of the pass that
attaches the target are replaced, and options that choose NVIDIA's chips are left out. Each runs in the
hw and the sw lowering, and compiled when it is loaded. What needs NVIDIA's tensor units, or looks at
the output of NVIDIA's tools, is listed with its reason. Exits with 1 if a test fails for another
reason than those in KNOWN.
"""

import argparse
import os
import re
import subprocess
import sys

FOLDER = "mlir/test/Integration/GPU/CUDA"
LLVM = "/usr/lib/llvm-22"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# What a file has that no Vortex device does.
OUT_OF_SCOPE = [
    (r"subgroup_mma|mma\.sync|wmma|wgmma", "NVIDIA's tensor units"),
    (r"nvgpu\.|nvvm\.cp\.async\.bulk|nvvm\.mbarrier", "NVIDIA's copy engine (TMA, mbarrier)"),
    (r"ptxas|serialize-to-isa|dump-sass|ISACompilerLog|redux\.sync\.add\.s32",
     "checks the output of NVIDIA's tools"),
]
# Tests that cannot pass, and why.
KNOWN = {
    "assert": "expects messages of two threads; the kernel is stopped at the first failed assertion",
    "alloc-host-shared": "the test accesses element 1 of an array of one element; the kernel is stopped",
    "host-register-ranked-memref": "of a later tree: LLVM 22 registers memrefs of unknown rank only",
    "sm90/non-portable-cluster-launch": "of a later tree: LLVM 22 knows no clusters of more than 8 blocks",
    "concurrent-kernels": "two kernels that wait for each other; a device runs one kernel at a time",
}
CONFIGS = [
    ("hw", {"VX_LOWERING": "hw", "VX_SET": "core.num_threads=8,core.num_warps=16"}, "fatbin"),
    ("sw", {"VX_LOWERING": "sw"}, "fatbin"),
    ("loaded as IR", {}, "isa"),
]


def command(text, path, build, compiled):
    """The command that the RUN lines of TEXT stand for."""
    lines = re.findall(r"^//\s*RUN:(.*)$", text, re.M)
    joined = " ".join(line.strip().rstrip("\\") for line in lines)
    pairs = [
        (r"gpu-lower-to-nvvm-pipeline", "gpu-lower-to-vx-pipeline"),
        (r"nvvm-attach-target", "vx-attach-target"),
        (r"\bcubin-(chip|features|triple)=\S+?(?=[\s\"'])", ""),
        (r"\bmlir-opt\b", build + "/bin/vx-mlir-opt"),
        (r"\bmlir-(cpu-)?runner\b", LLVM + "/bin/mlir-runner"),
        (r"\bFileCheck\b", LLVM + "/bin/FileCheck"),
        (r"%mlir_cuda_runtime", build + "/lib/libvx_mlir_runtime.so"),
        (r"%mlir_(\w+)", LLVM + r"/lib/libmlir_\1.so"),
        (r"%(gpu_compilation_format|format)\b", compiled),
        (r"%s\b", path),
    ]
    for pattern, value in pairs:
        joined = re.sub(pattern, value, joined)
    return "set -o pipefail; " + joined


def run(line, environment, seconds=60):
    """None, or the end of what the command said."""
    try:
        done = subprocess.run(["timeout", "--kill-after=5", str(seconds), "bash", "-c", line], capture_output=True, text=True,
                              errors="replace", env=dict(os.environ, **environment))
    except OSError as error:
        return str(error)
    if done.returncode == 0:
        return None
    if done.returncode == 124:
        return "does not end"
    said = (done.stderr or done.stdout).strip().splitlines()
    return next((s for s in said if "error" in s or "failed" in s or "stopped" in s),
                said[-1] if said else "exit code %d" % done.returncode)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    top = os.path.join(options.checkout, FOLDER)
    if not os.path.isdir(top):
        sys.exit("no tests at " + top)
    names = sorted(os.path.relpath(os.path.join(folder, name), top)
                   for folder, _, files in os.walk(top) for name in files if name.endswith(".mlir"))
    passed, unexpected, known, left_out = 0, 0, 0, {}
    for name in names:
        path = os.path.abspath(os.path.join(top, name))
        stem = os.path.splitext(name)[0]
        if options.only not in stem:
            continue
        text = open(path, errors="replace").read()
        reason = next((why for what, why in OUT_OF_SCOPE if re.search(what, text)), None)
        if reason:
            left_out.setdefault(reason, []).append(stem)
            continue
        results = []
        for config, environment, compiled in CONFIGS:
            problem = run(command(text, path, os.path.abspath(options.build), compiled), environment)
            results.append((config, problem))
        failures = [(config, problem) for config, problem in results if problem]
        if not failures:
            passed += 1
            print("%-32s pass" % stem)
        elif stem in KNOWN:
            known += 1
            print("%-32s %s" % (stem, KNOWN[stem]))
        else:
            unexpected += 1
            for config, problem in failures:
                print("%-32s FAIL %s: %s" % (stem, config, problem[:200]))
        sys.stdout.flush()
    for reason, stems in left_out.items():
        print("left out, %s: %s" % (reason, ", ".join(stems)))
    print("%d pass in %s; %d cannot, for the reasons above; %d fail; %d left out" % (
        passed, ", ".join(config for config, _, _ in CONFIGS), known, unexpected,
        sum(len(stems) for stems in left_out.values())))
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
