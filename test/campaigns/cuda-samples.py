#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs NVIDIA's cuda-samples and says which of them verify their results.

usage: cuda-samples.py --samples=DIR --vxcc=PROGRAM [--build=cmake|direct] [--only=NAME,TEXT]
                       [--configurations=hw,sw] [--seconds=60] [--work=DIR] [--write=FILE] [--list] [--check]

DIR is a checkout of https://github.com/NVIDIA/cuda-samples, tag v12.8: the first one that is built by
CMake, and the last but one for CUDA 12. Each sample is built by its own CMakeLists.txt (--build=cmake)
or by one command line made from it (direct, without separate compilation), and run in functional mode
once in each config. It is verified if its exit status is 0 and its output says so (campaign.py, judge).

cuda-samples.toml says for samples by name: `why` they are left out; `options` of the direct command line; `edits` of their sources that make
them small enough for a simulator; `arguments`; `windowless`, that these make a sample test itself without opening a window; `environment`; `seconds`; `expect`, a regular expression for the output of samples
that do not check themselves; `in-source`, that it is run in its source folder, where the headers are that it compiles at run
time. Results are kept in the work folder, so --only repeats some, by whole name or by a part of it; --write
puts the rows of all results there are into the table of docs/cuda-samples.md.

--check compiles with -fvx-check, runs under memcheck, racecheck and synccheck, and prints what they find; reports and findings
are in `checks` of the work folder, results of their own in its checked.json. Sources that are compiled at run time are not compiled for the checkers.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
import tomllib

from campaign import (CHECKED_TIMES, CONFIGS, Checks, Results, TAIL, first_error, is_verified, judge, link_tree,
                      print_findings, replace_table, row_is_built, row_is_verified, run, table_rows)

HERE = os.path.dirname(os.path.abspath(__file__))
# Libraries that a sample may ask for, and what it means that it does.
OURS = {"cudart": [], "cudart_static": [], "cuda_driver": ["-lcuda"], "nvrtc": ["-lnvrtc"],
        "cublas": ["-lcublas"], "curand": ["-lcurand"]}
GRAPHICS = {"OpenGL", "GLUT", "Vulkan", "EGL", "X11"}


class Sample:
    def __init__(self, name, folder, settings):
        self.name, self.folder = name, folder
        self.short = os.path.basename(name)
        self.settings = settings
        with open(os.path.join(folder, "CMakeLists.txt")) as file:
            self.text = file.read()

    def sources(self):
        match = re.search(r"^\s*add_executable\(\s*\w+\s+([^)$]+)\)", self.text, re.M)
        return match.group(1).split() if match else []

    def libraries(self):
        return sorted(set(re.findall(r"CUDA::(\w+)", self.text)))

    def left_out(self):
        """Why there is nothing to try, or None."""
        if "why" in self.settings:
            return self.settings["why"]
        packages = set(re.findall(r"find_package\(\s*(\w+)", self.text))
        if packages & GRAPHICS and not self.settings.get("windowless"):
            return "graphics: " + ", ".join(sorted(packages & GRAPHICS))
        if "FreeImage" in packages:
            return "needs NVIDIA's NPP"
        theirs = [library for library in self.libraries() if library not in OURS]
        used = [library for library in theirs if not self.settings.get("links-without-need")]
        return "needs NVIDIA's lib" + ", lib".join(used) if used else None

    def edits(self):
        return self.settings.get("edits", [])


def find_samples(root, table):
    samples = []
    for folder, folders, names in os.walk(os.path.join(root, "Samples")):
        folders.sort()
        name = os.path.relpath(folder, os.path.join(root, "Samples"))
        if "CMakeLists.txt" not in names or name.count("/") < 1:
            continue
        sample = Sample(name, folder, table.get(name, {}))
        if "add_executable" in sample.text or "why" in sample.settings:
            samples.append(sample)
    return samples


def build_environment(options):
    return options.checks.compiling({}) if options.checks else {}


