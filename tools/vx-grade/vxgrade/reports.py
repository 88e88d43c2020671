# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grades in words, as JSON and as JUnit XML."""

import json
import re
import xml.etree.ElementTree as xml

from vxgrade.work import BROKEN, PASSED

SIGN = "========="


def plain(text):
    """TEXT without the characters that XML cannot hold."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)


def number(value):
    return f"{value:g}"


def indented(text, most=None):
    lines = [line.removeprefix(SIGN).rstrip() for line in text.splitlines()]
    lines = [line for line in lines if line.strip()]
    if most and len(lines) > most:
        lines[most:] = [f"… {len(lines) - most} more lines"]
    return "".join(f"      {line}\n" for line in lines)


def words(grade, verbose=False):
    """What a student reads."""
    text = f"{grade.source}\n"
    shown = set()
    rows = [("compile", grade.compilation)]
    rows += [(f"{result.name}: {check.name}", check) for result in grade.results for check in result.checks]
    width = max(len(name) for name, _ in rows)
    for name, check in rows:
        text += f"  {name:{width}}  " + ("ok" if check.status == PASSED else f"{check.status}: {check.message}")
        text += "\n"
        if check.status != PASSED and check.details and check.details not in shown:
            shown.add(check.details) # the checkers of a test have one report
            text += indented(check.details, None if verbose else 24)
    return text + f"  {number(grade.points())} of {number(grade.possible)} points\n"


def as_json(grades, version):
    def of_check(check):
        return {"name": check.name, "status": check.status, "message": check.message, "details": check.details,
                "findings": check.findings}
    return json.dumps({
        "version": version,
        "programs": [{
            "source": grade.source, "status": grade.status(), "points": grade.points(),
            "possible": grade.possible, "seconds": round(grade.seconds, 3),
            "compile": of_check(grade.compilation),
            "tests": [{"name": result.name, "status": result.status(), "points": result.points,
                       "seconds": round(result.seconds, 3),
                       "checks": [of_check(check) for check in result.checks]} for result in grade.results],
        } for grade in grades]}, indent=2) + "\n"


def as_junit(grades):
    root = xml.Element("testsuites", name="vx-grade")
    for grade in grades:
        rows = [("compile", grade.compilation, 0.0)]
        for result in grade.results:
            each = result.seconds / max(1, len(result.checks))
            rows += [(f"{result.name}.{check.name}", check, each) for check in result.checks]
        failed = sum(check.status not in (PASSED, BROKEN) for _, check, _ in rows)
        errors = sum(check.status == BROKEN for _, check, _ in rows)
        suite = xml.SubElement(root, "testsuite", name=grade.source, tests=str(len(rows)), failures=str(failed),
                               errors=str(errors), skipped="0", time=f"{grade.seconds:.3f}")
        properties = xml.SubElement(suite, "properties")
        for name, value in (("points", grade.points()), ("possible", grade.possible)):
            xml.SubElement(properties, "property", name=name, value=number(value))
        for name, check, seconds in rows:
            case = xml.SubElement(suite, "testcase", classname=grade.source, name=name, time=f"{seconds:.3f}")
            if check.status != PASSED:
                kind = "error" if check.status == BROKEN else "failure"
                what = check.findings[0]["kind"] if check.findings else check.status
                xml.SubElement(case, kind, type=what, message=plain(check.message)).text = plain(check.details)
    xml.indent(root)
    return xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
