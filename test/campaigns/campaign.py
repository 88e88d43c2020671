# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What campaigns over other people's programs share: commands with limits, copies with edits, results.

A campaign keeps what it has found in a JSON file, program by program, so that it can be repeated for
some of them; the tables in docs/ are written from that file.
"""

import csv
import glob
import importlib.util
import json
import os
import re
import resource
import signal
import subprocess
import time

# How a program is run: name, environment.
# hw has warps as wide as CUDA's, sw a small device without warp instructions.
CONFIGS = {"hw": {"VX_LOWERING": "hw", "VX_SET": "core.num_warps=32,core.num_threads=32"},
        "sw": {"VX_LOWERING": "sw", "VX_SET": "core.num_warps=4,core.num_threads=4,isa.warp=off"}}
TAIL = 2000  # characters of an output that are kept


def load(name):
    """The campaign NAME, as a module."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def link_tree(source, target, edits):
    """Makes TARGET a copy of the folder SOURCE whose files are links, but for those with an edit:
    [file, regular expression, replacement]. An edit that changes nothing is an error."""
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name not in (".git", "build")]
        copy = os.path.normpath(os.path.join(target, os.path.relpath(folder, source)))
        os.makedirs(copy, exist_ok=True)
        for name in names:
            link = os.path.join(copy, name)
            if os.path.lexists(link):
                os.remove(link)
            os.symlink(os.path.join(folder, name), link)
    for name, pattern, replacement in edits:
        path = os.path.join(target, name)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        changed, count = re.subn(pattern, replacement, text, flags=re.M)
        if not count:
            raise SystemExit(f"{path}: nothing matches the edit {pattern!r}")
        os.remove(path)
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(changed)


CHECKERS = "memcheck,racecheck,synccheck"
# How much longer a run may take under the checkers.
CHECKED_TIMES = 10


