# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a sweep: tables, a heat map or lines, the best point, the configuration of each."""

from vxreport import charts, html
from vxreport.inputs import InputError, nearest, number


class View:
    """A sweep, and what is shown of it."""

    def __init__(self, sweep, options):
        self.sweep, self.value, self.best = sweep, options.value, options.best
        measured = sweep.columns[3 + len(sweep.axes) + 1:]
        if self.value not in measured:
            raise InputError(f"{sweep.name}: there is no column '{self.value}'" + nearest(self.value, measured))
        if all(number(row[self.value]) is None for row in self.good_rows()) and self.good_rows():
            raise InputError(f"{sweep.name}: column '{self.value}' has no numbers")
        self.varying = [axis for axis, values in sweep.axes.items() if len(values) > 1]
        self.shown = options.axes.split(",") if options.axes else self.varying[:2]
        for axis in self.shown:
            if axis not in sweep.axes:
                raise InputError(f"{sweep.name}: there is no axis '{axis}'" + nearest(axis, sweep.axes))
        if len(self.shown) > 2 or len(set(self.shown)) != len(self.shown):
            raise InputError("--axes takes one axis, or two different ones")

    def good_rows(self):
        return [row for row in self.sweep.rows if row["status"] == "ok"]

    def programs(self):
        """(title, rows) for each program and its arguments; rows that failed are left out."""
        found = {}
        for row in self.good_rows():
            if number(row[self.value]) is not None:
                found.setdefault(f"{row['program']} {row['arguments']}".strip(), []).append(row)
        return list(found.items())

    def better(self, rows):
        """The best of ROWS."""
        pick = min if self.best == "least" else max
        return pick(rows, key=lambda row: number(row[self.value]))

    def best_where(self, rows, **settings):
        """The best value of the ROWS with these SETTINGS, or None."""
        fitting = [row for row in rows if all(row[axis] == value for axis, value in settings.items())]
        return number(self.better(fitting)[self.value]) if fitting else None


def best_points(view):
    axes = list(view.sweep.axes)
    rows = []
    for title, good in view.programs():
        best = view.better(good)
        values = sorted(number(row[view.value]) for row in good)
        worst = values[-1] if view.best == "least" else values[0]
        rows.append([title] + [best[axis] for axis in axes] +
                    [number(best[view.value]), values[len(values) // 2], worst])
    head = ["program"] + axes + [view.value, "median of all", "worst of all"]
    return html.table("best", head, rows)


def rest(view):
    """The axes that vary and are not shown, in words."""
    others = [axis for axis in view.varying if axis not in view.shown]
    return f" Each value is the best over {', '.join(others)}." if others else ""


def heat_map(view, title, good):
    row_axis, column_axis = view.shown
    rows, columns = view.sweep.axes[row_axis], view.sweep.axes[column_axis]
    values = [[view.best_where(good, **{row_axis: r, column_axis: c}) for c in columns] for r in rows]
    best = view.better(good)
    place = (rows.index(best[row_axis]), columns.index(best[column_axis]), view.best)
    return html.figure(charts.heat_map(title, (row_axis, rows), (column_axis, columns), values, view.value,
                                       place),
                       f"{view.value}; the frame is the best point." + rest(view))


def axis_lines(view, axis, caption):
    names = view.sweep.axes[axis]
    series = {title: [view.best_where(good, **{axis: name}) for name in names]
              for title, good in view.programs()}
    return html.figure(charts.lines(f"{view.value} by {axis}", axis, names, series, view.value), caption)


def shown_charts(view):
    body = ""
    if len(view.shown) == 2:
        for title, good in view.programs():
            body += heat_map(view, title, good)
    elif len(view.shown) == 1:
        body += axis_lines(view, view.shown[0], rest(view).strip() or f"{view.value} of each run.")
    else:
        body += "<p>No axis has more than one value.</p>\n"
    for axis in view.varying:
        if axis not in view.shown:
            body += axis_lines(view, axis, "Each point is the best over all other axes.")
    return body


def all_runs(view):
    axes = list(view.sweep.axes)
    more = [c for c in (view.value, "cycles", "ipc", "thread_instructions", "dram_bytes", "seconds")
            if c in view.sweep.columns]
    more = list(dict.fromkeys(more))
    best = {id(view.better(good)) for _, good in view.programs()}
    rows, classes = [], []
    for row in view.sweep.rows:
        fine = row["status"] == "ok"
        rows.append([row["program"], row["arguments"]] + [row[axis] for axis in axes] +
                    [number(row[c]) if fine else None for c in more] + [row["status"]])
        classes.append("best" if id(row) in best else "" if fine else "failed")
    head = ["program", "arguments"] + axes + more + ["status"]
    return html.table("runs", head, rows, classes)


def page(sweep, options):
    view = View(sweep, options)
    failed = len(sweep.rows) - len(view.good_rows())
    body = f"<p>{len(sweep.rows)} runs, {failed} of them failed.</p>\n"
    if view.programs():
        body += f"<h2>The best points ({view.best} {html.text(view.value)})</h2>\n" + best_points(view)
        body += "<h2>All points</h2>\n" + shown_charts(view)
    body += "<h2>Runs</h2>\n" + all_runs(view)
    return html.page(options.title or "Sweep " + sweep.name, body)
