#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds Rodinia's CUDA programs by their own Makefiles and compares their results in hw and sw.

usage: rodinia.py --rodinia=DIR --toolkit=DIR [--only=TEXT,TEXT] [--seconds=60] [--work=DIR] [--write=FILE] [--check]

DIR is a checkout of https://github.com/yuhc/gpu-rodinia, and the toolkit a build or an installation of
vxcc (with bin/nvcc and lib64), which takes the place of CUDA_DIR. Inputs that Rodinia has as a
separate download are generated here, small. The programs hardly ever check their results: one is
verified if it ends with 0 and what it writes, without times, is the same in hw and in sw.

--check compiles with -fvx-check, runs under memcheck, racecheck and synccheck, and prints what they find; reports and findings
are in `checks` of the work folder, results of their own in its checked.json.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile

from rodinia_data import film, graph, grid, hurricanes, image, keys, mesh, numbers, pgm, points, reads, reference, text
from campaign import (CHECKED_TIMES, CONFIGS, Checks, Results, TAIL, first_error, is_verified, last_line, link_tree,
                      print_findings, replace_table, row_is_verified, run, table_rows)

# Lines of an output that differ from run to run, or that tell of the device.
TIMES = re.compile(r"time|second|\bms\b|\bus\b|sec|%|fps|gflop|took|vx-sim|Number of|free memory|\[[\d.]+s\]|"
                   r"0x[0-9a-f]+|^(Init|MemAlloc|HtoD|Exec|DtoH|Close|Total):",
                   re.I)


class Program:
    """TEXTURES: it has texture references, which CUDA 12 has not either; vxcc has them on demand.
    SW: settings of the device for sw, other than CONFIGS has.
    NOTE: what the page says of an edit that mends the program."""
    def __init__(self, name, command, folder=None, inputs=(), outputs=(), edits=(), make=(),
                 textures=False, sw=None, note=None):
        self.name, self.command, self.folder = name, command, folder or name
        self.inputs, self.outputs, self.edits = inputs, outputs, edits
        self.make, self.sw, self.note = make, sw, note
        self.environment = {"NVCC_APPEND_FLAGS": "-DVX_TEXTURE_REFERENCES"} if textures else {}


