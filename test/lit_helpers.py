# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lit.cfg.py needs in a module of its own: lit's workers import the format of the tests."""

import os
import re

import lit.formats
import lit.Test

# What the host compiler must be told in a build with VX_SANITIZE.
SANITIZERS = {"address": "-fsanitize=address,undefined", "thread": "-fsanitize=thread"}
# Sanitizers of stock LLVM's and our objects in one process: allocators and containers that both use are
# known to be poisoned only by what was compiled with the sanitizer.
ADDRESS_OPTIONS = "allow_user_poisoning=0:detect_container_overflow=0"


class ShellTest(lit.formats.ShTest):
    """Tests of shell commands. The memory of the host backend is where the address sanitizer has its own, so
    tests that use it are left out in builds with that."""

    def execute(self, test, lit_config):
        if "sanitizer-address" in test.config.available_features:
            with open(test.getSourcePath(), encoding="utf-8", errors="replace") as file:
                if re.search(r"--target=(\w+,)*host\b|VX_BACKEND=host", file.read()):
                    return lit.Test.UNSUPPORTED, "The host backend cannot be used with the address sanitizer"
        return super().execute(test, lit_config)


def make_compilers(directory, sanitizer):
    """Host compilers for a build with VX_SANITIZE, in DIRECTORY: a program that loads a library of it needs
    the sanitizer in the executable."""
    os.makedirs(directory, exist_ok=True)
    for name in ("c++", "g++", "clang++"):
        path = os.path.join(directory, name)
        with open(path, "w") as file:
            file.write(f'#!/bin/sh\nexec clang++-22 {SANITIZERS[sanitizer]} "$@"\n')
        os.chmod(path, 0o755)


def ignore_leaks(config):
    """For tests with programs that keep objects until they end: those are not the library's leaks."""
    options = config.environment.get("ASAN_OPTIONS", "")
    config.environment["ASAN_OPTIONS"] = ":".join(filter(None, [options, "detect_leaks=0"]))
