#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads a page of vx-report in a headless Chromium and checks what it makes of it.

    test/tools/vx-report/in-browser.py PAGE.html [--screenshot=FILE.png] [--width=PIXELS]

Debian's package is chromium. A copy of the page gets a script that measures its elements once it is laid out
and leaves the result in the document, which --dump-dom prints. Fails if a chart has no area or no text, a
table has no rows, or the page is wider than the window.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

MEASURE = """<script>
addEventListener("load", () => {
  const box = e => { const r = e.getBoundingClientRect(); return [r.width, r.height]; };
  const found = {
    width: document.documentElement.scrollWidth, window: innerWidth,
    charts: [...document.querySelectorAll("svg")].map(e => ({label: e.getAttribute("aria-label"),
      box: box(e), texts: [...e.querySelectorAll("text")].filter(t => box(t)[0] > 0).length,
      shapes: [...e.querySelectorAll("path")].filter(p => box(p)[0] + box(p)[1] > 0).length})),
    tables: [...document.querySelectorAll("table")].map(e => ({id: e.id, rows: e.rows.length})),
  };
  const result = document.createElement("script");
  result.type = "application/json"; result.id = "measured";
  result.textContent = JSON.stringify(found);
  document.body.append(result);
});
</script>"""


def browse(page, width, *options):
    return subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         "--host-resolver-rules=MAP * ~NOTFOUND", f"--window-size={width},4000", *options,
         "file://" + os.path.abspath(page)], capture_output=True, text=True, timeout=300)


def problems(found):
    if found["width"] > found["window"]:
        yield f"the page is {found['width']} pixels wide, the window {found['window']}"
    for chart in found["charts"]:
        if min(chart["box"]) < 50 or not chart["texts"] or not chart["shapes"]:
            yield f"chart '{chart['label']}' is not to be seen: {chart}"
    for table in found["tables"]:
        if table["rows"] < 2:
            yield f"table '{table['id']}' has no rows"
    if not found["tables"]:
        yield "there are no tables"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page")
    parser.add_argument("--screenshot")
    parser.add_argument("--width", type=int, default=1250)
    options = parser.parse_args()
    if not shutil.which("chromium"):
        sys.exit("report-in-browser.py: no chromium (apt-get install chromium)")
    with open(options.page, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "page.html")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(text.replace("</head>", MEASURE + "</head>", 1))
        done = browse(copy, options.width, "--dump-dom", f"--user-data-dir={folder}/user")
        match = re.search(r'id="measured">(.*?)</script>', done.stdout, re.S)
        if not match:
            sys.exit("report-in-browser.py: the browser has not shown the page:\n" + done.stderr[-2000:])
        if options.screenshot:
            browse(options.page, options.width, f"--screenshot={options.screenshot}",
                   f"--user-data-dir={folder}/user")
    found = json.loads(match.group(1))
    wrong = list(problems(found))
    print(f"{len(found['charts'])} charts, {len(found['tables'])} tables, {found['width']} pixels wide: "
          f"{'FAIL' if wrong else 'PASS'}")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
