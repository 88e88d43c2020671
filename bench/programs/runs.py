# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of programs with limits, and what their outputs say."""

import os
import re
import resource
import signal
import subprocess
import time

# The ways to run a program: name, environment. hw has warps as wide as CUDA's, sw a small device without warp
# instructions.
CONFIGURATIONS = {
    "hw": {"VX_LOWERING": "hw", "VX_SET": "core.num_warps=32,core.num_threads=32"},
    "sw": {"VX_LOWERING": "sw", "VX_SET": "core.num_warps=4,core.num_threads=4,isa.warp=off"}}


def run(command, seconds, cwd=None, environment=None, patience=10, memory=None):
    """Exit status (None: over the limit), output, seconds of wall time. The limit is processor time of
    each process, or PATIENCE times as much wall time. MEMORY is a limit of address space, in bytes."""
    def limit():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    start = time.time()
    process = subprocess.Popen(command, cwd=cwd, env=dict(os.environ, **(environment or {})),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace",
                               preexec_fn=limit, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=patience * seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        status = None
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        status = None
    return status, output, time.time() - start


PASSED = re.compile(r"\b(pass(ed|es)?|success(ful(ly)?)?|succeeded|ok|correct|verified|match(es)?)\b", re.I)
FAILED = re.compile(r"\b(fail(ed|ure|s)?|mismatch|incorrect|wrong)\b(?!\s*[:=]\s*0\b)", re.I)
# Verdicts: what counts as verified, and that of a program that does not check itself.
AGREE, UNCHECKED = "agree", "ran, does not check itself"
GOOD = ("verified", AGREE)
WAIVED = 2  # the exit status of NVIDIA's samples that refuse to run


def judge(status, output, expect=None):
    """The verdict on a run: `verified`, or why it is not. EXPECT is a regular expression for the output of a
    program that does not say whether it passed.

    >>> judge(0, "Test PASSED")
    'verified'
    >>> judge(0, "3 values are wrong"), judge(0, "failed: 0, passed: 7"), judge(0, "sum 12")
    ('failed: wrong', 'verified', 'ran, does not check itself')
    >>> judge(0, "sum 12", "sum 12"), judge(0, "sum 13", "sum 12"), judge(None, "")
    ('verified', 'not the expected output', 'time limit')
    >>> judge(1, "/tmp/x.cu:7: out of memory"), judge(2, "no device")
    ('exit status 1: x.cu:7: out of memory', 'waived: no device')
    """
    if status is None:
        return "time limit"
    if status == WAIVED:
        return "waived: " + last_line(output)
    if status != 0:
        return f"exit status {status}: " + last_line(output)
    if expect:
        return "verified" if re.search(expect, output) else "not the expected output"
    if FAILED.search(output):
        return "failed: " + FAILED.search(output).group(0)
    return "verified" if PASSED.search(output) else UNCHECKED


def last_line(output):
    """The last line that is not blank, without the folders of absolute paths."""
    lines = [re.sub(r"(?<![\w./])/(?:[\w.+-]+/)+", "", line.strip()) for line in output.splitlines() if line.strip()]
    return lines[-1][:100] if lines else "no output"


def first_error(output):
    """The line that says why a build has failed."""
    for line in output.splitlines():
        match = re.search(r"(?:fatal error|error|undefined symbol|undefined reference to):? (.*)", line)
        if match:
            return match.group(0)[:110]
    return last_line(output)