def build_direct(sample, copy, options):
    program = os.path.join(copy, sample.short)
    libraries = [flag for library in sample.libraries() for flag in OURS.get(library, [])]
    include = ["-I" + folder for folder in ("inc", "src") if os.path.isdir(os.path.join(copy, folder))]
    openmp = ["-Xcompiler", "-fopenmp"] if "OpenMP" in sample.text else []
    command = [options.vxcc, "-std=c++17", "--extended-lambda", "-O2",
               *sample.settings.get("options", []), *include,
               "-I" + os.path.join(options.samples, "Common"), *openmp, *sample.sources(), "-o", program]
    status, output, seconds = run(command + libraries, options.build_seconds, cwd=copy,
                                  environment=build_environment(options))
    return status, output, seconds, program


def prepare_cmake(samples, options):
    """One CMake project of all SAMPLES, each with its own CMakeLists.txt as it is, so that compilers are
    looked for once. A sample's build folder is `build` beside its sources, as NVIDIA's page says."""
    top = os.path.join(options.work, "tree")
    folders = [os.path.join("Samples", sample.name) for sample in samples]
    with open(os.path.join(top, "CMakeLists.txt"), "w") as file:
        file.write("cmake_minimum_required(VERSION 3.20)\nproject(samples LANGUAGES C CXX CUDA)\n")
        file.writelines(f"add_subdirectory({folder} {top}/{folder}/build)\n" for folder in folders)
    build = os.path.join(options.work, "build")
    status, output, _ = run(["cmake", "-G", "Ninja", "-S", top, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                             "-DCMAKE_CUDA_COMPILER=" + options.vxcc], options.build_seconds)
    if status != 0:
        raise SystemExit(output + "\nCMake cannot configure the samples")
    run(["cmake", "--build", build, "--target", "clean"], options.build_seconds)


def is_cmake(sample, options):
    """CMake refuses a sample that names a library of NVIDIA's, even if it has no need of it."""
    return options.build == "cmake" and not sample.settings.get("links-without-need")


def build_cmake(sample, copy, options):
    program = os.path.join(copy, "build", sample.short)
    status, output, seconds = run(
        ["cmake", "--build", os.path.join(options.work, "build"), "--target",
         os.path.join(copy, "build", "all")], options.build_seconds, environment=build_environment(options))
    return status, output, seconds, program


def try_sample(sample, options):
    """The result: built, and for each config 'verified' or why not."""
    result = {"why": sample.left_out()}
    if result["why"]:
        return result
    copy = os.path.join(options.work, "tree", "Samples", sample.name)
    build = build_cmake if is_cmake(sample, options) else build_direct
    status, output, result["build_seconds"], program = build(sample, copy, options)
    result["built"] = status == 0 and os.path.exists(program)
    if not result["built"]:
        result["why"] = first_error(output) if status is not None else "time limit of the build"
        result["output"] = output[-TAIL:]
        return result
    result["configs"] = {}
    for config in options.configs:
        # A sample that runs in its build folder finds its data as beside its sources.
        folder = copy if sample.settings.get("in-source") else os.path.dirname(program)
        environment = dict(CONFIGS[config], VX_MODE="functional", **sample.settings.get("environment", {}))
        limit = sample.settings.get("seconds", options.seconds)
        if options.checks:
            environment, limit = options.checks.running(sample.name, config, environment), limit * CHECKED_TIMES
        status, output, seconds = run([program, *sample.settings.get("arguments", [])], limit, cwd=folder,
                                      environment=environment)
        known = {"verdict": judge(status, output, sample.settings.get("expect")),
                 "seconds": round(seconds, 1), "output": output[-TAIL:]}
        if options.checks:
            known["findings"] = options.checks.findings(sample.name, config)
        result["configs"][config] = known
    return result


def copy_samples(samples, options):
    """Copies of SAMPLES, with their edits, in a tree like the checkout's."""
    top = os.path.join(options.work, "tree")
    for sample in samples:
        copy = os.path.join(top, "Samples", sample.name)
        shutil.rmtree(copy, ignore_errors=True)
        link_tree(sample.folder, copy, sample.edits())
    for shared in ("Common", "cmake"):
        if not os.path.lexists(os.path.join(top, shared)):
            os.symlink(os.path.join(options.samples, shared), os.path.join(top, shared))


