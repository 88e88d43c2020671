#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Damaged statistics, profiles and sweeps as inputs of vx-report: it makes its page or says what is
# wrong with them; any other exception is a finding. scripts/fuzz runs it.

import argparse
import copy
import hashlib
import importlib
import json
import os
import random
import shutil
import sys
import tempfile
import time
import traceback

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), os.pardir, os.pardir))
PROGRAM = shutil.which("vx-report") or os.path.join(ROOT, "build", "bin", "vx-report")
sys.path.insert(0, os.path.join(os.path.dirname(PROGRAM), os.pardir, "share", "vxcc", "report"))
sys.dont_write_bytecode = True

DRAWN = 50  # one of so many pages has its charts drawn, which takes most of the time
VALUES = [None, True, 0, -1, 1, 2**63, 1e308, float("inf"), float("nan"), "", "x", "</script>", "\ud800", [], {},
          [[]], [{}], [None], {"": None}]


def places(data, path=()):
    """The paths of all values inside of DATA."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, path + (key,))


def damage_value(data, dice):
    """DATA with one value replaced, removed or repeated."""
    path = dice.choice(list(places(data)))
    if not path:
        return dice.choice(VALUES)
    at = data
    for key in path[:-1]:
        at = at[key]
    what = dice.randrange(4)
    if what == 0:
        del at[path[-1]]
    elif what == 1 and isinstance(at, list):
        at.insert(path[-1], copy.deepcopy(at[path[-1]]))
    else:
        at[path[-1]] = copy.deepcopy(dice.choice(VALUES))
    return data


def damage_text(text, dice):
    """TEXT, bytes, with bytes changed, removed or repeated."""
    text = bytearray(text)
    for _ in range(dice.randrange(1, 4)):
        at, size = dice.randrange(len(text) + 1), dice.choice([1, 1, 1, 4, 100])
        what = dice.randrange(4)
        if what == 0:
            del text[at:at + size]
        elif what == 1:
            text[at:at + 1] = dice.choice([b"\0", b"\xff", b",", b'"', b"\n", b"-", b"1e999", b"nan", b"{", b"]"])
        elif what == 2:
            text[at:at] = text[at:at + size]
        elif text:
            text[at % len(text)] = dice.randrange(256)
    return bytes(text)


def damage(name, text, dice):
    if name.endswith(".json") and dice.random() < 0.8:
        data = json.loads(text)
        for _ in range(dice.randrange(1, 4)):
            data = damage_value(data, dice)
        return json.dumps(data).encode()
    return damage_text(text, dice)


class Trial:
    """Runs vx-report's page with damaged files in FOLDER."""

    def __init__(self, folder, seeds):
        self.folder, self.seeds = folder, seeds
        self.report = importlib.import_module("vxreport.main")
        self.charts = importlib.import_module("vxreport.charts")
        self.drawing = {name: getattr(self.charts, name) for name in
                        ("grouped_bars", "stacked_bars", "roofline", "heat_map", "lines")}
        self.wrong = importlib.import_module("vxreport.inputs").InputError

    def run(self, seed):
        """The text of the exception, or None."""
        dice = random.Random(seed)
        stats = [name for name in self.seeds if name.endswith(".json") and not name.endswith(".profile.json")]
        profiles = [name for name in self.seeds if name.endswith(".profile.json")]
        sweeps = [name for name in self.seeds if name.endswith(".csv")]
        kind = dice.randrange(3)
        names = [dice.choice(sweeps)] if kind == 0 else [dice.choice(stats)] + \
            ([dice.choice(profiles)] if kind == 1 and profiles else [])
        for name, draw in self.drawing.items():
            setattr(self.charts, name, draw if seed % DRAWN == 0 else lambda *arguments: "<svg/>")
        worst = dice.randrange(len(names))
        paths = []
        for i, name in enumerate(names):
            text = damage(name, self.seeds[name], dice) if i == worst else self.seeds[name]
            paths.append(os.path.join(self.folder, f"{i}{os.path.splitext(name)[1]}"))
            with open(paths[-1], "wb") as file:
                file.write(text)
        try:
            page = self.report.make_page(self.report.Options([",".join(paths)]))
            page.encode("utf-8")
        except self.wrong:
            return None
        except Exception:  # pylint: disable=broad-except
            return traceback.format_exc()
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--runs", type=int, default=-1)
    parser.add_argument("--first", type=int, default=0, help="seed of the first run")
    parser.add_argument("--findings", default=".")
    parser.add_argument("seeds", help="folder with statistics, profiles (*.profile.json) and sweeps (*.csv)")
    options = parser.parse_args()
    seeds = {}
    for name in sorted(os.listdir(options.seeds)):
        with open(os.path.join(options.seeds, name), "rb") as file:
            seeds[name] = file.read()
    found, end, seed = {}, time.process_time() + options.seconds, options.first
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(folder, seeds)
        while time.process_time() < end and seed - options.first != options.runs:
            text = trial.run(seed)
            place = text and text.strip().splitlines()[-3:-1]
            if text and str(place) not in found:
                found[str(place)] = seed
                name = os.path.join(options.findings, "reports-" + hashlib.sha1(str(place).encode()).hexdigest()[:8])
                with open(name, "w", encoding="utf-8", errors="replace") as file:
                    file.write(f"test/fuzz/reports.py --first={seed} --runs=1 {options.seeds}\n{text}")
                print(f"finding: {name}\n{text}")
            seed += 1
    print(f"{seed - options.first} executions, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
