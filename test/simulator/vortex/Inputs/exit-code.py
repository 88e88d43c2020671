# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exit-code.py CODE COMMAND…: whether the command ends with that exit code."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit(f"exit code {code}, expected {sys.argv[1]}")
