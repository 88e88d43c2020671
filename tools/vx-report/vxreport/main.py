# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of vx-report."""

import os
import sys

from vxreport import inputs

VERSION = "@PROJECT_VERSION@"
HELP = """\
usage: vx-report [options] run...
       vx-report [options] sweep.csv

Writes one HTML page that compares runs, or shows a sweep. A run is [NAME=]STATS.json[,PROFILE.json]: what
VX_STATS=json:STATS.json and VX_PROFILE=PROFILE have left of a program. A sweep is what bench/sweep writes.

  -o, --output=FILE   the page (default: report.html)
  --title=TEXT        its title
  --value=COLUMN      sweep: what is shown, a column of the file (default: cycles)
  --best=least|most   sweep: whether less or more of it is better (default: least)
  --axes=NAME,NAME    sweep: the axes of the heat map, rows and columns (default: the first two that vary)
  --help              print this help
  --version           print the version
"""
VALUES = {"--output": "output", "-o": "output", "--title": "title", "--value": "value", "--best": "best",
          "--axes": "axes"}


class Options:
    def __init__(self, words):
        self.output, self.title, self.value, self.best, self.axes = "report.html", "", "cycles", "least", ""
        self.inputs = []
        words = list(words)
        while words:
            word = words.pop(0)
            name, equals, text = word.partition("=")
            if not word.startswith("-"):
                self.inputs.append(word)
            elif name not in VALUES:
                raise inputs.InputError(f"unknown option '{name}'" + inputs.nearest(name, VALUES) +
                                        "; --help lists all")
            else:
                if not equals:
                    if not words:
                        raise inputs.InputError(f"'{name}' needs a value")
                    text = words.pop(0)
                setattr(self, VALUES[name], text)
        if self.best not in ("least", "most"):
            raise inputs.InputError(f"--best={self.best}: it must be least or most")
        if not self.inputs:
            raise inputs.InputError("no inputs; --help says what they are")


def make_page(options):
    sweeps = [name for name in options.inputs if name.endswith(".csv")]
    if sweeps and len(options.inputs) > 1:
        raise inputs.InputError("a sweep is a page of its own: one .csv file and nothing else")
    sweep = inputs.load_sweep(sweeps[0]) if sweeps else None
    runs = [] if sweeps else inputs.load_runs(options.inputs)
    try:
        from vxreport import runs_page, sweep_page
    except ImportError as error:
        raise inputs.InputError(f"{error}; Debian's package is python3-matplotlib") from error
    if sweep:
        return sweep_page.page(sweep, options)
    return runs_page.page(runs, options.title)


def main(words):
    if "--help" in words:
        print(HELP, end="")
        return 0
    if "--version" in words:
        print("vx-report " + VERSION)
        return 0
    try:
        options = Options(words)
        text = make_page(options)
        part = options.output + ".part"
        try:
            with open(part, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(part, options.output)
        except OSError as error:
            raise inputs.InputError(f"{options.output}: {error.strerror}") from error
    except inputs.InputError as error:
        print(f"vx-report: error: {error}", file=sys.stderr)
        return 1
    return 0
