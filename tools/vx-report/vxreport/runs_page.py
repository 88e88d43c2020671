# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page that compares runs."""

from vxreport import charts, html
from vxreport.inputs import STALLS, core_sum

PROFILE_LINES = 40  # of a kernel


def ratio(value, base):
    """VALUE / BASE, if there is a base."""
    return value / base if value is not None and base else None


def kernel_label(kernel):
    return kernel["name"] or "(no name)"


def counters(stats):
    """All numbers of statistics, those of cores added up, by name."""
    flat = {key: value for key, value in stats.items()
            if isinstance(value, (int, float)) and key != "launches"}
    for key in stats["cores"][0] if stats["cores"] else []:
        if key not in flat:
            flat[key] = core_sum(stats, key)
    flat.update(stats.get("memory", {}))
    return flat


def parts_of(stats):
    """The parts of the cores' cycles, by cause; None: they were not counted."""
    cycles = core_sum(stats, "cycles")
    stalls = {cause: core_sum(stats, "stall_" + cause) for cause in STALLS}
    if not cycles or "memory" not in stats:
        return None
    counted = {"issue": max(cycles - sum(stalls.values()), 0), **stalls}
    whole = max(sum(counted.values()), 1)
    return {cause: value / whole for cause, value in counted.items()}


def summary(runs):
    base = runs[0].total["cycles"]
    rows = []
    for run in runs:
        total = run.total
        lowerings = ", ".join(sorted({kernel.get("lowering", "") for kernel in run.kernels} - {""}))
        rows.append([run.name, total.get("mode", ""), lowerings or "–", total["cycles"],
                     ratio(base, total["cycles"]), total.get("warp_instructions"),
                     total["thread_instructions"], total.get("ipc"), total.get("thread_ipc"),
                     total.get("lane_occupancy"), total.get("memory", {}).get("dram_bytes")])
    head = ["run", "mode", "lowering", "cycles", "speed-up", "warp instructions", "thread instructions",
            "IPC", "thread IPC", "lanes in use", "DRAM bytes"]
    body = html.table("summary", head, rows)
    if len({run.total.get("mode") for run in runs}) > 1:
        body += "<p>Cycles of functional mode count instructions: they do not compare with others.</p>\n"
    return body


def machines(runs):
    """What differs between the machines."""
    known = [run for run in runs if run.total.get("machine")]
    if not known:
        return "<p>The statistics do not say what machines they are of.</p>\n"
    keys = list(dict.fromkeys(key for run in known for key in run.total["machine"]))
    rows = [[key] + [str(run.total.get("machine", {}).get(key, "–")) for run in runs] for key in keys]
    differing = [row for row in rows if len(set(row[1:])) > 1]
    main = [row for row in rows if row[0] in ("num_cores", "core.num_warps", "core.num_threads")
            and row not in differing]
    head = ["knob"] + [run.name for run in runs]
    body = html.table("machines", head, main + differing)
    if len(runs) > 1 and not differing:
        body += "<p>All other knobs have the same values, too.</p>\n"
    return body + html.folded("All knobs", html.table("knobs", head, rows))


def kernel_names(runs):
    return list(dict.fromkeys(kernel_label(k) for run in runs for k in run.kernels))


def entries(runs):
    """(kernel's name, run, its statistics, what tells it from others of the run) for all kernels of all runs,
    those of one name together: a run has an entry for each way in which it has run a kernel."""
    for name in kernel_names(runs):
        for run in runs:
            found = [kernel for kernel in run.kernels if kernel_label(kernel) == name]
            for kernel in found:
                yield name, run, kernel, f"{run.name}, {kernel['lowering']}" if len(found) > 1 else run.name


def cycles_of(run, name):
    found = [k["cycles"] for k in run.kernels if kernel_label(k) == name]
    return sum(found) if found else None


def kernels(runs):
    names = kernel_names(runs)
    if not names:
        return "<p>No kernels were run.</p>\n"
    series = {run.name: [cycles_of(run, name) for name in names] for run in runs}
    body = html.figure(charts.grouped_bars("Cycles of each kernel", names, series, "cycles"),
                       "All launches of a kernel together; a run in which it is missing has no bar.")
    rows, seen = [], set()
    for name, run, kernel, _ in entries(runs):
        # The speed-up is that of all launches: it stands once.
        faster = ratio(cycles_of(runs[0], name), cycles_of(run, name))
        rows.append([name, run.name, kernel.get("lowering", "–"), kernel.get("launches"), kernel["cycles"],
                     None if (name, run.name) in seen else faster, kernel.get("ipc"),
                     kernel.get("thread_ipc"), kernel.get("lane_occupancy")])
        seen.add((name, run.name))
    head = ["kernel", "run", "lowering", "launches", "cycles", "speed-up", "IPC", "thread IPC",
            "lanes in use"]
    return body + html.table("kernels", head, rows)


