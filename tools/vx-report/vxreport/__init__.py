# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vx-report: statistics, profiles and sweeps as one HTML page."""
