#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the programs of a Vortex checkout (tests/regression) on libvortex-vx.so.

    test/campaigns/vortex-regression.py VORTEX [--build=build] [--work=DIR] [--xlen=64,32]
        [--set=KEY=VALUE,...] [--only=NAME,...] [--stub] [--timeout=SECONDS]

Host programs are compiled with g++ and linked with the library of the build; kernels with stock clang for
RISC-V; Vortex's kernel library, as its Makefile has it, with gcc. These and a C library come from Debian
(gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf). Options are those of each program's Makefile. With --stub the programs are linked with Vortex's own libvortex.so,
made of the checkout, which loads ours as a driver (VORTEX_DRIVER=vx). A program has passed if it exits
with 0 and says of no failure. The programs of tests/kernel run in vx-sim, as ELF and as .vxbin. Prints a table in Markdown; exits with 1 if a program has failed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import campaign

LLVM = "/usr/lib/llvm-22/bin/"
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf"
# Per register width: architecture, ABI, the folder of picolibc, where images lie.
WIDTHS = {
    64: ("rv64imafd", "lp64d", "rv64iafd/lp64d", 0x180000000),
    32: ("rv32imaf", "ilp32f", "rv32iaf/ilp32f", 0x80000000),
}
FAILED = re.compile(r"\bFAILED\b|Failed!")
PERF = re.compile(r"^PERF: instrs=(\d+), cycles=(\d+)", re.M)

# What kernels use of C++'s library, and what Vortex's C library has that picolibc has not.
HEADERS = {
    "algorithm": """#pragma once
namespace std {
template <class T> constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
}
""",
    "cstdlib": "#pragma once\n#include <stdlib.h>\n",
}
SUPPORT = """
void __funcs_on_exit(void);
void _Exit(int code) __attribute__((noreturn));
void exit(int code) {
  __funcs_on_exit();
  _Exit(code);
}
void abort(void) { __builtin_trap(); }
"""


class Failed(Exception):
    pass


def command(words, **options):
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode:
        raise Failed(campaign.first_error(done.stderr + done.stdout))
    return done.stdout