def where_cycles_go(runs):
    rows = [(f"{charts.short(name)}, {label}", parts_of(kernel)) for name, _, kernel, label in entries(runs)
            if parts_of(kernel)]
    if not rows:
        rows = [(run.name, parts_of(run.total)) for run in runs if parts_of(run.total)]
    if not rows:
        return "<p>Functional mode does not count where cycles go; VX_MODE=timing does.</p>\n"
    table = html.table("causes", ["kernel, run"] + list(rows[0][1]),
                       [[name] + [f"{100 * part:.1f} %" for part in parts.values()] for name, parts in rows])
    return html.figure(charts.stacked_bars("Where the cores' cycles go", rows),
                       "A cycle either issues or has one cause: what the instruction that could not be issued "
                       "waited for.") + table


TRAFFIC = {"DRAM": ("dram_bytes", lambda memory, _: memory.get("dram_bytes", 0)),
           "D$": ("dcache_bytes", lambda memory, machine: memory.get("coalescer_lines", 0) * line(machine))}


def line(machine):
    """The bytes that lanes may share in a request."""
    lanes = machine.get("lsu.lanes") or machine.get("core.num_threads", 0)
    return machine.get("coalescer.line_size") or min(64, 8 * lanes)


def roofline(runs):
    body = ""
    for level, (peak_key, bytes_of) in TRAFFIC.items():
        roofs, points, rows = {}, [], []
        for name, run, kernel, label in entries(runs):
            peak, machine = run.total.get("peak"), run.total.get("machine", {})
            if not peak or "memory" not in kernel:
                continue
            moved = bytes_of(kernel["memory"], machine)
            if not moved or not kernel["cycles"] or not kernel["thread_instructions"]:
                continue
            roof = (peak["thread_instructions"], peak[peak_key])
            roofs.setdefault(roof, []).append(run.name)
            intensity = kernel["thread_instructions"] / moved
            speed = kernel["thread_instructions"] / kernel["cycles"]
            most = min(roof[0], intensity * roof[1])
            points.append((label, name, intensity, speed))
            rows.append([name, label, moved, intensity, speed, most, f"{100 * speed / most:.1f} %",
                         "issue" if roof[0] <= intensity * roof[1] else level])
        if not points:
            continue
        named = [(", ".join(dict.fromkeys(names)), *roof) for roof, names in roofs.items()]
        body += html.figure(
            charts.roofline(f"Roofline, {level}", named, points, f"{level} traffic"),
            "The roof is what the machine can do at most: on the left its bytes a cycle, on the right its "
            "lanes' instructions. How far a kernel is below it, is what latency and dependences cost.")
        body += html.table("roofline-" + ("dram" if level == "DRAM" else "dcache"),
                           ["kernel", "run", "bytes", "instructions for a byte", "instructions a cycle",
                            "at most", "of that", "limited by"], rows)
    return body or ("<p>Rooflines need statistics of timing mode that name the machine.</p>\n")


def all_counters(runs):
    flat = [counters(run.total) for run in runs]
    keys = [key for key in dict.fromkeys(k for one in flat for k in one) if any(one.get(key) for one in flat)]
    rows = [[key] + [one.get(key) for one in flat] + [ratio(one.get(key), flat[0].get(key))
                                                        for one in flat[1:]] for key in keys]
    head = ["counter"] + [run.name for run in runs] + [f"{run.name} / {runs[0].name}" for run in runs[1:]]
    return html.table("counters", head, rows)


def profiles(runs):
    """Source lines side by side."""
    with_profile = [run for run in runs if run.profile]
    body = ""
    names = list(dict.fromkeys(k["name"] for run in with_profile for k in run.profile))
    for number, name in enumerate(names):
        lines, texts = {}, {}
        for index, run in enumerate(with_profile):
            for kernel in run.profile:
                if kernel["name"] != name:
                    continue
                for one in kernel["lines"]:
                    lines.setdefault(one["place"], [None] * len(with_profile))[index] = one
                    texts[one["place"]] = one["source"].strip()
        order = sorted(lines, key=lambda place: -max(one["cycles"] for one in lines[place] if one))
        rows = []
        for place in order[:PROFILE_LINES]:
            row = [place]
            for one in lines[place]:
                stalls = one["stalls"] if one else {}
                cause = max(stalls, key=stalls.get, default="")
                row += [one["cycles"] if one else None,
                        cause if stalls.get(cause) else ("issue" if one else "–")]
            rows.append(row + [texts[place]])
        head = ["line"]
        for run in with_profile:
            head += [run.name + ": core cycles", "waits most for"]
        body += f"<h3>{html.text(name or 'run')}</h3>\n"
        body += html.table(f"profile-{number}", head + ["source"], rows)
        if len(order) > PROFILE_LINES:
            body += f"<p>and {len(order) - PROFILE_LINES} more lines</p>\n"
    return body


def page(runs, title):
    sections = [("Runs", summary(runs)), ("Machines", machines(runs)), ("Kernels", kernels(runs)),
                ("Where the cycles go", where_cycles_go(runs)), ("Rooflines", roofline(runs))]
    if any(run.profile for run in runs):
        sections.append(("Source lines", profiles(runs)))
    sections.append(("Counters", all_counters(runs)))
    body = "".join(f"<h2>{html.text(name)}</h2>\n{text}" for name, text in sections)
    return html.page(title or "Runs: " + ", ".join(run.name for run in runs), body)
