#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the CUDA kernels of examples/ as SPIR-V and runs the programs with what comes back.

usage: examples.py [--build=build] [--only=NAME,...] [--run=NAME,...] [--configurations=hw,sw] [--platform=ICD]
                         [--jobs=2] [--work=DIR]

Each example becomes a module (vxcc --emit=spirv), which spirv-val checks for the version that it names.
Then the program itself, whose CUDA calls are OpenCL's (test/frontend/spirv/Inputs/cuda-over-opencl.cpp),
runs with the kernels of that module and checks their results; --run says for which. The sizes are
those of test/e2e/examples.

Without --platform the OpenCL platform is vxcl of the build, in the hw and the sw lowering. With it, as
/etc/OpenCL/vendors/pocl.icd, it is that one, and modules become SPIR bitcode (llvm-spirv-15) if it has
no SPIR-V. Exits with 1 if something fails.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "bench", "programs"))

from runs import CONFIGURATIONS, last_line, run  # noqa: E402

SECONDS = 120
# Programs that need what OpenCL has no call for.
CANNOT = {"stencil3d": "copies to a __constant__ variable, and OpenCL's hosts see no variables of modules"}


def sizes(name):
    """The arguments that the example's test runs it with first."""
    with open(os.path.join(ROOT, "test/e2e/examples", name + ".test")) as file:
        return re.search(r"%t\.0(.*)", file.read()).group(1).split()


def must(command):
    status, output, _ = run(command, SECONDS)
    if status != 0:
        raise RuntimeError(f"{' '.join(command[:3])} …: {last_line(output)}")
    return output


def make_module(options, name):
    """The checked module of an example."""
    path = os.path.join(options.work, name + ".spv")
    must([options.build + "/bin/vxcc", "--emit=spirv", f"{ROOT}/examples/{name}/{name}.cu", "-o", path])
    with open(path, "rb") as file:
        minor = file.read(8)[5]
    must(["spirv-val", "--target-env", f"spv1.{minor}", path])
    if minor == 2:
        must(["spirv-val", "--target-env", "opencl2.2", path])
    return path


def make_program(options, name, calls):
    path = os.path.join(options.work, name)
    must([options.build + "/bin/vxcc", "-O2", "-c", f"{ROOT}/examples/{name}/{name}.cu", "-o", path + ".o"])
    must(["c++", path + ".o", calls, "-o", path, "-lOpenCL"])
    return path


def check(options, name, calls):
    """Lines about one example, and whether it is good."""
    try:
        module = make_module(options, name)
        if options.run and name not in options.run:
            return [f"{name} valid"], True
        if name in CANNOT:
            return [f"{name} valid; not run: {CANNOT[name]}"], True
        program = make_program(options, name, calls)
        if options.platform:
            configs = {options.platform: {"OCL_ICD_VENDORS": options.platform}}
            if options.bitcode:
                must(["llvm-spirv-15", "-r", "--spirv-target-env=CL1.2",
                      "--spirv-gen-kernel-arg-name-md", module, "-o", module + ".bc"])
                module += ".bc"
        else:
            configs = {config: dict(CONFIGURATIONS[config], VX_MODE="functional",
                              OCL_ICD_VENDORS=os.path.abspath(options.build) + "/vxcl.icd")
                    for config in options.configs}
        lines, good = [], True
        for config, environment in configs.items():
            status, output, _ = run([program] + sizes(name), SECONDS,
                                    environment=dict(environment, KERNEL_MODULE=module))
            passed = status == 0 and last_line(output) == "PASS"
            good &= passed
            lines.append(f"{name} {config}: " + ("pass" if passed else f"FAIL: {status}: {last_line(output)}"))
        return lines, good
    except RuntimeError as error:
        return [f"{name} FAIL: {error}"], False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--only", default="")
    parser.add_argument("--run", default="")
    parser.add_argument("--configurations", dest="configs", default="hw,sw")
    parser.add_argument("--platform", default="")
    parser.add_argument("--bitcode", action="store_true", help="the platform reads SPIR, no SPIR-V")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", default="")
    options = parser.parse_args()
    options.configs = options.configs.split(",")
    options.run = [name for name in options.run.split(",") if name]
    options.work = os.path.abspath(options.work or tempfile.mkdtemp(prefix="spirv-examples-"))
    os.makedirs(options.work, exist_ok=True)
    only = [name for name in options.only.split(",") if name]
    names = sorted(name for name in os.listdir(ROOT + "/examples")
                   if os.path.exists(f"{ROOT}/examples/{name}/{name}.cu") and (not only or name in only))
    calls = os.path.join(options.work, "cuda-over-opencl.o")
    subprocess.run([options.build + "/bin/vxcc", "-O2", "-c",
                    ROOT + "/test/frontend/spirv/Inputs/cuda-over-opencl.cpp", "-o", calls], check=True)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for lines, good in pool.map(lambda name: check(options, name, calls), names):
            bad += not good
            print("\n".join(lines), flush=True)
    print(f"{len(names) - bad} of {len(names)} examples")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