class Checks:
    """Programs compiled for the checkers and run under them (--check): their reports and findings lie in FOLDER."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    @staticmethod
    def compiling(environment):
        """ENVIRONMENT for a build, with -fvx-check for the compiler."""
        flags = environment.get("NVCC_APPEND_FLAGS", "")
        return dict(environment, NVCC_APPEND_FLAGS=(flags + " -fvx-check").strip())

    def path(self, name, config, ending):
        return os.path.join(self.folder, f"{name.replace('/', '.')}-{config}{ending}")

    def files(self, name, config, ending):
        """Of all devices: beside NAME.json there may be NAME.device1.json."""
        return sorted(glob.glob(glob.escape(self.path(name, config, "")) + "*" + ending))

    def running(self, name, config, environment):
        """ENVIRONMENT for the run of program NAME; what an earlier run has left is removed."""
        for old in self.files(name, config, ".json") + self.files(name, config, ".log"):
            os.remove(old)
        settings = [environment["VX_SET"]] if environment.get("VX_SET") else []
        settings += ["check.save=" + self.path(name, config, ".json"), "check.log=" + self.path(name, config, ".log")]
        return dict(environment, VX_CHECK=CHECKERS, VX_SET=",".join(settings))

    def findings(self, name, config):
        """One text for each finding of the last run; None: nothing was checked."""
        files = [path for path in self.files(name, config, ".json") if os.path.getsize(path)]
        texts = []
        for path in files:
            with open(path) as file:
                texts += [finding_text(finding) for finding in json.load(file)["findings"]]
        return texts if files else None


def finding_text(finding):
    """One line about a finding of check.save."""
    text = f"{finding['kind']} {os.path.basename(finding.get('file', ''))}:{finding.get('line', 0)}"
    if "other-line" in finding:
        text += f" and {os.path.basename(finding['other-file'])}:{finding['other-line']}"
    return f"{text} ({finding['message']})"


def print_findings(result):
    """What the checkers have found in the runs of RESULT."""
    for config, known in result.get("configs", {}).items():
        if known.get("findings", []) is None and known["verdict"] != "time limit":
            print(f"  {config}: nothing was checked", flush=True)
        for text in known.get("findings") or []:
            print(f"  {config}: {text}", flush=True)


GOOD = re.compile(r"\b(pass(ed|es)?|success(ful(ly)?)?|succeeded|ok|correct|verified|match(es)?)\b", re.I)
BAD = re.compile(r"\b(fail(ed|ure|s)?|mismatch|incorrect|wrong)\b(?!\s*[:=]\s*0\b)", re.I)
UNCHECKED = "ran, does not check itself"
WAIVED = 2  # the exit status of NVIDIA's samples that refuse to run


def judge(status, output, expect=None):
    """'verified', or why a run is not: EXPECT is a regular expression for the output of a program that
    does not say whether it passed."""
    if status is None:
        return "time limit"
    if status == WAIVED:
        return "waived: " + last_line(output)
    if status != 0:
        return f"exit status {status}: " + last_line(output)
    if expect:
        return "verified" if re.search(expect, output) else "not the expected output"
    if BAD.search(output):
        return "failed: " + BAD.search(output).group(0)
    return "verified" if GOOD.search(output) else UNCHECKED


def last_line(output):
    """The last line that is not blank, without the folders of absolute paths."""
    lines = [re.sub(r"(?<![\w./])/(?:[\w.+-]+/)+", "", line.strip()) for line in output.splitlines() if line.strip()]
    return lines[-1][:100] if lines else "no output"


def first_error(output):
    """The line that says why a build has failed."""
    for line in output.splitlines():
        match = re.search(r"(?:fatal error|error|undefined symbol|undefined reference to):? (.*)", line)
        if match:
            return match.group(0)[:110].replace("|", "\\|")
    return last_line(output)


def is_verified(result):
    """Whether a program is verified in each of CONFIGS."""
    return bool(result.get("configs")) and len(result["configs"]) == len(CONFIGS) and all(
        known["verdict"] == "verified" for known in result["configs"].values())


def table_rows(path, campaign):
    """The rows of the table of CAMPAIGN in the page PATH as they are: lines by the name in the first column."""
    with open(path) as file:
        page = file.read()
    table = page.split(f"<!-- begin: {campaign} -->")[1].split(f"<!-- end: {campaign} -->")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")]
    return {row.split("|")[1].strip(): row for row in rows[1:]}


def row_is_built(row):
    return row.split("|")[2].strip() == "yes"


def row_is_verified(row):
    """Whether a row `| name | built | hw | sw | remark |` has times for each of CONFIGS."""
    return all(cell.strip() not in ("", "no") for cell in row.split("|")[3:3 + len(CONFIGS)])


def replace_table(path, campaign, lines):
    """Puts LINES between the markers of CAMPAIGN, a file of this folder, in the page PATH."""
    with open(path) as file:
        page = file.read()
    begin, end = f"<!-- begin: {campaign} -->", f"<!-- end: {campaign} -->"
    head, tail = page.split(begin)[0], page.split(end)[1]
    with open(path, "w") as file:
        file.write(head + begin + "\n\n" + "\n".join(lines) + "\n\n" + end + tail)


class Results:
    """What is known of each program, in a file."""

    def __init__(self, path):
        self.path = path
        self.known = {}
        if os.path.exists(path):
            with open(path) as file:
                self.known = json.load(file)

    def put(self, name, result):
        self.known[name] = result
        temporary = self.path + ".new"
        with open(temporary, "w") as file:
            json.dump(self.known, file, indent=1, sort_keys=True)
        os.replace(temporary, self.path)


class Record:
    """What is kept in the repository of each program: a CSV file with COLUMNS, the first of which is its name."""

    def __init__(self, path, columns):
        self.path, self.columns = path, columns

    def row(self, name, result, runs):
        """Of a RESULT with arguments and the time of its build, and RUNS by configuration."""
        row = {self.columns[0]: name, "built": result.get("why", "yes"), "build seconds": result["build seconds"],
               "arguments": result["arguments"]}
        for config, known in runs.items():
            row[config], row[config + " seconds"] = known["verdict"], known["seconds"]
        return row

    def read(self):
        """Rows by name."""
        if not os.path.exists(self.path):
            return {}
        with open(self.path, newline="") as file:
            return {row[self.columns[0]]: row for row in csv.DictReader(file)}

    def add(self, rows):
        """Puts ROWS, by name, in place of those that are there; all rows."""
        known = self.read()
        known.update(rows)
        with open(self.path, "w", newline="") as file:
            writer = csv.DictWriter(file, self.columns, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(known[name] for name in sorted(known))
        return self.read()