PROGRAMS = [
    Program("b+tree", "./b+tree.out file keys.txt command command.txt",
            inputs=[("keys.txt", keys), ("command.txt", lambda p: text(p, "j 600 300\nk 1000\n"))],
            outputs=["output.txt"]),
    Program("backprop", "./backprop 1024"),
    Program("bfs", "./bfs.out graph.txt", inputs=[("graph.txt", graph)], outputs=["result.txt"]),
    # NVIDIA's helper_cuda.h, which it includes, lies in the folder of another program, too.
    Program("cfd", "./euler3d mesh", inputs=[("mesh", mesh)], make=["euler3d", "SDK_DIR=../../sdk"],
            outputs=["density", "momentum", "density_energy"],
            edits=[("euler3d.cu", "define iterations 2000", "define iterations 20")]),
    Program("dwt2d", "./dwt2d image.bmp -d 64x64 -f -5 -l 3", inputs=[("../../data/dwt2d/image.bmp", image)],
            outputs=["image.bmp.dwt.r"]),
    Program("gaussian", "./gaussian -s 64"),
    # The points that it follows are in main.cu: the film has the size of the original one. In the part
    # on the squares, the sums along rows of d_in2_sub_cumh (kernel.cu, line 784) read what other threads
    # write (line 761), without a barrier between, and the results depend on the order of the threads.
    # The other such places have one.
    Program("heartwall", "./heartwall film.avi 2", make=["OUTPUT=1"], outputs=["result.txt"],
            inputs=[("film.avi", lambda p: film(p, 744, 656, 2, ((250, 330), (400, 250))))],
            edits=[("kernel.cu", r"\}(\s+//=+\s+//\s+HORIZONTAL CUMULATIVE SUM)$", r"}\n\t\t__syncthreads();\1")],
            note="with the barrier that `kernel.cu` lacks after line 766"),
    Program("hotspot", "./hotspot 128 2 4 temp power out.txt", outputs=["out.txt"],
            inputs=[("temp", lambda p: grid(p, 128 * 128, 320, 345)),
                    ("power", lambda p: grid(p, 128 * 128, 0, 0.01))]),
    Program("hotspot3D", "./3D 64 8 4 power temp out.txt", outputs=["out.txt"],
            edits=[("Makefile", r"^include .*", "include ../../common/make.config")],
            inputs=[("power", lambda p: grid(p, 64 * 64 * 8, 0, 0.01)),
                    ("temp", lambda p: grid(p, 64 * 64 * 8, 320, 345))]),
    Program("huffman", "./pavle data.in",
            inputs=[("data.in", lambda p: text(p, "".join(chr(97 + int(abs(v))) for v in
                                                         numbers(262144, -12, 12))))]),
    Program("hybridsort", "./hybridsort r", textures=True, make=["VERIFY=1"],
            # Its histograms are counted by tags: right if the 32 threads of a warp run in lockstep.
            sw="core.num_warps=8,core.num_threads=32,isa.warp=off",
            edits=[("main.cu", r"\(1 << 22\)", "(1 << 14)")]),
    Program("kmeans", "./kmeans -o -m 4 -n 4 -i points.txt", textures=True, inputs=[("points.txt", points)],
            make=["CC_FLAGS=-O0 -fopenmp"]), # one of its functions ends without a return
    Program("lavaMD", "./lavaMD -boxes1d 2", make=["-f", "makefile", "OUTPUT=1"], outputs=["result.txt"],
            edits=[("makefile", "/usr/local/cuda/lib64", "$(CUDA_DIR)/lib64"),
                   ("main.c", r"srand\(time\(NULL\)\)", "srand(1)")]),
    Program("leukocyte", "CUDA/leukocyte film.avi 2", textures=True,
            make=["CC=gcc -fcommon -no-pie"],
            inputs=[("film.avi", lambda p: film(p, 128, 340, 3, ((40, 180), (85, 240))))]),
    Program("lud", "cuda/lud_cuda -s 128 -v"),
    # read() came with other headers once, and one of its functions ends without a return.
    Program("mummergpu", "bin/mummergpu reference.fa reads.fa", textures=True,
            inputs=[("reference.fa", reference), ("reads.fa", reads)],
            make=["dbg=1", "CXX=g++ -fopenmp -include unistd.h"]),
    # With generated inputs it overflows after two steps, and roundings decide where.
    Program("myocyte", "./myocyte.out 1 1 0", outputs=["output.txt"],
            edits=[("Makefile", "/usr/local/cuda/lib", "$(CUDA_DIR)/lib64")], # else that of an installed toolkit
            inputs=[("../../data/myocyte/y.txt", lambda p: grid(p, 91, 0.9, 1.1)),
                    ("../../data/myocyte/params.txt", lambda p: grid(p, 16, 0.9, 1.1))]),
    Program("nn", "./nn list.txt -r 5 -lat 30 -lng 90", inputs=[("list.txt", hurricanes)],
            edits=[("Makefile", r"^\t\$\(CC\) -cuda nn_cuda.cu\n", "")]),
    Program("nw", "./needle 256 10", outputs=["result.txt"], make=["KERNEL_DIM=-DTRACEBACK"]),
    Program("particlefilter", "./particlefilter_naive -x 32 -y 32 -z 4 -np 256",
            edits=[("ex_particle_CUDA_naive_seq.cu", r"time\(0\)", "1")]),
    Program("pathfinder", "./pathfinder 2000 20 5"),
    Program("srad_v2", "./srad 128 128 0 31 0 31 0.5 2", folder="srad/srad_v2"),
    Program("srad_v1", "./srad 2 0.5 502 458", folder="srad/srad_v1", outputs=["image_out.pgm"],
            inputs=[("../../../data/srad/image.pgm", pgm)]),
    Program("streamcluster", "./sc_gpu 10 20 16 512 512 100 none output.txt 1", outputs=["output.txt"]),
]


def result_text(program, copy, output):
    """What a run has computed: the files it wrote; for lack of them its output, without lines about time
    and the device."""
    lines = [] if program.outputs else output.splitlines()
    for name in program.outputs:
        path = os.path.join(copy, name)
        if not os.path.exists(path):
            return None
        with open(path, errors="replace") as file:
            lines += file.read().splitlines()
        os.remove(path)
    return "\n".join(line for line in lines if not TIMES.search(line))


