# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts, as SVG that stands in the page: drawn by matplotlib, with text as text."""

import io
import itertools
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot  # noqa: E402

matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "vx-report", "font.size": 9,
                            "axes.spines.top": False, "axes.spines.right": False,
                            "font.family": "sans-serif", "text.parse_math": False})  # names have dollar signs
# Of simulator/timing/StallCauses.def.
CAUSE_COLORS = dict(row.split("=") for row in "@VX_CAUSE_COLORS@".split(";"))
NUMBERS = itertools.count(1)


def short(name, length=28):
    """A kernel's name without its parameters, or the beginning of it."""
    name = re.sub(r"\(.*", "", name.removeprefix("void "))
    return name if len(name) <= length else name[:length - 1] + "…"


def svg_of(figure, label):
    """FIGURE as an element whose ids are its own."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", bbox_inches="tight", metadata={"Date": None})
    plot.close(figure)
    svg = stream.getvalue()
    svg = svg[svg.index("<svg"):]
    prefix = f"c{next(NUMBERS)}-"
    svg = re.sub(r'\bid="', f'id="{prefix}', svg)
    svg = re.sub(r'href="#', f'href="#{prefix}', svg)
    svg = svg.replace("url(#", f"url(#{prefix}")
    escaped = label.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return svg.replace("<svg", f'<svg role="img" aria-label="{escaped}"', 1)


def grouped_bars(title, groups, series, unit):
    """SERIES: name -> a value for each of GROUPS, or None."""
    figure, axes = plot.subplots(figsize=(max(5, 1.2 + 0.35 * len(groups) * (len(series) + 1)), 3.2))
    width = 0.8 / len(series)
    for index, (name, values) in enumerate(series.items()):
        places = [g + (index - (len(series) - 1) / 2) * width for g in range(len(groups))]
        for place, value, group in zip(places, values, groups):
            if value is not None:
                bar = axes.bar(place, value, width, color=f"C{index % 10}")[0]
                bar.set_gid(f"bar-{index}-{groups.index(group)}")
        axes.bar([0], [0], color=f"C{index % 10}", label=name)
    axes.set_xticks(range(len(groups)), [short(g) for g in groups], rotation=20, ha="right")
    axes.set_ylabel(unit)
    axes.set_title(title)
    axes.legend(frameon=False)
    return svg_of(figure, title)


def stacked_bars(title, rows):
    """ROWS: (name, {cause: part of 1}), from top to bottom."""
    figure, axes = plot.subplots(figsize=(8, 0.8 + 0.34 * len(rows)))
    for index, (_, parts) in enumerate(rows):
        left = 0.0
        for cause, part in parts.items():
            if part > 0:
                axes.barh(index, part * 100, left=left, color=CAUSE_COLORS[cause], height=0.7)
                left += part * 100
    for cause in rows[0][1]:
        axes.barh([0], [0], color=CAUSE_COLORS[cause], label=cause)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.invert_yaxis()
    axes.set_xlabel("% of the cores' cycles")
    axes.set_xlim(0, 100)
    axes.set_title(title)
    axes.legend(frameon=False, ncol=len(rows[0][1]), loc="upper center",
                bbox_to_anchor=(0.5, -0.55 / (0.8 + 0.34 * len(rows)) - 0.02))
    return svg_of(figure, title)


def roofline(title, roofs, points, traffic):
    """ROOFS: (name, instructions a cycle, bytes a cycle). POINTS: (run, kernel, instructions for a byte,
    instructions a cycle)."""
    figure, axes = plot.subplots(figsize=(7.5, 4.5))
    ridges = [most / width for _, most, width in roofs]
    xs = [x for _, _, x, _ in points] + ridges
    low, high = min(xs) / 4, max(xs) * 4
    for index, (name, most, width) in enumerate(roofs):
        line = axes.plot([low, most / width, high], [low * width, most, most], color=f"C{index % 10}",
                         linewidth=1.2, label=f"{name}: {most:g} instructions, {width:g} bytes a cycle")[0]
        line.set_gid(f"roof-{index}")
    markers = itertools.cycle("osD^vP*X")
    runs = list(dict.fromkeys(run for run, _, _, _ in points))
    marks = {run: next(markers) for run in runs}
    kernels = list(dict.fromkeys(kernel for _, kernel, _, _ in points))
    for index, (run, kernel, x, y) in enumerate(points):
        dot = axes.plot([x], [y], marks[run], color=f"C{(kernels.index(kernel) + len(roofs)) % 10}")[0]
        dot.set_gid(f"point-{index}")
        axes.annotate(f"{short(kernel, 20)} ({run})" if len(runs) > 1 else short(kernel, 20), (x, y),
                      textcoords="offset points", xytext=(5, 4), fontsize=7)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(f"thread instructions for each byte of {traffic}")
    axes.set_ylabel("thread instructions a cycle")
    axes.set_title(title)
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize=8)
    return svg_of(figure, title)


def heat_map(title, rows, columns, values, unit, best):
    """VALUES[row][column], None where there is none; ROWS and COLUMNS are (axis, values); BEST, (row,
    column, "least" or "most"), gets a frame."""
    (row_axis, row_names), (column_axis, column_names) = rows, columns
    figure, axes = plot.subplots(figsize=(1.6 + 0.75 * len(column_names), 1.2 + 0.42 * len(row_names)))
    known = [v for row in values for v in row if v is not None]
    log = min(known) > 0 and max(known) > 20 * min(known)
    norm = matplotlib.colors.LogNorm(min(known), max(known)) if log else None
    data = [[float("nan") if v is None else v for v in row] for row in values]
    image = axes.pcolormesh(data, cmap="viridis_r" if best[2] == "least" else "viridis", norm=norm,
                            edgecolors="white", linewidth=1)
    image.set_gid("heat")
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            label = "–" if value is None else short_number(value)
            shade = image.norm(value) if value is not None else None
            dark = shade is not None and (shade > 0.55 if best[2] == "least" else shade < 0.45)
            axes.text(x + 0.5, y + 0.5, label, ha="center", va="center", fontsize=7.5,
                      color="white" if dark else "black").set_gid(f"cell-{y}-{x}")
    axes.add_patch(plot.Rectangle((best[1], best[0]), 1, 1, fill=False, edgecolor="#d1495b", linewidth=2.5))
    axes.set_xticks([x + 0.5 for x in range(len(column_names))], column_names)
    axes.set_yticks([y + 0.5 for y in range(len(row_names))], row_names)
    axes.tick_params(length=0)
    axes.set_xlabel(column_axis)
    axes.set_ylabel(row_axis)
    axes.set_title(title)
    figure.colorbar(image, ax=axes, label=unit)
    return svg_of(figure, title)


def short_number(value):
    for limit, suffix in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            scaled = value / (1e3 if suffix == "k" else limit)
            return f"{scaled:.4g}{suffix}"
    return f"{value:.4g}"


def lines(title, axis, names, series, unit):
    """SERIES: name -> a value for each of NAMES, the values of AXIS, or None."""
    figure, axes = plot.subplots(figsize=(6, 3.4))
    places = list(range(len(names)))
    for index, (name, values) in enumerate(series.items()):
        known = [(x, y) for x, y in zip(places, values) if y is not None]
        line = axes.plot([x for x, _ in known], [y for _, y in known], "o-", label=name)[0]
        line.set_gid(f"line-{index}")
    axes.set_xticks(places, names)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(axis)
    axes.set_ylabel(unit)
    axes.set_title(title)
    if len(series) > 1:
        axes.legend(frameon=False)
    return svg_of(figure, title)
