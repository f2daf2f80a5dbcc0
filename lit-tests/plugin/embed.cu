// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report inside the host's object, by every way to an object; but for it, the object is what it is
// without the plugin. Scripts stand in for ptxas and fatbinary.
//
// DEFINE: %{clang} = %toolkit %plain-clang %cuda-any -w --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90
// DEFINE: %{embed} = -fplugin=%plugin -fplugin-arg-divcost-embed
// DEFINE: %{way} =
// DEFINE: %{compare} = %{clang} %{way} -c %s -o unit.o && cp unit.o plain.o \
// DEFINE:   && %{clang} %{way} -c %s -o unit.o %{embed} -fplugin-arg-divcost-report=file.json && not cmp plain.o unit.o \
// DEFINE:   && llvm-objcopy --remove-section=.divcost unit.o unit.stripped && llvm-objcopy plain.o plain.stripped \
// DEFINE:   && cmp plain.stripped unit.stripped \
// DEFINE:   && %divcost report --json unit.o > unit.json && %divcost report --json file.json | diff - unit.json
//
// RUN: rm -rf %t && mkdir %t && cd %t
// REDEFINE: %{way} = -O2
// RUN: %{compare}
// RUN: %python -c "import json; unit = json.load(open('unit.json')); \
// RUN:   print(unit['archs'], len(unit['kernels']), len(unit['kernels'][0]['estimates']))" \
// RUN:   | FileCheck --check-prefix=ALL %s
// ALL: ['sm_80', 'sm_90'] 1 2
// RUN: llvm-readelf -SW unit.o | FileCheck --check-prefix=SECTION %s
// The flag E, alone: not loaded, and left out of programs.
// SECTION: ] .divcost PROGBITS 0000000000000000 {{[0-9a-f]+ [0-9a-f]+ 00 +E +0 +0 +1$}}
//
// REDEFINE: %{way} = -O0
// RUN: %{compare}
// REDEFINE: %{way} = -O1 -g
// RUN: %{compare}
// REDEFINE: %{way} = -O2 -fgpu-rdc -cuid=same
// RUN: %{compare}
// REDEFINE: %{way} = -O3 --offload-new-driver
// RUN: %{compare}
// REDEFINE: %{way} = -O2 -fno-integrated-as
// RUN: %{compare}
// REDEFINE: %{way} = -O2 -save-temps
// RUN: %{compare}
//
// Objects that are linked into one have the reports of both; so has a library.
// RUN: %{clang} -c %s -o unit.o %{embed}
// RUN: sed s/kernel/other/g %s > other.cu && %{clang} -c other.cu -o other.o %{embed}
// RUN: ld -r unit.o other.o -o both.o && %divcost report both.o | FileCheck --check-prefix=BOTH %s
// RUN: echo 'int none;' | %plain-clang -x c++ -c - -o none.o
// RUN: llvm-ar rcs library.a unit.o none.o other.o
// RUN: %divcost report library.a | FileCheck --check-prefix=BOTH %s
// BOTH-DAG: {{^}}kernel(int*, int const*)
// BOTH-DAG: {{^}}other(int*, int const*)
// A program hasn't; and says what to do.
// RUN: ld -e 0 --unresolved-symbols=ignore-all unit.o other.o -o program
// RUN: not %divcost report program 2>&1 | FileCheck --check-prefix=PROGRAM %s
// PROGRAM: divcost: program: no report is in it: linkers leave reports out of what they link; give the object files
// RUN: not %divcost report none.o 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: divcost: none.o: no report is in it; compile with -fplugin-arg-divcost-embed
//
// Nothing to embed it into, or nothing to embed: a warning. Nothing asked for: none.
// DEFINE: %{loud} = %clang %cuda-any --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -fplugin-arg-divcost-no-warn=all \
// DEFINE:   -Wno-unused-command-line-argument -fplugin-arg-divcost-embed
// RUN: %toolkit %{loud} --cuda-device-only -c %s 2>&1 | FileCheck --check-prefix=DEVICE %s
// RUN: %clang %cuda -fplugin-arg-divcost-no-warn=all -fplugin-arg-divcost-embed -S %s -o device.s 2>&1 \
// RUN:   | FileCheck --check-prefix=DEVICE %s
// DEVICE: warning: divcost: option 'embed': no report is embedded: the command compiles for the device alone (--cuda-device-only), so there is no object of the host; write a file with -fplugin-arg-divcost-report=FILE.json
// DEVICE-NOT: no report is embedded
// RUN: %toolkit %{loud} --cuda-host-only -c %s -o host.o 2>&1 | FileCheck --check-prefix=HOST %s
// HOST: warning: divcost: option 'embed': no report is embedded: no compilation for a device came before the host's in this command (--cuda-host-only)
// RUN: %{loud} -fsyntax-only %s 2>&1 | count 0
// RUN: echo 'int none;' | %clang -x c++ -c - -o none.o -fplugin-arg-divcost-embed 2>&1 | count 0

__global__ void kernel(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