def put(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


class Kernels:
    """The device side for one register width: headers, Vortex's kernel library, images."""

    def __init__(self, vortex, work, xlen):
        self.vortex, self.work, self.xlen = vortex, work, xlen
        self.arch, self.abi, self.folder, self.base = WIDTHS[xlen]
        self.include = os.path.join(work, "include")
        os.makedirs(self.include, exist_ok=True)
        for name, text in HEADERS.items():
            put(os.path.join(self.include, name), text)
        for name in ("VX_config", "VX_types"):
            command([sys.executable, os.path.join(vortex, "hw/scripts/gen_config.py"), "-i",
                     os.path.join(vortex, "hw/rtl", name + ".vh"), "-o",
                     os.path.join(self.include, name + ".h")])
        sources = os.path.join(vortex, "kernel/src")
        self.library = [self.compile(os.path.join(sources, name), with_gcc=True)
                        for name in sorted(os.listdir(sources)) if name.endswith((".c", ".S"))]
        self.library.append(self.compile(put(os.path.join(work, "support.c"), SUPPORT), True))

    def clang_flags(self):
        return [f"--target=riscv{self.xlen}-unknown-elf", "-march=" + self.arch, "-nostdlibinc",
                "-mllvm", "-disable-loop-idiom-all"]

    def flags(self):
        return ["-mabi=" + self.abi, "-mcmodel=medany", "-O3", "-w", "-g", "-fdata-sections", "-ffunction-sections",
                "-mno-relax", "-nostdinc++", "-isystem", self.include, "-isystem", PICOLIBC + "/include",
                "-I" + os.path.join(self.vortex, "kernel/include"),
                "-I" + os.path.join(self.vortex, "sim/common"), f"-DXLEN_{self.xlen}", "-DNDEBUG"]

    def compile(self, source, with_gcc=False):
        target = os.path.join(self.work, os.path.basename(source) + ".o")
        is_cpp = source.endswith((".cpp", ".cc"))
        extra = ["-fno-rtti", "-fno-exceptions", "-std=c++17", "-include", "algorithm"] if is_cpp else []
        if with_gcc:
            compiler = ["riscv64-unknown-elf-" + ("g++" if is_cpp else "gcc"), "-march=" + self.arch]
        else:
            compiler = [LLVM + ("clang++" if is_cpp else "clang"), *self.clang_flags()]
        command([*compiler, *self.flags(), *extra, "-c", source, "-o", target])
        return target

    def link(self, sources, target, is_bare):
        """Makes TARGET.elf and TARGET.vxbin. A bare program has start-up code of its own and is compiled with
        gcc, as its Makefile has it: it has no stack, which clang would use."""
        objects = [self.compile(source, is_bare) for source in sources]
        libraries = [] if is_bare else self.library
        script = os.path.join(self.vortex, f"kernel/scripts/link{self.xlen}.ld")
        libgcc = command(["riscv64-unknown-elf-gcc", "-march=" + self.folder.split("/")[0], "-mabi=" + self.abi,
                          "-print-libgcc-file-name"]).strip()
        libc = os.path.join(PICOLIBC, "lib", self.folder)
        # The start-up code forms small absolute numbers relative to the program counter: GNU ld mends that.
        command(["riscv64-unknown-elf-ld", f"-melf{self.xlen}lriscv", "-static", "--gc-sections", "-T", script, f"--defsym=STARTUP_ADDR={self.base:#x}",
                 *objects, *libraries, libc + "/libm.a", libc + "/libc.a", libgcc, "-o", target + ".elf"])
        command([sys.executable, os.path.join(self.vortex, "kernel/scripts/vxbin.py"), target + ".elf",
                 target + ".vxbin"], env=dict(os.environ, OBJCOPY=LLVM + "llvm-objcopy"))


def variables(makefile, values):
    """The variables of a Makefile, with those of VALUES replaced."""
    found = {}
    for name, value in re.findall(r"^(\w+) *[?:]?= *(.*)$", open(makefile).read(), re.M):
        value = value.split("#")[0].strip()
        # What a variable is made of stands before it.
        found[name] = re.sub(r"\$\((\w+)\)", lambda m: found.get(m.group(1), values.get(m.group(1), "")), value)
    return found


def build_stub(vortex, work, include):
    """Vortex's own libvortex.so."""
    sources = [os.path.join(vortex, "runtime/stub", name) for name in ("vortex.cpp", "utils.cpp")]
    folders = [os.path.join(vortex, name) for name in ("runtime/include", "runtime/common", "sim/common")]
    command(["g++", "-std=c++17", "-w", "-O2", "-fPIC", "-shared", "-pthread", *["-I" + f for f in folders],
             "-idirafter", include, *sources, "-ldl", "-o", os.path.join(work, "libvortex.so")])


def build_program(name, kernels, library, flags=(), folder=None):
    """Makes WORK/NAME/NAME, the host program, compiled with FLAGS besides, and kernel.vxbin beside it, from FOLDER
    (default: Vortex's program NAME). Returns the variables of its Makefile."""
    folder = folder or os.path.join(kernels.vortex, "tests/regression", name)
    work = os.path.join(kernels.work, name)
    os.makedirs(work, exist_ok=True)
    values = {"VORTEX_HOME": kernels.vortex, "SRC_DIR": folder, "SW_COMMON_DIR": os.path.join(kernels.vortex, "sim/common")}
    makefile = variables(os.path.join(folder, "Makefile"), values)
    sources = makefile["VX_SRCS"].split()
    kernels.link(sources, os.path.join(work, "kernel"), any(s.endswith("start.S") for s in sources))
    command(["g++", "-std=c++17", "-w", "-O2", "-I" + os.path.join(kernels.vortex, "runtime/include"),
             "-idirafter", kernels.include, "-I" + os.path.join(kernels.vortex, "sim/common"),
             f"-DXLEN_{kernels.xlen}", *flags, *makefile["SRCS"].split(), "-L" + library, "-lvortex",
             "-o", os.path.join(work, name)])
    return makefile


def run_program(name, kernels, library, arguments, environment):
    work = os.path.join(kernels.work, name)
    try:
        makefile = build_program(name, kernels, library)
    except Failed as problem:
        return f"does not build: {problem}", "", ""
    options = makefile.get("OPTS", "").split()
    status, output, seconds = campaign.run(["./" + name, *options], arguments.timeout, work, environment)
    put(os.path.join(work, "output.txt"), output)
    perf = PERF.search(output)
    cycles = perf.group(2) if perf else ""
    return verdict(status, output), cycles, f"{seconds:.2f}"


def verdict(status, output):
    if status is None:
        return "time limit"
    if status == 0 and not FAILED.search(output):
        return "passed"
    said = next((line for line in output.splitlines() if line.startswith(("vortex-vx:", "vx-sim:"))), None)
    return (f"exit status {status}: " + (said or campaign.last_line(output)))[:110]


def run_bare(name, kernels, simulator, arguments):
    """A program of tests/kernel in vx-sim, as ELF and as .vxbin."""
    folder = os.path.join(kernels.vortex, "tests/kernel", name)
    target = os.path.join(kernels.work, name + "-bare")
    sources = [os.path.join(folder, file) for file in sorted(os.listdir(folder)) if file.endswith(".cpp")]
    try:
        kernels.link(sources, target, False)
    except Failed as problem:
        return f"does not build: {problem}", "", ""
    for form in (".elf", ".vxbin"):
        settings = f"isa.xlen={kernels.xlen}" + ("," + arguments.set if arguments.set else "")
        status, output, seconds = campaign.run([simulator, "--set", settings, target + form], arguments.timeout)
        put(target + form + ".txt", output)
        if verdict(status, output) != "passed":
            return f"{form}: " + verdict(status, output), "", f"{seconds:.2f}"
    return "passed", "", f"{seconds:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vortex")
    parser.add_argument("--build", default="build")
    parser.add_argument("--work", default="")
    parser.add_argument("--xlen", default="64")
    parser.add_argument("--set", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--stub", action="store_true")
    parser.add_argument("--timeout", type=int, default=120)
    arguments = parser.parse_args()
    vortex, build = os.path.abspath(arguments.vortex), os.path.abspath(arguments.build)
    root = os.path.join(vortex, "tests/regression")
    only = [name for name in arguments.only.split(",") if name]
    names = sorted(name for name in os.listdir(root) if os.path.exists(os.path.join(root, name, "kernel.cpp")))
    bare = os.path.join(vortex, "tests/kernel")
    bare_names = sorted(name for name in os.listdir(bare) if os.path.isdir(os.path.join(bare, name)))
    passed = total = 0
    print("| program | XLEN | result | cycles | s |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        for xlen in map(int, arguments.xlen.split(",")):
            work = os.path.join(os.path.abspath(arguments.work or temporary), str(xlen))
            os.makedirs(work, exist_ok=True)
            kernels = Kernels(vortex, work, xlen)
            library = os.path.join(build, "lib/vortex")
            if arguments.stub:
                build_stub(vortex, work, kernels.include)
                library = work
            settings = f"isa.xlen={xlen}" + ("," + arguments.set if arguments.set else "")
            environment = {"LD_LIBRARY_PATH": library + ":" + os.path.join(build, "lib"),
                           "VORTEX_DRIVER": "vx", "VX_SET": settings}
            for name in names + ["kernel/" + name for name in bare_names]:
                if only and name not in only:
                    continue
                if name.startswith("kernel/"):
                    result, cycles, seconds = run_bare(name[len("kernel/"):], kernels,
                                                       os.path.join(build, "bin/vx-sim"), arguments)
                else:
                    result, cycles, seconds = run_program(name, kernels, library, arguments, environment)
                total += 1
                passed += result == "passed"
                print(f"| {name} | {xlen} | {result} | {cycles} | {seconds} |", flush=True)
    print(f"\n{passed} of {total} passed")
    return 0 if passed == total else 1


if __name__ == "__main__":
    sys.exit(main())
