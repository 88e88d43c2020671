# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One lit configuration for all tests below this folder. Run it after a build:
#   lit-22 -v test                          everything
#   lit-22 -v test/e2e                      one folder
#   lit-22 -v test --param build=build-dev  another build folder, relative to the repository root

import os
import re
import shutil
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.join(root, lit_config.params.get("build", "build"))
llvm_bin = lit_config.params.get("llvm_bin", "/usr/lib/llvm-22/bin")

sys.path.append(os.path.join(root, "test"))
from lit_helpers import OPTIONS, ShellTest, make_compilers  # noqa: E402

config.name = "vxcc"
config.test_format = ShellTest(execute_external=False)
config.suffixes = [".ll", ".mir", ".mlir", ".s", ".S", ".cu", ".cl", ".test"] # C++ here is GoogleTest
config.excludes = ["Inputs", "unit", "CMakeLists.txt"]
config.test_source_root = os.path.join(root, "test")
config.test_exec_root = os.path.join(build, "test")

# FileCheck, not, llc and friends come from LLVM's own folder, the project's tools from the build.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), llvm_bin, os.environ.get("PATH", "")])
for name in ("HOME", "TMPDIR", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# What is compiled while a program runs is kept for the other runs of the tests, named by the compiler
# and what it compiled; not for the user's programs, nor taken from those. Nor are precompiled headers.
config.environment["CUDA_CACHE_PATH"] = os.path.join(build, "test", "code-cache")
config.environment["VXCC_HEADER_CACHE"] = os.path.join(build, "test", "header-cache")

# Programs that not every machine has.
if shutil.which("ccache"):
    config.available_features.add("ccache")
if shutil.which("gdb-multiarch"):
    config.available_features.add("gdb")
if os.path.exists(os.path.join(llvm_bin, "..", "lib", "libomp.so")):
    config.available_features.add("libomp")
if os.path.exists("/usr/include/clblast.h"):
    config.available_features.add("clblast")
# Charts of vx-report, whose interpreter is Debian's.
if os.path.isdir("/usr/lib/python3/dist-packages/matplotlib"):
    config.available_features.add("matplotlib")
# Tests of cuBLAS, where the library is built (VX_LIBRARIES).
if os.path.exists(os.path.join(build, "lib", "libcublas.so")):
    config.available_features.add("blas")
# The RTL core under Verilator (VX_RTL), in the shapes of the tests.
if all(os.path.exists(os.path.join(build, "lib", f"libvortex-rtl-{shape}.so")) for shape in ("4x8", "2x4")):
    config.available_features.add("rtl")

with open(os.path.join(build, "CMakeCache.txt")) as cache:
    settings = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read(), re.MULTILINE))
# The languages of the build besides CUDA: features language-opencl, ...
config.available_features.update("language-" + language for language in settings.get("VX_LANGUAGES", "").split(";") if language)
# Its sanitizer: features sanitizer-address or sanitizer-thread.
sanitizer = settings.get("VX_SANITIZE", "OFF")
if sanitizer != "OFF":
    config.available_features.add("sanitizer-" + sanitizer)
    for name, value in OPTIONS.items():
        config.environment.setdefault(name, value)
    compilers = os.path.join(build, "test", "compilers")
    make_compilers(compilers, sanitizer)
    config.environment["PATH"] = os.pathsep.join([compilers, config.environment["PATH"]])

# --param lower=sw: device programs run the sw variants of their kernels.
if "lower" in lit_config.params:
    config.environment["VX_LOWERING"] = lit_config.params["lower"]


def tool(name):
    return os.path.join(build, "bin", name)


vxcc = tool("vxcc")
# --param isa=paths: device programs are compiled for, and run on, devices whose warps keep paths, except
# those that say what they are for. Tests about the mask stack and other profiles say `UNSUPPORTED: paths`;
# where lanes need not be together, programs ask for the macro PATHS.
if lit_config.params.get("isa") == "paths":
    config.available_features.add("paths")
    config.environment["NVCC_PREPEND_FLAGS"] = "--vx-isa=paths -DPATHS"
    config.environment["VX_CONFIG"] = os.path.join(root, "test", "e2e", "Inputs", "paths.toml")

# --param rtl=4x8: device programs run on the RTL core of that shape, compared with the simulator.
if "rtl" in lit_config.params:
    config.available_features.add("on-rtl")
    config.environment["NVCC_PREPEND_FLAGS"] = "--vx-xlen=32"
    config.environment["VX_BACKEND"] = os.path.join(build, "lib", f"libvortex-rtl-{lit_config.params['rtl']}.so")
    config.environment["VX_RTL_LOCKSTEP"] = "1"

# The settings that make a device one without warp instructions; those whose warps keep paths have them.
no_warp_isa = "isa.warp=warp" if "paths" in config.available_features else "isa.warp=off"
run_shapes = os.path.join(root, "test", "e2e", "Inputs", "run-shapes.py")
config.substitutions += [
    (r"%vxcc\b", vxcc),
    (r"%vx_sim\b", tool("vx-sim")),
    (r"%vx_opt\b", tool("vx-opt")),
    (r"%vx_objdump\b", tool("vx-objdump")),
    # %run PROGRAM: on the default device, never longer than two minutes, but with sanitizers.
    (r"%run\b", "timeout 120" if sanitizer == "OFF" and "rtl" not in lit_config.params else "timeout 1200"),
    # %shapes [--few] PROGRAM ARGS: on devices of several shapes; see run-shapes.py.
    (r"%shapes\b", "python3 " + run_shapes),
    (r"%no_warp_isa\b", no_warp_isa),
    (r"%python\b", "python3"),
    (r"%root\b", root),
    (r"%build\b", build),
    (r"%examples\b", os.path.join(root, "examples")),
    (r"%inputs\b", os.path.join(root, "test", "e2e", "Inputs")),
]
