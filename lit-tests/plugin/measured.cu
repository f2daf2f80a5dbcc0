// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Nsight Compute counted of programs that nvcc built (tools/tests/ncu), on the loops and branches that
// clang sees: unrolled loops are one, kernels without a loss are silent, whatever is estimated of them.
//
// RUN: rm -rf %t && mkdir %t && cd %t && %python %S/Inputs/ncu_pages.py %repo/tools/tests/ncu
// RUN: %divcost profile import-ncu -o loops.json loops.source.csv loops.raw.csv
// RUN: %divcost profile import-ncu -o functions.json metrics.source.csv metrics.raw.csv
// DEFINE: %{measured} = %clang %cuda -Wno-everything -Wbackend-plugin -fsyntax-only -fplugin-arg-divcost-measured
//
// RUN: %{measured}=loops.json loops.cu -fplugin-arg-divcost-report=loops.report.json > loops.txt 2>&1
// RUN: FileCheck --check-prefix=LOOPS --implicit-check-not=warning: %s < loops.txt
// LOOPS-DAG: rows.cuh:5:3: warning: loop runs a different number of iterations in each lane: 43% of the kernel's lane-slots idle (measured: SIMT efficiency 57%; the kernel takes 37.6% of the program's GPU time, in 3 launches) [divcost-imbalance]
// LOOPS-DAG: rows.cuh:14:3: warning: loop runs a different number of iterations in each lane: in the worst of 2 instances measured 51% of the kernel's lane-slots idle (measured: SIMT efficiency 49%; the kernel takes 25.8% of the program's GPU time, in 1 launch) [divcost-imbalance]
// LOOPS-DAG: loops.cu:26:{{[0-9]+}}: warning: lanes of a warp part here: 63% of the kernel's lane-slots idle (measured: SIMT efficiency 36%; the kernel takes 12.7% of the program's GPU time, in 1 launch) [divcost-branch]
// LOOPS-NOT: is estimated for
//
// RUN: %{measured}=functions.json functions.cu 2>&1 | FileCheck --check-prefix=FUNCTIONS --implicit-check-not=warning: %s
// FUNCTIONS-DAG: functions.cu:11:{{[0-9]+}}: warning: loop runs a different number {{.*}}: 79% of the kernel's lane-slots idle
// FUNCTIONS-DAG: functions.cu:6:3: warning: loop runs a different number {{.*}}: 46% of the kernel's lane-slots idle
// FUNCTIONS-DAG: functions.cu:29:{{[0-9]+}}: warning: lanes of a warp part here: 44% of the kernel's lane-slots idle
//
// What is above the threshold is said, each place once, and in the report, which is read again.
// RUN: %{measured}=loops.json loops.cu -fplugin-arg-divcost-threshold=0.6 2>&1 | FileCheck --check-prefix=SOME --implicit-check-not=warning: %s
// SOME: loops.cu:26:{{[0-9]+}}: warning: lanes of a warp part here
// RUN: %{measured}=loops.json loops.cu -fplugin-arg-divcost-threshold=0.005 2>&1 | FileCheck --check-prefix=ALL %s
// ALL-DAG: loops.cu:45:{{[0-9]+}}: warning: lanes of a warp part here: 1% of the kernel's lane-slots idle
// ALL-DAG: loops.cu:28:{{[0-9]+}}: warning: 1% of the lane-slots of kernel 'branchy({{.*}})' idle by what is in this line
// RUN: %divcost report loops.report.json | FileCheck --check-prefix=REPORT %s
// REPORT: - 57% {{.*}} spmv, measured
// REPORT-NEXT: - 49% {{.*}} chains<1000>, measured
// REPORT-NEXT: - 36% {{.*}} branchy, measured
// REPORT: measured{{ +}}efficiency 57.0%, 37.6% of the program's time, 3 launches;
// RUN: %divcost report --json loops.report.json > once.json && %divcost report --json once.json > twice.json && diff once.json twice.json
// RUN: grep -c '"time_share": 0.37' twice.json
//
// What accesses take, where that was counted: no other line is said to take too much. What warps wait for is in
// the report.
// RUN: %divcost profile import-ncu -o waits.json waits.source.csv waits.raw.csv
// RUN: %{measured}=waits.json waits.cu -fplugin-arg-divcost-report=waits.report.json 2>&1 | FileCheck --check-prefix=TRAFFIC %s
// TRAFFIC: waits.cu:52:12: warning: each load of a warp from 'in' touches 32 sectors of 32 bytes where 4 would do: 87% of the kernel's global sectors aren't needed (measured; the kernel takes 4.29% of the program's GPU time, in 1 launch) [divcost-coalescing]
// TRAFFIC: waits.cu:65:28: warning: each load of a warp from 'tile' takes 32 passes over the banks of shared memory where 1 would do: 94% of the kernel's passes over shared memory aren't needed (measured; the kernel takes 0.443% of the program's GPU time, in 1 launch) [divcost-bank-conflict]
// TRAFFIC: waits.cu:71:17: warning: each access of a warp to global memory in this line touches 8.67 sectors of 32 bytes where 4 would do: 54% of the kernel's global sectors aren't needed (measured; the kernel takes 0.845% of the program's GPU time, in 2 launches) [divcost-coalescing]
// RUN: %divcost report waits.report.json | FileCheck --check-prefix=WAITS %s
// WAITS: waits{{ +}}2.3% of 521 samples of its warps issue; 90.2% wait for what they
// RUN: %divcost report --json waits.report.json > once.json && %divcost report --json once.json > twice.json && diff once.json twice.json
//
// What a library's function takes is the line's that calls it.
// RUN: %python %S/Inputs/library_line.py waits.source.csv _Z7columnsPKfPfii 52 > library.source.csv
// RUN: %divcost profile import-ncu -o library.json library.source.csv waits.raw.csv
// RUN: %divcost profile show library.json | FileCheck --check-prefix=SHOWN %s
// SHOWN: 87.5%  /usr/include/intrinsics.hpp:123: return *pointer;
// RUN: %{measured}=library.json waits.cu 2>&1 | FileCheck --check-prefix=LIBRARY %s
// LIBRARY: waits.cu:52:12: warning: each load of a warp from 'in' touches 32 sectors of 32 bytes where 4 would do: 87% of the kernel's global sectors aren't needed (measured;
//
// Counted as harmless, and not counted: all, or one kind of memory.
// RUN: sed 's/"taken": [0-9.]*/"taken": 1.0/; s/"ideal": [0-9.]*/"ideal": 1.0/' waits.json > harmless.json
// RUN: %{measured}=harmless.json waits.cu -fplugin-arg-divcost-block=32x8 2>&1 | FileCheck --check-prefix=HARMLESS --implicit-check-not=coalescing --implicit-check-not=bank-conflict %s
// HARMLESS: waits.cu:33:9: warning: lanes of a warp part here
// RUN: sed 's/"L1 Wavefronts Shared Ideal"/"x"/' waits.source.csv > global.source.csv
// RUN: sed 's/"memory_l1_wavefronts_shared_ideal"/"x"/' waits.raw.csv > global.raw.csv
// RUN: %divcost profile import-ncu -o global.json global.source.csv global.raw.csv
// RUN: %{measured}=global.json waits.cu -fplugin-arg-divcost-block=32x8 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: waits.cu:52:12: warning: each load of a warp from 'in' touches 32 sectors{{.*}} (measured;
// UNKNOWN: waits.cu:65:{{[0-9]+}}: warning: each load of a warp from 'tile' takes 32 passes over the banks of shared memory where 1 would do: neighbouring threads are 128 bytes apart
//
// Blanks, comments and other lines don't matter, so that findings can be silenced and trip counts said; a line at
// which lanes leave does, although a copy of it stands in a function that the kernel doesn't call. Then the kernel
// goes by what is estimated.
// RUN: sed 's/int k = offsets\[row\];/int  k = offsets[row] ;/; s/return/  return/' rows.cuh > r && mv r rows.cuh
// RUN: %{measured}=loops.json loops.cu 2>&1 | FileCheck --check-prefix=BLANKS %s
// BLANKS: rows.cuh:5:3: warning: loop runs a different number of iterations in each lane: 43% of
// RUN: sed '14s/$/ \/\/ NOLINT(divcost-imbalance)/; 4s/^/  \/\/ one\n  \/* two *\/\n/' rows.cuh > r && mv r rows.cuh
// RUN: %{measured}=loops.json loops.cu 2>&1 | FileCheck --check-prefix=MOVED --implicit-check-not=rows.cuh:16 --implicit-check-not=stale %s
// MOVED: rows.cuh:7:3: warning: loop runs a different number of iterations in each lane: 43% of
// RUN: sed -n '3,/^}/s/row_sum/of_others/; 3,/^}/p' rows.cuh > copy && sed 's/offsets\[row\] ;/offsets[row + 0];/; 2r copy' rows.cuh > r && mv r rows.cuh
// RUN: %{measured}=loops.json loops.cu 2>&1 | FileCheck --check-prefix=STALE %s
// STALE: warning: divcost: measurements 'loops.json' are stale for kernel 'spmv({{.*}})': line 5 of '/src/rows.cuh' has changed since, comments aside; me
// STALE: rows.cuh:15:3: warning: loop may run a different number of iterations in each lane, by data
//
// RUN: echo '{"divcost-measured": 2}' > wrong.json
// RUN: not %{measured}=wrong.json loops.cu 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: error: divcost: measurements 'wrong.json': divcost-measured: is 2, must be in 1 .. 1
// RUN: not %{measured}=none.json loops.cu 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: divcost: measurements 'none.json': cannot read: No such file or directory
// RUN: not %{measured}=loops.source.csv loops.cu 2>&1 | FileCheck --check-prefix=CSV %s
// CSV: error: divcost: measurements 'loops.source.csv':
