# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grading of CUDA programs: the tests, limited runs of programs, what is made of them, and reports."""
