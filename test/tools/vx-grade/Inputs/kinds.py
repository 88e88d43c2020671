# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A line for each program of the JSON file of vx-grade: what it does by itself, and the kinds of findings."""

import json
import os
import sys

with open(sys.argv[1]) as file:
    for program in json.load(file)["programs"]:
        checks = [check for test in program["tests"] for check in test["checks"]]
        words = [check["status"] for check in checks if check["name"] == "output" and check["status"] != "passed"]
        words += sorted({finding["kind"] for check in checks for finding in check["findings"]})
        print(os.path.basename(os.path.dirname(program["source"])) + ":", *words)
