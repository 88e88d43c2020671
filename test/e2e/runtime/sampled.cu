// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampled mode: an estimate of a long kernel's cycles, the same in every run, near those of timing mode; event
// times are made of it; short kernels are exact.
// RUN: %vxcc -O2 %S/../../../examples/matmul/matmul.cu -o %t
// RUN: env VX_MODE=timing VX_STATS=json:%t.exact.json %run %t 96
// RUN: env VX_MODE=sampled VX_SET=sample.whole=50000 VX_STATS=json:%t.json %run %t 96
// RUN: env VX_MODE=sampled VX_SET=sample.whole=50000 VX_STATS=json:%t.again.json %run %t 96
// RUN: cmp %t.json %t.again.json
// RUN: %python -c "import json, sys; e, s = [json.load(open(n)) for n in sys.argv[1:]]; print(e['cycles'], s['cycles'], s['cycles_confidence95'], s['sample_windows']); sys.exit(s['mode'] != 'sampled' or s['warp_instructions'] != e['warp_instructions'] or s['sample_windows'] < 10 or s['sample_detailed'] * 3 > s['warp_instructions'] or not 0 < s['cycles_confidence95'] < 0.15 * s['cycles'] or abs(s['cycles'] - e['cycles']) > 0.05 * e['cycles'])" %t.exact.json %t.json
// RUN: env VX_MODE=sampled VX_STATS=json:%t.short.json %run %t 32
// RUN: env VX_MODE=timing VX_STATS=json:%t.exact.json %run %t 32
// RUN: %python -c "import json, sys; e, s = [json.load(open(n)) for n in sys.argv[1:]]; sys.exit(s['sample_windows'] != 0 or s['cycles_confidence95'] != 0 or s['cycles'] != e['cycles'] or s['memory'] != e['memory'] or s['cores'] != e['cores'])" %t.exact.json %t.short.json
//
// RUN: env VX_MODE=sampled VX_SET=sample.whole=50000 VX_STATS=text %run %t 96 2>&1 | FileCheck %s
// CHECK: mode sampled cycles, event times and what timing counts are estimates from windows
// CHECK: cycles_confidence95 {{[0-9]+}} +- {{[0-9.]+}} % of cycles
// CHECK-NEXT: sample_windows
// CHECK-NEXT: sample_detailed {{[0-9]+ [0-9.]+}} % of warp_instructions
//
// RUN: env VX_MODE=sampled VX_SET=num_cores=2,sample.whole=50000 VX_CHECK=memcheck %run %t 64 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECKED: matmul
// CHECKED-NOT: memcheck{{.*}}invalid
// RUN: not env VX_MODE=sampled VX_PROFILE=%t.profile %run %t 32 2>&1 | FileCheck %s --check-prefix=PROFILE
// PROFILE: profile.output needs the timing model; set run.mode = timing