def summary(result):
    if not result.get("built"):
        return result["why"]
    return "; ".join(f"{config}: {known['verdict']} ({known['seconds']} s)"
                     for config, known in result["configs"].items())


def note(sample, result):
    """The last column: why a sample is not verified, or what was made smaller."""
    if not is_verified(result):
        if not result.get("built"):
            return result["why"]
        verdicts = [known["verdict"] for known in result["configs"].values()]
        return verdicts[0] if len(set(verdicts)) == 1 else "; ".join(
            f"{config}: {known['verdict']}" for config, known in result["configs"].items())
    said = [f"`{replacement}`" for _, _, replacement in sample.edits()]
    if sample.settings.get("arguments"):
        said.append("`" + " ".join(sample.settings["arguments"]) + "`")
    return ", ".join(said)


def row(sample, result):
    configs = result.get("configs", {})
    cells = [f"{configs[config]['seconds']} s" if config in configs and configs[config]["verdict"] == "verified"
             else "no" if config in configs else "" for config in CONFIGS]
    remark = note(sample, result).replace("|", "\\|").replace("\n", " ")
    return f"| {sample.name} | {'yes' if result.get('built') else 'no'} | " + " | ".join(cells) + f" | {remark} |"


def write_table(path, samples, results):
    """Writes the rows of the results there are into the table of the page PATH; others stay as they are."""
    rows = table_rows(path, "cuda-samples.py")
    rows.update({s.name: row(s, results.known[s.name]) for s in samples if s.name in results.known})
    rows = [rows[sample.name] for sample in samples if sample.name in rows]
    built, verified = sum(map(row_is_built, rows)), sum(map(row_is_verified, rows))
    replace_table(path, "cuda-samples.py", [
        f"Of {len(rows)} samples, {built} are built and {verified} verified, in hw and in sw.", "",
        "| sample | built | hw | sw | remark |", "|---|---|---|---|---|", *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", required=True)
    parser.add_argument("--vxcc", required=True)
    parser.add_argument("--build", choices=["cmake", "direct"], default="cmake")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[""])
    parser.add_argument("--configurations", "--ways", dest="configs",
                        type=lambda text: text.split(","), default=list(CONFIGS))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--build-seconds", type=int, default=300)
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "cuda-samples"))
    parser.add_argument("--write", help="the page whose table is written")
    parser.add_argument("--list", action="store_true", help="print what is known, try nothing")
    parser.add_argument("--check", action="store_true", help="look for errors with the checkers")
    options = parser.parse_args()
    if options.check and options.write:
        parser.error("the table is of runs without checkers")
    options.samples, options.vxcc = os.path.abspath(options.samples), os.path.abspath(options.vxcc)
    options.work = os.path.abspath(options.work)
    if not os.path.isdir(os.path.join(options.samples, "Samples")):
        parser.error(f"{options.samples} is not a checkout of cuda-samples")
    os.makedirs(options.work, exist_ok=True)
    options.checks = Checks(os.path.join(options.work, "checks")) if options.check else None
    with open(os.path.join(HERE, "cuda-samples.toml"), "rb") as file:
        table = tomllib.load(file)
    samples = find_samples(options.samples, table)
    strange = set(table) - {sample.name for sample in samples}
    if strange:
        parser.error("cuda-samples.toml names what is not there: " + ", ".join(sorted(strange)))
    results = Results(os.path.join(options.work, "checked.json" if options.check else "results.json"))
    chosen = [sample for sample in samples
              if any(text == sample.name if "/" in text else text in sample.name
                     for text in options.only)]
    if not options.list:
        tried = [sample for sample in chosen if not sample.left_out()]
        copy_samples(tried, options)
        with_cmake = [sample for sample in tried if is_cmake(sample, options)]
        if with_cmake:
            prepare_cmake(with_cmake, options)
    for sample in chosen:
        if not options.list:
            results.put(sample.name, try_sample(sample, options))
        if sample.name in results.known:
            print(f"{sample.name}: {summary(results.known[sample.name])}", flush=True)
            print_findings(results.known[sample.name])
    done = [result for result in results.known.values() if is_verified(result)]
    print(f"{len(done)} of {len(results.known)} samples verified")
    if options.write:
        write_table(options.write, samples, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
