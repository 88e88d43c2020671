#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the cases of a wrong program, and their corrected twins, under a checker.

usage: run-cases.py --tool=TOOL [--configurations=hw,sw,...] [--set=KEY=VALUE] PROGRAM SOURCE [CASE...]

SOURCE names what must be found where, in comments at the end of lines:
    p[i] = 0; // FINDS case-name: invalid-write
    cudaFree(p); // FINDS case-name: double-free on the host
PROGRAM CASE bad   has just these findings, each of a kernel with that file and line; one about two
                   lines is named at both;
PROGRAM CASE good  has none, and ends well.
A case that is named by no comment does not exist. Prints what differs, and exits with 1 then.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

MARK = re.compile(r"\bFINDS ([\w-]+): ([\w-]+)( on the host)?")
CONFIGS = {
    "hw": {"VX_LOWERING": "hw"},
    "sw": {"VX_LOWERING": "sw", "VX_SW_MAPPING": "block-per-lane"},
    "sw-warps": {"VX_LOWERING": "sw", "VX_SW_MAPPING": "warps-per-lane"},
    "sw-threads": {"VX_LOWERING": "sw", "VX_SW_MAPPING": "thread-per-lane"},
    "timing": {"VX_LOWERING": "hw", "VX_MODE": "timing"},
    "rv32": {"VX_LOWERING": "hw", "xlen": "32"},
}


def expected_findings(source):
    cases = {}
    with open(source) as text:
        for number, line in enumerate(text, 1):
            for case, kind, host in MARK.findall(line):
                cases.setdefault(case, set()).add((kind, 0 if host else number))
    return cases


def run(program, case, variant, config, options):
    """The findings, whether the program ended well, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        saved = os.path.join(folder, "findings.json")
        env = dict(os.environ, VX_CHECK=options.tool, **CONFIGS[config])
        settings = [f"check.save={saved}"] + options.set
        if "xlen" in env:
            settings.append("isa.xlen=" + env.pop("xlen"))
        env["VX_SET"] = ",".join(settings)
        done = subprocess.run([os.path.abspath(program), case, variant], env=env, capture_output=True, text=True,
                              timeout=100)
        if not os.path.exists(saved):
            return {"findings": [], "errors": 0}, False, done.stdout + done.stderr
        with open(saved) as file:
            return json.load(file), done.returncode == 0, done.stdout + done.stderr


def check(program, source, case, wanted, config, options):
    problems = []
    for variant in ("bad", "good"):
        result, well, text = run(program, case, variant, config, options)
        found = set()
        for f in result["findings"]:
            places = [(f.get("file", ""), f.get("line", 0))]
            if "other-line" in f:
                places.append((f["other-file"], f["other-line"]))
            found |= {(f["kind"], line if os.path.basename(file) == os.path.basename(source) else 0)
                      for file, line in places}
        if found != (wanted if variant == "bad" else set()):
            problems.append(f"{case} {variant} ({config}): found {sorted(found)}, not "
                            f"{sorted(wanted) if variant == 'bad' else 'nothing'}\n{text}")
        elif len(result["findings"]) != result["errors"]:
            problems.append(f"{case} {variant} ({config}): counts {result['errors']} errors\n{text}")
        elif variant == "good" and not well:
            problems.append(f"{case} good ({config}): the program failed\n{text}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--configurations", dest="configs", default="hw,sw")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("program")
    parser.add_argument("source")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    cases = expected_findings(options.source)
    problems = []
    for config in options.configs.split(","):
        for case in options.cases or sorted(cases):
            problems += check(options.program, options.source, case, cases[case], config, options)
    for problem in problems:
        print(problem)
    print(f"{len(cases)} cases, {len(problems)} problems")
    return 1 if problems or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
