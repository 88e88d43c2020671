# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lit.cfg.py needs in a module of its own: lit's workers import the format of the tests."""

import os
import re

import lit.formats
import lit.Test

# The options that the host compiler must be given in a build with VX_SANITIZE.
SANITIZERS = {"address": "-fsanitize=address,undefined", "thread": "-fsanitize=thread"}
# LLVM's libraries have no sanitizer: what they do to the containers and allocators of both is not seen, nor
# how their threads synchronize.
OPTIONS = {"ASAN_OPTIONS": "allow_user_poisoning=0:detect_container_overflow=0",
           "TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}


# Tests that cannot be run in builds with a sanitizer: what they say, the sanitizers, why.
LEFT_OUT = [
    (r"--target=(\w+,)*host\b|VX_BACKEND=host", ["address"],
     "The memory of the host backend is where the address sanitizer has its own"),
    (r"ulimit -v", ["address", "thread"], "Sanitizers need more addresses than the test allows"),
    (r"%mlir_runner|%plugin", ["address", "thread"], "LLVM's programs, which load our libraries, have no sanitizer"),
]


class ShellTest(lit.formats.ShTest):
    """Tests of shell commands, except those that a sanitizer makes impossible."""

    def execute(self, test, lit_config):
        sanitizer = next((name for name in SANITIZERS if f"sanitizer-{name}" in test.config.available_features), None)
        if sanitizer:
            with open(test.getSourcePath(), encoding="utf-8", errors="replace") as file:
                text = file.read()
            for pattern, sanitizers, reason in LEFT_OUT:
                if sanitizer in sanitizers and re.search(pattern, text):
                    return lit.Test.UNSUPPORTED, reason
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
