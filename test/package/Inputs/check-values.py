#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check-values.py COMPLETIONS VXCC SOURCE: whether VXCC takes each value that bash's COMPLETIONS
offer for an option, in a dry run over SOURCE."""

import re
import subprocess
import sys


def main():
    completions, vxcc, source = sys.argv[1:]
    count = refused = 0
    with open(completions) as file:
        for line in file:
            match = re.match(r'\s+(-[^|)]*)[^)]*\) COMPREPLY=\(\$\(compgen -W "([^"]*)"', line)
            for value in match.group(2).split() if match else []:
                count += 1
                # A language holds for the inputs after it.
                done = subprocess.run([vxcc, "--dryrun", "-c", match.group(1), value, source],
                                      capture_output=True, text=True)
                if done.returncode:
                    refused += 1
                    print(match.group(1), value, done.stderr.splitlines()[-1])
    print(f"{count} values, {refused} refused")


if __name__ == "__main__":
    main()
