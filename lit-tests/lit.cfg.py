# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The lit suite of the plugin: tests are .cu and .ll files that say in RUN lines what to run and in
# CHECK lines what must come out. Started through the build's lit.site.cfg.py.
#
#   %clang     clang++ with the plugin loaded; %plain-clang: without
#   %lowered-clang   the same, but DIVCOST_LIMITS="steps=100" lowers limits (pass/analysis/limits.h)
#   %opt       opt with the plugin loaded; add -passes=divcost
#   %divcost   the divcost command
#   %cuda      compile as CUDA, device side, for sm_80, without a CUDA Toolkit
#   %cuda-any  the same without an architecture and for both sides
#   %toolkit   runs what follows with scripts in the place of CUDA's ptxas and fatbinary
#   %profile-library  what instrumented programs link
#   %plugin, %repo, %python   the plugin's file, the checkout, Python 3
#
# Features: llvm-19 or llvm-22; cuda-toolkit where clang finds one; nvcc where it is on the PATH;
# jsonschema where Python has it.
import importlib.util
import os
import shutil
import subprocess
import sys

import lit.formats
import lit.util

config.name = "divcost (LLVM %s)" % config.divcost_llvm_major
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".ll", ".test"]
config.excludes = ["Inputs", "corpus", "oracle"]
config.test_source_root = os.path.join(config.divcost_source_dir, "lit-tests")

bindir = config.divcost_llvm_bindir
plugin = os.path.join(config.divcost_build_dir, "pass", "divcost.so")
lowered = os.path.join(config.divcost_build_dir, "pass", "divcost-lowered.so")
stand_in = os.path.join(config.divcost_source_dir, "bench", "include")
config.divcost_plugin = plugin

cuda_any = (
    "-x cuda -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-feature=+ptx78"
    " -I%s -include divcost_cuda.h" % stand_in
)
cuda = cuda_any + " --cuda-gpu-arch=sm_80 --cuda-device-only"
config.divcost_cuda_flags = cuda.split()

config.environment["PATH"] = os.pathsep.join([bindir, config.environment["PATH"]])
toolkit = os.path.join(config.divcost_source_dir, "tools", "tests", "builds", "toolkit")

config.substitutions += [
    ("%cuda-any", cuda_any),
    ("%cuda", cuda),
    ("%plain-clang", "%s/clang++" % bindir),
    ("%clang", "%s/clang++ -fplugin=%s" % (bindir, plugin)),
    ("%lowered-clang", "%s/clang++ -fplugin=%s" % (bindir, lowered)),
    ("%toolkit", "env PATH=" + os.pathsep.join([toolkit, config.environment["PATH"]])),
    ("%opt", "%s/opt -load-pass-plugin=%s" % (bindir, plugin)),
    ("%divcost", os.path.join(config.divcost_build_dir, "tools", "divcost")),
    ("%profile-library", os.path.join(config.divcost_build_dir, "runtime", "libdivcost-profile.a")
     + " -pthread" + (" -fsanitize=address,undefined -shared-libasan" if config.divcost_preload
                      else "")),
    ("%plugin", plugin),
    ("%repo", config.divcost_source_dir),
    ("%python", sys.executable),
]

config.available_features.add("llvm-" + config.divcost_llvm_major)
if config.divcost_preload:
    config.available_features.add("preloaded")
    # A plugin with sanitizers in a compiler without.
    config.environment["LD_PRELOAD"] = config.divcost_preload
    # To look for leaks takes longer than most of these processes. The verdicts do, which go through
    # all of the plugin, and so do the tests of the command.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"


if importlib.util.find_spec("jsonschema"):
    config.available_features.add("jsonschema")
if shutil.which("nvcc"):
    config.available_features.add("nvcc")


def clang_finds_a_cuda_toolkit():
    clang = os.path.join(bindir, "clang++")
    version = subprocess.run([clang, "-v"], stderr=subprocess.PIPE, universal_newlines=True)
    if "Found CUDA installation" not in version.stderr:
        return False
    command = [clang, "-x", "cuda", "--cuda-gpu-arch=sm_80", "--cuda-device-only", "-S"]
    command += ["-Wno-unknown-cuda-version", "-o", "/dev/null", "-"]
    # CUDA 13 lacks a header that clang 19 includes: found here, not in the tests.
    return subprocess.run(command, input=b"", stderr=subprocess.DEVNULL).returncode == 0


if clang_finds_a_cuda_toolkit():
    config.available_features.add("cuda-toolkit")
