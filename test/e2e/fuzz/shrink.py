# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program small, text by text.

A program is a list of lines. A unit is a line, or a line that opens braces together with all lines up
to the one that closes them (`} else {` included). shrink() tries, as long as something helps: to leave
out units, largest first; to put a unit's inside in its place; to put one operand in the place of an
operation. What counts is the caller's STILL_FAILS; a text that does not compile does not fail.
"""

import re

OPEN = re.compile(r"\{[^{}]*$")
OPERATORS = re.compile(r" (?:[-+*^&|/%]|<<|>>|&&|\|\||<=?|>=?|[!=]=) ")


class Shrinker:
    def __init__(self, lines, frozen, still_fails, budget):
        """FROZEN(line) tells lines that have to stay; BUDGET is the most attempts."""
        self.lines, self.frozen, self.still_fails = lines, frozen, still_fails
        self.left = budget

    def attempt(self, lines):
        if self.left <= 0 or lines == self.lines:
            return False
        self.left -= 1
        if not self.still_fails("\n".join(lines) + "\n"):
            return False
        self.lines = lines
        return True

    def units(self, first, end):
        """The units of a range of lines, as pairs of first and end."""
        found, at = [], first
        while at < end:
            depth, stop = 0, at
            while stop < end:
                depth += self.lines[stop].count("{") - self.lines[stop].count("}")
                stop += 1
                head = stop - 1 == at and not OPEN.search(self.lines[at])
                # A condition without braces takes the line after it along.
                if head and depth == 0 and self.lines[at].rstrip().endswith(")"):
                    continue
                if depth <= 0:
                    break
            found.append((at, stop))
            at = stop
        return found

    def removable(self, unit):
        return not any(self.frozen(line) for line in self.lines[unit[0]:unit[1]])

    def remove_units(self, first, end):
        """Leaves out runs of neighbouring units, then shrinks inside those that stay."""
        size = len(self.units(first, end))
        while size:
            at = 0
            while at < len(units := self.units(first, end)):
                run = units[at:at + size]
                start, stop = run[0][0], run[-1][1]
                if self.removable((start, stop)) and self.attempt(
                        self.lines[:start] + self.lines[stop:]):
                    end -= stop - start
                else:
                    at += size
            size //= 2
        for unit in reversed(self.units(first, end)):
            if unit[1] - unit[0] > 2:
                self.remove_units(unit[0] + 1, unit[1] - 1)

    def unwrap_units(self):
        at = 0
        while at < len(self.lines):
            if OPEN.search(self.lines[at]) and self.lines[at].startswith(" "):
                stop = self.units(at, len(self.lines))[0][1]
                inside = [line for line in self.lines[at + 1:stop - 1]
                          if line.strip() != "} else {"]
                if self.removable((at, at + 1)) and self.attempt(
                        self.lines[:at] + inside + self.lines[stop:]):
                    continue
            at += 1

    def groups(self, line):
        """Innermost and outer parenthesised parts of a line, largest first."""
        starts, found = [], []
        for at, character in enumerate(line):
            if character == "(":
                starts.append(at)
            elif character == ")" and starts:
                found.append((starts.pop(), at + 1))
        return sorted(found, key=lambda group: group[0] - group[1])

    def operands(self, text):
        """The operands of the operation TEXT, at the outermost level."""
        parts, depth, start = [], 0, 0
        for match in re.finditer(r"[()]|" + OPERATORS.pattern + r"| [?:] ", text):
            depth += (match[0] == "(") - (match[0] == ")")
            if depth == 0 and len(match[0]) > 1:
                parts.append(text[start:match.start()])
                start = match.end()
        return parts + [text[start:]] if parts else []

    def simplify_line(self, at):
        changed = True
        while changed and self.left > 0:
            changed, line = False, self.lines[at]
            for first, end in self.groups(line):
                for part in [*self.operands(line[first + 1:end - 1]), "1"]:
                    if len(part) < end - first - 2 and self.attempt(
                            self.lines[:at] + [line[:first + 1] + part + line[end - 1:]]
                            + self.lines[at + 1:]):
                        changed = True
                        break
                if changed:
                    break

    def shrink(self):
        before = None
        while before != self.lines and self.left > 0:
            before = self.lines
            self.remove_units(0, len(self.lines))
            self.unwrap_units()
            for at in range(len(self.lines)):
                if not self.frozen(self.lines[at]):
                    self.simplify_line(at)
        return self.lines


def shrink(text, frozen, still_fails, budget=400):
    """The smallest text found that still fails."""
    return "\n".join(Shrinker(text.splitlines(), frozen, still_fails, budget).shrink()) + "\n"
