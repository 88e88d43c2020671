// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports of what a program has cost: per kernel and in total, in each format; which mode gives them.
// RUN: %vxcc %s -o %t
// RUN: env VX_HW_MAPPING=hw VX_MODE=functional VX_STATS=text %run %t 2>&1 | FileCheck %s --check-prefix=FUNCTIONAL
// RUN: env VX_HW_MAPPING=hw VX_STATS=text %run %t 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: env VX_STATS=csv:%t.csv %run %t
// RUN: %python -c "import csv, sys; r = list(csv.DictReader(open(sys.argv[1]))); c = [int(x['cycles']) for x in r]; sys.exit([x['kernel'] for x in r] != ['scale(int*)', 'fill(int*, int)', 'total'] or [x['launches'] for x in r] != ['2', '1', '3'] or c[0] + c[1] != c[2] or {x['mode'] for x in r} != {'timing'} or min(c) == 0)" %t.csv
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane VX_STATS=text %run %t 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: env VX_LOWERING=sw VX_STATS=text %run %t 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: env VX_STATS=json:%t.json %run %t
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])); sys.exit(sum(k['cycles'] for k in d['kernels']) != d['cycles'] or d['memory']['dram_reads'] == 0 or d['mode'] != 'timing')" %t.json
// A report that cannot be written is said, and the program does not succeed.
// RUN: env VX_STATS=text:/dev/full not %run %t 2>&1 | FileCheck %s --check-prefix=FULL -DNAME=VX_STATS
// RUN: env VX_STATS=csv:%t.none/a not %run %t 2>&1 | FileCheck %s --check-prefix=FULL -DNAME=VX_STATS
// RUN: env VX_LAUNCHES=/dev/full not %run %t 2>&1 | FileCheck %s --check-prefix=FULL -DNAME=VX_LAUNCHES
// RUN: env VX_TRACE=konata:/dev/full not %run %t 2>&1 | FileCheck %s --check-prefix=FULL -DNAME=cannot
// RUN: env VX_CHECK=memcheck VX_SET=check.log=/dev/full not %run %t 2>&1 | FileCheck %s --check-prefix=FULL -DNAME=check.log
// RUN: sh -c 'VX_STATS=text %t 2> /dev/full; test $? = 1'
// RUN: env VX_LAUNCHES=%t.launches VX_STATS=csv:%t.csv %run %t && test -s %t.launches
// Names of variables that mean nothing are said.
// RUN: env VX_STAT=text VX_SW_MAPING=x VX_QQ=1 VX_JOBS=2 %run %t 2>&1 | FileCheck %s --check-prefix=NAMES --implicit-check-not=VX_
// RUN: not env VX_STATS=xml %run %t 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not env VX_MODE=fast %run %t 2>&1 | FileCheck %s --check-prefix=MODE
//
// FUNCTIONAL: kernel {{.*}}scale(int*), 2 launches (hw)
// FUNCTIONAL: ipc 1.0000
// FUNCTIONAL: kernel {{.*}}fill(int*, int), 1 launch
// FUNCTIONAL: total
// FUNCTIONAL-NOT: dram_reads
// TIMING: kernel {{.*}}scale(int*), 2 launches (hw)
// TIMING: dram_reads
// TIMING: total
// TIMING: core0.stall_fetch
// BLOCK: kernel {{.*}}scale(int*), 2 launches (sw, block-per-lane)
// WARP: kernel {{.*}}scale(int*), 2 launches (sw, thread-per-lane)
// FULL: vxrt: {{.*}}[[NAME]]
// FULL-NOT: [[NAME]]
// NAMES: environment variables without a meaning:
// NAMES-DAG: VX_STAT (VX_STATS?)
// NAMES-DAG: VX_SW_MAPING (VX_SW_MAPPING?)
// NAMES-DAG: VX_QQ
// FORMAT: it is text, json or csv
// MODE: VX_MODE=fast: it is functional, timing or sampled

#include <cstdio>

__global__ void scale(int *data) {
  data[threadIdx.x] *= 3;
}
__global__ void fill(int *data, int value) {
  data[threadIdx.x] = value;
}

int main() {
  int *data, host[64] = {};
  if (cudaMalloc(&data, sizeof host) != cudaSuccess)
    return 1;
  cudaMemset(data, 0, sizeof host);
  scale<<<1, 64>>>(data);
  fill<<<1, 64>>>(data, 5);
  scale<<<1, 64>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  for (int value : host)
    if (value != 15)
      return 1;
  std::puts("PASS");
  return 0;
}
