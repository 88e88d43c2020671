#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds Vortex's simulator SimX and its driver from a checkout, as its Makefiles do, for machines:
#
#   test/campaigns/build-simx.sh VORTEX OUT [--mended] [--xlen=64] WARPSxLANES[xCORES][-l2][-l3]...
#
# OUT/MACHINE (or OUT/mended-MACHINE) is then a folder for LD_LIBRARY_PATH: libvortex-simx.so,
# libsimx.so and libvortex.so. -l2 and -l3 switch these caches on. --mended puts right LinkedList::push_back, which inserts before the last
# element (docs/simx.md), in a copy. VORTEX is not changed, but for what is built in third_party: the
# submodules softfloat and ramulator have to be there; of ramulator the parts that SimX uses are built, with
# Debian's libraries (libspdlog-dev, libyaml-cpp-dev, libfmt-dev).
set -euo pipefail
[ $# -ge 3 ] || { sed -n '3,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
vortex=$(realpath "$1") out=$(realpath -m "$2") mended= xlen=64 machines=()
shift 2
for word; do
  case $word in
    --mended) mended=mended- ;;
    --xlen=*) xlen=${word#--xlen=} ;;
    *)
      [[ $word =~ ^[0-9]+x[0-9]+(x[0-9]+)?(-l2)?(-l3)?$ ]] ||
        { echo "build-simx.sh: '$word' is not a machine, such as 4x8 or 4x8x4-l2" >&2; exit 2; }
      machines+=("$word") ;;
  esac
done
jobs=-j${JOBS:-$(nproc)}
party=$vortex/third_party
softfloat=$party/softfloat/build/Linux-x86_64-GCC
for folder in "$party/softfloat/build" "$party/ramulator/src"; do
  [ -d "$folder" ] || { echo "build-simx.sh: there is no $folder (a submodule of Vortex)" >&2; exit 2; }
done
mkdir -p "$out"

if [ ! -f "$softfloat/softfloat.a" ]; then
  SPECIALIZE_TYPE=RISCV SOFTFLOAT_OPTS="-fPIC -DSOFTFLOAT_ROUND_ODD -DINLINE_LEVEL=5 \
    -DSOFTFLOAT_FAST_DIV32TO16 -DSOFTFLOAT_FAST_DIV64TO32" make "$jobs" -s -C "$softfloat"
fi
if [ ! -f "$party/ramulator/libramulator.so" ]; then
  cat > "$out/ramulator.mk" <<'END'
SRC := $(wildcard src/base/*.cpp) $(addprefix src/, \
  frontend/impl/external_wrapper/gem5_frontend.cpp memory_system/impl/generic_DRAM_system.cpp \
  addr_mapper/impl/linear_mappers.cpp dram/impl/HBM2.cpp translation/impl/no_translation.cpp \
  dram_controller/impl/generic_dram_controller.cpp dram_controller/impl/scheduler/generic_scheduler.cpp \
  dram_controller/impl/refresh/all_bank_refresh.cpp dram_controller/impl/rowpolicy/basic_rowpolicies.cpp \
  dram_controller/impl/plugin/trace_recorder.cpp)
libramulator.so: $(SRC:%.cpp=$(OBJ)/%.o)
	g++ -shared -o $@ $^ -lyaml-cpp -lspdlog -lfmt
$(OBJ)/%.o: %.cpp
	@mkdir -p $(@D)
	g++ -std=c++20 -O2 -DNDEBUG -fPIC -Isrc -DSPDLOG_FMT_EXTERNAL -c $< -o $@
END
  make "$jobs" -C "$party/ramulator" -f "$out/ramulator.mk" OBJ="$out/ramulator"
fi

source=$vortex
if [ -n "$mended" ]; then
  source=$out/mended-source
  if [ ! -d "$source" ]; then
    mkdir "$source"
    (cd "$vortex" && tar c --exclude=./third_party --exclude=./.git .) | tar x -C "$source"
    ln -s "$party" "$source/third_party"
  fi
  list=$source/sim/common/linked_list.h
  sed -i 's/insert(iterator(tail_), /insert(iterator(nullptr), /' "$list"
  cmp -s "$list" "$vortex/sim/common/linked_list.h" &&
    { echo "build-simx.sh: $list does not have the line to mend" >&2; exit 1; }
fi

for machine in "${machines[@]}"; do
  folder=$out/$mended$machine
  IFS=x read -r warps lanes cores <<< "${machine%%-*}"
  caches=
  [[ $machine == *-l2* ]] && caches+=" -DL2_ENABLE"
  [[ $machine == *-l3* ]] && caches+=" -DL3_ENABLE"
  mkdir -p "$folder/build"
  (
    cd "$folder/build"
    "$source/configure" --xlen="$xlen" --osversion=ubuntu/focal --tooldir=/opt > configure.log
    make -s -C hw config
    export CONFIGS="-DNUM_WARPS=$warps -DNUM_THREADS=$lanes -DNUM_CORES=${cores:-1}$caches -DSPDLOG_FMT_EXTERNAL"
    # Two makes: that of the library in make that of the driver builds for this folder, too.
    DESTDIR=$folder make "$jobs" -s -C sim/simx "$folder/libsimx.so"
    DESTDIR=$folder make -s -C runtime/simx
    DESTDIR=$folder make -s -C runtime/stub
  )
  echo "$folder"
done
