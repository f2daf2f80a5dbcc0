#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long people wait for the language server: for the diagnostics of a file, beside the plain
device-only compilation of the same file, and for hovers over a file of many loops.

    bench/lsp/latency.py --divcost build/tools/divcost bench/kernels/*.cu
    bench/lsp/latency.py --commands commands.json        # [{"file": ..., "flags": [...]}, ...]

Each pair is run side by side, several times; ratios are of the medians."""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(REPOSITORY, "tools", "lsp", "tests"))
from client import Client # noqa: E402

STAND_IN = ["-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "--cuda-feature=+ptx78",
            "-I" + os.path.join(REPOSITORY, "bench", "include"), "-include", "divcost_cuda.h"]

KERNEL = """
__global__ void kernel%d(const int *__restrict__ n, const float *__restrict__ in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = n[i]; j < n[i + 1]; ++j)
    for (int k = 0; k < in[j]; ++k)
      sum += in[k];
  for (int j = threadIdx.x; j < 1000; j += 32)
    sum *= in[j];
  while (sum < in[i])
    sum += out[i];
  for (int j = 0; j < 16 * %d + 16; ++j)
    sum += in[j] * out[j];
  out[i] = sum;
}
"""


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def plain(options, file, flags):
    """Seconds (of the wall, of processors) of the compilation without the plugin."""
    before, begun = cpu(), time.monotonic()
    subprocess.run([options.clang, "-x", "cuda", "--cuda-gpu-arch=sm_90", "-O2", "--cuda-device-only",
                    "-w", "-S", "-o", "/dev/null", *flags, file], check=True)
    return time.monotonic() - begun, cpu() - before


def start(options, flags):
    client = Client([options.divcost, "lsp"])
    settings = {"clang": options.clang, "flags": flags}
    if options.plugin:
        settings["plugin"] = os.path.abspath(options.plugin)
    client.initialize(**settings)
    return client


def edited(options, file, flags):
    """The same from a change of the text to its diagnostics, without the pause; and how many."""
    before = cpu()
    client = start(options, flags)
    begun = time.monotonic()
    client.open(os.path.abspath(file))
    found = client.diagnostics(os.path.abspath(file), seconds=600)
    wall = time.monotonic() - begun
    if any(d["code"] == "divcost-not-analysed" for d in found):
        raise RuntimeError(found[0]["message"])
    client.end()
    return wall, cpu() - before


def compare(options, entries):
    walls, cpus = [], []
    print("%8s %8s %6s %6s  file" % ("plain s", "lsp s", "wall", "cpu"))
    for file, flags in entries:
        pairs = []
        try:
            for _ in range(options.repeat):
                pairs.append((plain(options, file, flags), edited(options, file, flags)))
        except (subprocess.CalledProcessError, RuntimeError) as error:
            print("%32s %s: %s" % ("-", file, error))
            continue
        columns = [statistics.median(pair[who][what] for pair in pairs)
                   for who in (0, 1) for what in (0, 1)]
        walls.append(columns[2] / columns[0])
        cpus.append(columns[3] / columns[1])
        print("%8.3f %8.3f %6.2f %6.2f  %s" % (columns[0], columns[2], walls[-1], cpus[-1], file))
    if walls:
        print("diagnostics over plain compilation, %d files: wall median %.2f, worst %.2f; processor "
              "median %.2f, worst %.2f" % (len(walls), statistics.median(walls), max(walls),
                                           statistics.median(cpus), max(cpus)))


def hovers(options, flags):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "many.cu")
        text = "".join(KERNEL % (k, k) for k in range(options.kernels))
        with open(path, "w") as file:
            file.write(text)
        client = start(options, flags)
        client.open(path)
        client.diagnostics(path, seconds=600)
        loops = [k for k, line in enumerate(text.splitlines())
                 if line.lstrip().startswith(("for", "while"))]
        took = []
        for k in range(200):
            line = loops[k * len(loops) // 200]
            begun = time.monotonic()
            hover = client.at("hover", path, line, 8)
            took.append(1000 * (time.monotonic() - begun))
            assert hover, line
        client.end()
        print("hover, %d loops: median %.1f ms, worst of 200 %.1f ms" %
              (len(loops), statistics.median(took), max(took)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", help="compiled with the stand-in for CUDA's headers")
    parser.add_argument("--commands", help="JSON: files with their flags")
    parser.add_argument("--divcost", default=os.path.join(REPOSITORY, "build", "tools", "divcost"))
    parser.add_argument("--plugin", help="default: the one that belongs to the command")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--kernels", type=int, default=400, help="of the file for hovers, 5 loops each")
    options = parser.parse_args()
    entries = [(file, STAND_IN) for file in options.files]
    if options.commands:
        with open(options.commands) as file:
            entries += [(entry["file"], entry["flags"]) for entry in json.load(file)]
    compare(options, entries)
    hovers(options, STAND_IN)


if __name__ == "__main__":
    main()
