#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the page ir-stages.md: the IR of one kernel before and after each stage of the device compiler.

usage: ir-stages.py [--vx-opt=PROGRAM] [--clang=PROGRAM]

Compiles a kernel to NVVM IR with clang, as vxcc's front end does, and runs one stage after another on
it by `vx-opt --passes=vx-stage-…`. The page has the functions of each module that a stage changed, without
attributes, metadata and debug information.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

KERNEL = """\
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))

// Each block of 64 threads reverses its elements.
extern "C" __global__ void reverse(int *data) {
  __shared__ int tile[64];
  int t = __nvvm_read_ptx_sreg_tid_x();
  tile[t] = data[t];
  __syncthreads();
  data[t] = tile[63 - t];
}
"""

CLANG = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only", "--cuda-gpu-arch=sm_80",
         "-O1", "-fno-discard-value-names", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-Wno-unknown-cuda-version"]

# Stage, what it is asked to do, what the text says of it. {0} is the file before the stage.
STAGES = [
    ("import", "vx-stage-import",
     "Everything that is NVPTX's is a contract function `__vx_*` "
     "(`lib/VortexIR/VxFunctions.def`), and the kernel is marked by an attribute."),
    ("handles", "vx-stage-handles",
     "A kernel whose address is taken gets a handle; this one has none, and nothing changes. The driver "
     "links device math and services before this stage."),
    ("optimize", "vx-stage-optimize<O1>",
     "LLVM's optimizations have run: the locals are values, `63 - t` is folded into the address."),
    ("prepare", "vx-stage-prepare",
     "One return, no superfluous synchronization. The driver gives the kernel the attribute "
     "`\"vx-lower\"=\"auto\"` before, from the command line."),
    ("decide", "vx-stage-decide",
     "`reverse.sw` is the software variant. What is decided about the mappings of the kernel is in "
     "`!vx.mappings`: each is possible (an empty reason) but one."),
    ("serialize", "vx-stage-serialize",
     "The software variant has become the serial entry: a hardware thread runs a whole block, with a loop "
     "over its threads for each of the two parallel regions. What it emits first finds out which blocks it "
     "has, and where their shared memory is. No value lives across the barrier but what is cheap to "
     "compute again, so the context has no bytes."),
    ("map", "vx-stage-map",
     "The kernel itself has become two entries: `direct` runs a thread on each lane, and waits at the hardware "
     "barrier; `chunked`, for blocks larger than the core, has the loops of the serial entry with a "
     "barrier between them. `!vx.kernels` says which entries there are."),
    ("lower-shared", "vx-stage-lower-shared",
     "`tile` is an offset in the block's shared memory. What is left of the contract reads the launch "
     "descriptor and CSRs."),
    ("clean-up", "vx-stage-clean-up<O1>", "What mapping has made is simplified."),
    ("guard", "vx-stage-guard",
     "Each conditional branch is marked: as uniform, or with the split, join or pred that lets lanes "
     "diverge. Here all of them are uniform but the one at the top, which turns off the lanes "
     "without a thread. Code generation follows."),
]

SHOWN = {  # stage: the functions that the page has of it
    "import": ["reverse"], "optimize": ["reverse"], "decide": ["reverse.sw"],
    "serialize": ["__vx_entry.serial.reverse"],
    "map": ["__vx_entry.direct.reverse", "__vx_entry.chunked.reverse"],
    "lower-shared": ["__vx_entry.direct.reverse"], "clean-up": ["__vx_entry.direct.reverse"],
    "guard": ["__vx_entry.direct.reverse"],
}
METADATA = {"decide": "vx.mappings", "map": "vx.kernels"}


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"ir-stages: {' '.join(command)}\n{done.stdout}")
    return done.stdout


def function(module, name):
    """The function NAME of MODULE without what belongs to no stage."""
    found = re.search(r"^define [^\n]*@" + re.escape(name) + r"\(.*?^}$", module, re.M | re.S)
    if not found:
        sys.exit(f"ir-stages: no function {name}")
    text = re.sub(r"(?:, )?!(?!vx)[\w.]+ !\d+", "", found[0])
    text = re.sub(r" #\d+", "", text)
    text = re.sub(r" +; preds = [^\n]*", "", text)
    text = re.sub(r"^define .*?@", "define void @", text)
    return re.sub(r" (unnamed_addr|comdat|local_unnamed_addr)", "", text)


def metadata(module, name):
    """The named metadata NAME with its nodes."""
    named = re.search(r"^!" + re.escape(name) + r" = !\{(.*)\}$", module, re.M)
    lines = [named[0]]
    for node in named[1].split(", "):
        lines.append(re.search(r"^" + node + r" = .*$", module, re.M)[0])
    return "\n".join(lines)


def listing(language, text):
    return ["```" + language, *text.strip("\n").split("\n"), "```", ""]


def write_page(options, folder):
    source, before = os.path.join(folder, "reverse.cu"), os.path.join(folder, "nvvm.ll")
    with open(source, "w") as file:
        file.write(KERNEL)
    run([options.clang, *CLANG, source, "-o", before])
    lines = [
        "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->", "# The IR after each stage", "",
        "The stages of the device compiler (`passes/Stages.def`, `docs/develop/compiler.md`) on one kernel. Made by the build;",
        "attributes, metadata and predecessors of blocks are left out. By hand:", "",
        *listing("", f"clang-22 {' '.join(CLANG[:7])} \\\n    {' '.join(CLANG[7:])} \\\n    reverse.cu -o nvvm.ll\n"
                 "vx-opt --passes=vx-stage-import nvvm.ll -o import.ll\n"
                 "vx-opt --passes=vx-stage-handles import.ll -o handles.ll\n"
                 "vx-opt '--passes=vx-stage-optimize<O1>' handles.ll -o optimize.ll\n"
                 "sed -i 's/\"vx-kernel\"/\"vx-kernel\" \"vx-lower\"=\"auto\"/' optimize.ll\n"
                 "vx-opt --passes=vx-stage-prepare optimize.ll -o prepare.ll   # and so on"),
        "## The kernel", "", *listing("cuda", KERNEL)]
    with open(before) as file:
        lines += ["## NVVM IR", "", "What clang makes of it, before any optimization.", "",
                  *listing("llvm", function(file.read(), "reverse"))]
    for name, stage, text in STAGES:
        after = os.path.join(folder, name + ".ll")
        run([options.vx_opt, f"--passes={stage}", before, "-o", after])
        with open(after) as file:
            module = file.read()
        if name == "optimize":
            module = module.replace('"vx-kernel"', '"vx-kernel" "vx-lower"="auto"')
            with open(after, "w") as file:
                file.write(module)
        lines += [f"## {stage}", "", text, ""]
        for shown in SHOWN.get(name, []):
            lines += listing("llvm", function(module, shown))
        if name in METADATA:
            lines += listing("llvm", metadata(module, METADATA[name]))
        before = after
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vx-opt", default="vx-opt")
    parser.add_argument("--clang", default="clang-22")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(write_page(options, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