def try_program(program, options):
    copy = os.path.join(options.work, "cuda", program.folder)
    shutil.rmtree(copy, ignore_errors=True)
    link_tree(os.path.join(options.rodinia, "cuda", program.folder), copy, program.edits)
    for shared, target in (("common", "common"), ("cuda/util", "cuda/util"), ("sdk/common/inc", "cuda/hybridsort")):
        link = os.path.join(options.work, shared)
        if not os.path.lexists(link):
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink(os.path.join(options.rodinia, target), link)
    path = os.path.join(options.toolkit, "bin") + os.pathsep + os.environ["PATH"]
    compiling = options.checks.compiling(program.environment) if options.checks else program.environment
    status, output, seconds = run(["make", "CUDA_DIR=" + options.toolkit, *program.make], 300, cwd=copy,
                                  environment=dict(compiling, PATH=path))
    if status != 0:
        return {"why": first_error(output), "output": output[-TAIL:]}
    for name, generate in program.inputs:
        os.makedirs(os.path.dirname(os.path.join(copy, name)), exist_ok=True)
        generate(os.path.join(copy, name))
    result, texts = {"built": True, "configs": {}}, []
    for config, environment in CONFIGS.items():
        if config == "sw" and program.sw:
            environment = dict(environment, VX_SET=program.sw)
        limit = options.seconds
        if options.checks:
            environment, limit = options.checks.running(program.name, config, environment), limit * CHECKED_TIMES
        status, output, seconds = run(program.command.split(), limit, cwd=copy,
                                      environment=dict(environment, VX_MODE="functional",
                                                       LD_LIBRARY_PATH=os.path.join(options.toolkit, "lib64")))
        texts.append(result_text(program, copy, output))
        verdict = "verified" if status == 0 else "time limit" if status is None else \
            f"exit status {status}: {last_line(output)}"
        if verdict == "verified" and (not texts[-1] or texts[-1] != texts[0]):
            verdict = "no result" if not texts[-1] else "other results in hw and sw"
        result["configs"][config] = {"verdict": verdict, "seconds": round(seconds, 1), "output": output[-TAIL:]}
        if options.checks:
            result["configs"][config]["findings"] = options.checks.findings(program.name, config)
    return result


def row(program, result):
    configs = result.get("configs", {})
    cells = [f"{configs[w]['seconds']} s" if w in configs and configs[w]["verdict"] == "verified" else
             "no" if w in configs else "" for w in CONFIGS]
    bad = [w["verdict"] for w in configs.values() if w["verdict"] != "verified"]
    remark = result.get("why") or (bad[0] if bad else f"`{program.command}`")
    if program.sw and not bad:
        remark += f"; sw with `{program.sw}`"
    if program.note and result.get("built"):
        remark += f"; {program.note}"
    return (f"| {program.name} | {'yes' if result.get('built') else 'no'} | " + " | ".join(cells)
            + " | " + remark.replace("|", "\\|") + " |")


def write_table(path, results):
    """Writes the rows of the results there are into the table of the page PATH; others stay as they are."""
    rows = table_rows(path, "rodinia.py")
    rows.update({p.name: row(p, results.known[p.name]) for p in PROGRAMS if p.name in results.known})
    rows = [rows[program.name] for program in PROGRAMS if program.name in rows]
    replace_table(path, "rodinia.py", [
        f"Of {len(rows)} programs, {sum(map(row_is_verified, rows))} are verified.", "",
        "| program | built | hw | sw | remark |", "|---|---|---|---|---|", *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rodinia", required=True)
    parser.add_argument("--toolkit", required=True)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[""])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "rodinia"))
    parser.add_argument("--write", help="the page whose table is written")
    parser.add_argument("--check", action="store_true", help="look for errors with the checkers")
    options = parser.parse_args()
    if options.check and options.write:
        parser.error("the table is of runs without checkers")
    for name in ("rodinia", "toolkit", "work"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    os.makedirs(os.path.join(options.work, "cuda"), exist_ok=True)
    options.checks = Checks(os.path.join(options.work, "checks")) if options.check else None
    results = Results(os.path.join(options.work, "checked.json" if options.check else "results.json"))
    for program in PROGRAMS:
        if not any(text in program.name for text in options.only):
            continue
        result = try_program(program, options)
        results.put(program.name, result)
        print(program.name + ": " + (result.get("why") or "; ".join(
            f"{config}: {known['verdict']} ({known['seconds']} s)" for config, known in result["configs"].items())),
              flush=True)
        print_findings(result)
    print(f"{sum(is_verified(r) for r in results.known.values())} of {len(results.known)} programs verified")
    if options.write:
        write_table(options.write, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
