# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of examples/, sized for a simulator that runs a minute at most, with several blocks and launches."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "examples")
# Arguments; without: the example's own.
ARGUMENTS = {
    "aggregated_atomics": ["3000", "64"],
    "bfs": ["600", "3"],
    "bitonic_sort": ["1001", "32"],
    "histogram": ["12000", "100"],
    "mandelbrot": ["40", "30", "40"],
    "match_histogram": ["1001", "64", "7"],
    "matmul": ["32", "64"],
    "matrix-multiply": ["33", "29", "37"],
    "mse_forward": ["3000", "64", "2"],
    "nbody": ["50", "2"],
    "reduce": ["3000", "64", "3"],
    "reduce_tile": ["3000", "64", "32", "3"],
    "scan": ["1000", "64"],
    "shuffle": ["512", "64", "5"],
    "stencil3d": ["19", "17", "9", "2"],
    "transpose": ["61", "90"],
    "vector-add": ["10007"],
    "vote": ["512", "64", "9"],
}
WARP = ["aggregated_atomics", "bitonic_sort", "match_histogram", "mse_forward", "reduce", "reduce_tile",
        "scan", "shuffle", "vote"]
# Lowering, warps x lanes, program.
RUNS = [("sw", "4x8", name) for name in ARGUMENTS] + [("hw", "4x32", name) for name in WARP]


def source(name):
    """The path of the program NAME."""
    return os.path.join(EXAMPLES, name, name + ".cu")
