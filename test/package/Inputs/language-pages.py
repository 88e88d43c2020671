# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: language-pages.py BUILD: the manual pages of the MLIR tools, in builds that have them."""

import os
import sys

WANTED = {
    "vx-mlir-opt": [r"\fB\-\-gpu\-lower\-to\-vx\-pipeline\fR", r"\fBcubin\-format=<string>\fR",
                    r"\fB\-\-vx\-attach\-target\fR", r"\fBO=<uint>\fR", ".SH EXIT STATUS"],
    "vx-mlir-translate": [r"\fB\-o <file>\fR", "what has been read is at fault"],
}
for tool, texts in WANTED.items():
    if not os.path.exists(f"{sys.argv[1]}/bin/{tool}"):
        continue
    with open(f"{sys.argv[1]}/share/man/man1/{tool}.1") as file:
        page = file.read()
    for text in texts:
        if text not in page:
            sys.exit(f"{tool}.1 has no '{text}'")
    if "affine" in page:
        sys.exit(f"{tool}.1 has the passes of mlir-opt")
print("a page for each tool of the languages")
