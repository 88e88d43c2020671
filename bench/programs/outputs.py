# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What two runs of a program print, compared: the results, without times and properties of the machine.

A result is a line with a number. Two runs agree if they have the same results in the same order: the same text
around the numbers, the same integers, and other numbers that differ by at most a thousandth or by the last digit
that is printed. Two programs agree if that holds for the lines whose text both have, equally often.

    >>> quiet = ["256", "10"]
    >>> mine = results_of("Grid 256, 10 iterations\\nkernel time: 3.2 ms\\nsum = 1.0001 of 12 cells\\n", quiet)
    >>> mine
    [('sum = # of # cells', ('1.0001', '12'))]
    >>> difference(mine, results_of("sum = 1.0002 of 12 cells", quiet))
    >>> difference(mine, results_of("sum = 1.0001 of 13 cells", quiet))
    'sum = 1.0001 of 12 cells: 13'
    >>> difference(results_of("Checksum = 7fe01c00a", []), results_of("Checksum = 7fe01c00b", []))
    'Checksum = 7fe01c00a: 7fe01c00b'
    >>> difference(mine, results_of("sum = 1.31 of 12 cells", quiet))
    'sum = 1.0001 of 12 cells: 1.31'
    >>> difference(mine, [])
    'number of results: 1, 0'
    >>> common_difference(mine, results_of("another 5\\nsum = 1.0001 of 12 cells", quiet))
    (1, None)
    >>> common_difference(mine, results_of("another 5", quiet))
    (0, None)
    >>> common_difference(mine, results_of("sum = 2.5 of 12 cells", quiet))
    (1, 'sum = 1.0001 of 12 cells: 2.5')
"""

import collections
import math
import re

RELATIVE = 1e-3
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]*\w)|(?<!\w)[-+]?(?:nan|inf)(?!\w)|"
    # Hexadecimal digits.
    r"(?<=[Cc]hecksum = )[\da-f]{3,16}(?!\w)")
# Lines about times, rates, the machine, and how far a result is from another.
NO_RESULT = re.compile(
    r"time|timing|elapsed|took|latency|\bsec(ond)?s?\b|\d ?[mun]?s\b|\b[mun]s\b|\([mun]?s\)|bandwidth|throughput|[mgt]?flop|per second|/s(ec)?\b|"
    r"error|rmse|speed|\brate\b|efficiency|cycle|clock|device|\bgpus?\b|\bsms?\b|warp|multiprocessor|occupancy|memory|bytes|^vx: ", re.I)


def results_of(output, arguments):
    """Text and numbers of each line with a result, unless the numbers are all among the program's ARGUMENTS."""
    results = []
    for line in output.splitlines():
        numbers = tuple(NUMBER.findall(line))
        if numbers and not NO_RESULT.search(line) and not all(number in arguments for number in numbers):
            results.append((" ".join(NUMBER.sub("#", line).split()), numbers))
    return results


def is_integer(number):
    return re.fullmatch(r"[-+]?\d+", number) is not None


def last_digit(number):
    """What one unit of the last digit is worth: 0.01 of 1.25, 0.1 of 1.2e1."""
    mantissa, _, exponent = number.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def is_checksum(number):
    return re.fullmatch(r"\d*[a-f][\da-f]*", number) is not None


def is_close(one, other):
    if is_checksum(one) or is_checksum(other):
        return one == other
    if is_integer(one) and is_integer(other):
        return int(one) == int(other)
    a, b = float(one), float(other)
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or math.isinf(b):
        return one.lstrip("+-") == other.lstrip("+-")
    step = 1.01 * max(last_digit(one), last_digit(other))
    return abs(a - b) <= max(RELATIVE * max(abs(a), abs(b)), step)


def line_difference(one, other):
    """The first number of the line ONE that is another in the line OTHER of the same text, said in words."""
    text, numbers = one
    for mine, yours in zip(numbers, other[1]):
        if not is_close(mine, yours):
            parts = iter(numbers)
            return re.sub("#", lambda _: next(parts, "#"), text)[:80] + ": " + yours
    return None


def difference(first, second):
    """Where two lists of results of the same program differ, in words; None if they agree."""
    if len(first) != len(second):
        return f"number of results: {len(first)}, {len(second)}"
    for one, other in zip(first, second):
        if one[0] != other[0]:
            return f"'{one[0][:40]}', '{other[0][:40]}'"
        found = line_difference(one, other)
        if found:
            return found
    return None


def common_difference(first, second):
    """How many lines of two lists of results have the same text, and where they differ (None: nowhere)."""
    by_text = [collections.defaultdict(list) for _ in range(2)]
    for lists, results in zip(by_text, (first, second)):
        for result in results:
            lists[result[0]].append(result)
    count = 0
    for text, mine in by_text[0].items():
        yours = by_text[1].get(text, [])
        if len(mine) != len(yours):
            continue
        for one, other in zip(mine, yours):
            count += 1
            found = line_difference(one, other)
            if found:
                return count, found
    return count, None
