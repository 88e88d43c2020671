#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds up test results: a JUnit file of ctest and a JSON file of lit.

usage: count-results.py CTEST.xml LIT.json

Names what failed and ends with "N passed, N failed". A missing or empty file counts as one failure,
so that a suite which did not run cannot pass.
"""

import json
import sys
import xml.etree.ElementTree


def ctest_results(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    for case in root.iter("testcase"):
        if case.get("status") != "disabled":
            yield case.get("name"), case.get("status") == "run"


def lit_results(path):
    with open(path) as file:
        for test in json.load(file)["tests"]:
            if test["code"] not in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
                yield test["name"], test["code"] in ("PASS", "XFAIL", "FLAKYPASS")


def main():
    passed, failed = 0, []
    for name, read in ((sys.argv[1], ctest_results), (sys.argv[2], lit_results)):
        try:
            results = list(read(name))
        except (OSError, ValueError, KeyError, xml.etree.ElementTree.ParseError) as error:
            results = [(f"{name}: {error}", False)]
        if not results:
            results = [(f"{name}: no test ran", False)]
        passed += sum(good for _, good in results)
        failed += [test for test, good in results if not good]
    for test in failed:
        print(f"FAILED: {test}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
