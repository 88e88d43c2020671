# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs that run generators share: commands with limits, and one seed after the other."""

import argparse
import os
import resource
import subprocess
import tempfile

INPUTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Inputs")
# This is processor time: the machine may be busy with other things.
SECONDS = 240


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def attempt(command, environment=None):
    """What is wrong with a run of COMMAND, or None."""
    try:
        done = subprocess.run(command, env=dict(os.environ, **(environment or {})), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                              timeout=20 * SECONDS, preexec_fn=limit_time)
    except subprocess.TimeoutExpired:
        done = None
    settings = " ".join(f"{key}={value}" for key, value in (environment or {}).items())
    shown = f"$ {settings + ' ' if settings else ''}{' '.join(command)}"
    if done is None:
        return f"{shown}\nno end"
    return f"{shown}\nexit status {done.returncode}\n{done.stdout}" if done.returncode else None


def parser(description, directory):
    """The options that all of them have."""
    result = argparse.ArgumentParser(description=description.splitlines()[0])
    result.add_argument("--vxcc", required=True)
    result.add_argument("--first", type=int, default=1)
    result.add_argument("--count", type=int, default=1)
    result.add_argument("--directory", default=os.path.join(tempfile.gettempdir(), directory))
    return result


def remove(files):
    for path in files:
        if os.path.exists(path):
            os.remove(path)


def run_seeds(options, check_seed):
    """CHECK_SEED gives the problems of a seed and the files it left, which are removed if there are no
    problems. The seeds that failed."""
    os.makedirs(options.directory, exist_ok=True)
    failed = []
    for seed in range(options.first, options.first + options.count):
        problems, files = check_seed(seed)
        print(f"seed {seed}: {'FAIL' if problems else 'ok'}", flush=True)
        if problems:
            failed.append(seed)
            print("\n".join(problems), flush=True)
        else:
            remove(files)
    return failed


def report(options, failed, more=""):
    """Prints the last line; the exit status."""
    print(f"{options.count - len(failed)} of {options.count} seeds{more} passed"
          + (f"; failed: {failed}, files in {options.directory}" if failed else ""), flush=True)
    return 1 if failed else 0
