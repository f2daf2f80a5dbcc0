#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_consumer.py BUILD CLANG: what `cmake --install BUILD` makes, as another project uses it."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
BUILD, CLANG = map(os.path.abspath, sys.argv[1:3])
STAND_IN = ("-nocudainc -nocudalib --cuda-path=/nonexistent --cuda-feature=+ptx78 --cuda-gpu-arch=sm_80"
            " --cuda-gpu-arch=sm_90 -I%s/bench/include -include divcost_cuda.h" % REPOSITORY)
ENVIRONMENT = {**os.environ, "PATH": os.path.join(HERE, "toolkit") + os.pathsep + os.environ["PATH"]}


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                          universal_newlines=True, env=ENVIRONMENT, **options)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = os.path.join(cls.folder.name, "prefix")
        done = run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        assert done.returncode == 0, done.stdout
        with open(os.path.join(BUILD, "CMakeCache.txt")) as cache:
            cls.libraries = "lib/x86_64-linux-gnu" if "CMAKE_INSTALL_PREFIX:PATH=/usr\n" in cache.read() \
                else "lib"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def configure(self, name, *options):
        self.source = os.path.join(self.folder.name, name)
        shutil.copytree(os.path.join(HERE, "consumer"), self.source)
        self.build = os.path.join(self.source, "build")
        return run("cmake", "-S", self.source, "-B", self.build, "-DCMAKE_PREFIX_PATH=" + self.prefix,
                   "-DCMAKE_CXX_COMPILER=" + CLANG, "-DCUDA_OPTIONS=" + STAND_IN, *options)

    def built(self, *targets):
        done = run("cmake", "--build", self.build, "-j2", *(["--target", *targets] if targets else []))
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def divcost(self, *arguments):
        done = run(os.path.join(self.prefix, "bin", "divcost"), *arguments)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def works(self, generator, *options):
        done = self.configure("".join(filter(str.isalnum, self.id())), "-G", generator, *options)
        self.assertEqual(done.returncode, 0, done.stdout)
        shutil.copy(self.empty_profile(), os.path.join(self.source, "counts.divprof"))
        printed = self.built()
        self.assertIn("[divcost-data-dependent]", printed) # WARN
        reports = os.path.join(self.build, "reports")
        self.assertEqual(sorted(os.listdir(reports)), ["kernels", "other"])
        # A file has its report, whichever target it is in, and is only looked at where that is wanted.
        self.assertEqual(sorted(os.listdir(os.path.join(reports, "kernels"))),
                         ["late_rows.cu.json", "rows.cu.json"])
        self.assertEqual(os.listdir(os.path.join(reports, "other")), ["rows.cu.json"])
        with open(os.path.join(reports, "kernels", "late_rows.cu.json")) as file:
            unit = json.load(file)
        self.assertEqual(unit["archs"], ["sm_80", "sm_90"])
        self.assertEqual(unit["kernels"][0]["block"], [64, 1, 1]) # OPTIONS
        library = self.divcost("report", os.path.join(self.build, "libkernels.a")) # EMBED
        self.assertIn("late(int const*, float*)", library)
        self.assertIn("rows(int const*, float*)", library)
        done = run(os.path.join(self.prefix, "bin", "divcost"), "report",
                   os.path.join(self.build, "libsame.a"))
        self.assertIn("no report is in it", done.stdout)
        self.built("findings")
        with open(os.path.join(self.build, "all.json")) as file:
            self.assertEqual([kernel["name"] for kernel in json.load(file)["kernels"]],
                             ["late(int const*, float*)", "rows(int const*, float*)"])
        self.assertIn("late(int const*, float*)", self.built("shown"))
        done = run(os.path.join(self.build, "model"), os.path.join(self.build, "all.json"))
        self.assertEqual(done.stdout, "late(int const*, float*)\nrows(int const*, float*)\n")

    def test_each_file_has_a_report_of_its_own(self):
        project = os.path.join(self.folder.name, "alike")
        shutil.copytree(os.path.join(HERE, "consumer"), project)
        os.mkdir(os.path.join(project, "same"))
        for name in ("same/again", "same_again"):
            with open(os.path.join(project, name + ".cu"), "w") as file:
                file.write("__global__ void %s(int *p) { p[threadIdx.x] = 1; }\n"
                           % name.replace("/", "_in_"))
        self.build = os.path.join(project, "build")
        done = run("cmake", "-S", project, "-B", self.build, "-DCMAKE_PREFIX_PATH=" + self.prefix,
                   "-DCMAKE_CXX_COMPILER=" + CLANG, "-DCUDA_OPTIONS=" + STAND_IN)
        self.assertEqual(done.returncode, 0, done.stdout)
        shutil.copy(self.empty_profile(), os.path.join(project, "counts.divprof"))
        self.built("alike")
        folder, kernels = os.path.join(self.build, "reports", "alike"), []
        names = sorted(os.listdir(folder))
        self.assertEqual(names[0], "rows.cu.json")
        self.assertEqual(len(names), 3, names)
        for name in names:
            with open(os.path.join(folder, name)) as file:
                kernels += [kernel["name"].split("(")[0] for kernel in json.load(file)["kernels"]]
        self.assertEqual(sorted(kernels), ["rows", "same_again", "same_in_again"])

    def empty_profile(self):
        """A profile that counted nothing."""
        path = os.path.join(self.folder.name, "empty.divprof")
        if not os.path.exists(path):
            sys.path.insert(0, os.path.dirname(HERE))
            import divprof
            divprof.write(path, [])
        return path

    def test_ninja(self):
        self.works("Ninja")

    def test_make(self):
        self.works("Unix Makefiles")

    def test_cuda_as_a_language(self):
        """CMake asks a toolkit before it takes clang for a CUDA compiler; here it is told."""
        toolkit = os.path.join(self.folder.name, "toolkit")
        os.makedirs(os.path.join(toolkit, "lib64"))
        os.makedirs(os.path.join(toolkit, "include"))
        open(os.path.join(toolkit, "include", "cuda_runtime.h"), "w").close()
        version = re.search(r"clang version (\S+)", run(CLANG, "--version").stdout)[1]
        flags = re.sub(r"--cuda-gpu-arch=\S+", "", STAND_IN)
        told = {"COMPILER": CLANG, "COMPILER_ID": "Clang", "COMPILER_ID_RUN": 1, "COMPILER_FORCED": 1,
                "COMPILER_VERSION": version, "COMPILER_TOOLKIT_ROOT": toolkit,
                "COMPILER_LIBRARY_ROOT": toolkit, "RUNTIME_LIBRARY": "None", "ARCHITECTURES": "80;90",
                "FLAGS": flags}
        self.works("Ninja", "-DLANGUAGE=CUDA",
                   *("-DCMAKE_CUDA_%s=%s" % (name, value) for name, value in told.items()))

    def refused(self, name, words, *options):
        done = self.configure(name, "-G", "Ninja", *options)
        self.assertNotEqual(done.returncode, 0)
        text = " ".join(done.stdout.split())
        self.assertIn(words, text)

    def test_nvcc_is_an_error_that_names_the_ways_out(self):
        self.refused("nvcc", "divcost_enable(kernels): its CUDA files are compiled by nvcc, which loads no "
                     "plugin of clang's. Either configure with -DCMAKE_CUDA_COMPILER=clang++-",
                     "-DSTYLE=nvcc")
        self.refused("nvcc-check", "or keep nvcc and say divcost_check(kernels), which", "-DSTYLE=nvcc")

    def test_another_compiler_is_an_error(self):
        self.refused("gcc", "CMAKE_CXX_COMPILER is '/usr/bin/g++', which is no clang; configure with "
                     "-DCMAKE_CXX_COMPILER=clang++-", "-DCMAKE_CXX_COMPILER=/usr/bin/g++")

    def test_mistakes_are_errors(self):
        self.refused("typo", "divcost_enable(kernels): what is REPROT;reports?", "-DSTYLE=typo")
        self.refused("missing", "divcost_enable: there is no target 'kernel' yet", "-DSTYLE=missing")

    # ---- divcost_check -------------------------------------------------------------------------------

    def checked(self, name, *words, options=(), generator="Ninja"):
        done = self.configure(name, "-G", generator, "-DCHECK=" + ";".join(words), *options)
        self.assertEqual(done.returncode, 0, done.stdout)
        shutil.copy(self.empty_profile(), os.path.join(self.source, "counts.divprof"))
        return run("cmake", "--build", self.build, "--target", "checked")

    def test_check_looks_after_each_build(self):
        for generator in ("Ninja", "Unix Makefiles"):
            name = "check-" + generator.split()[0]
            done = self.checked(name, "REPORT", "found.sarif", generator=generator)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("rows.cu:", done.stdout)
            self.assertIn("[divcost-data-dependent]", done.stdout)
            self.assertTrue(os.path.getsize(os.path.join(self.build, "found.sarif")) > 1000)
            self.assertNotIn("rows.cu:", self.built("checked")) # nothing has changed
            os.utime(os.path.join(self.source, "rows.cu"))
            self.assertIn("[divcost-data-dependent]", self.built("checked"))

    def test_what_fails_fails_the_build(self):
        done = self.checked("check-fails", "FAIL_ON", "data-dependent")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("[divcost-data-dependent]", done.stdout)
        baseline = os.path.join(self.source, "known.json")
        self.divcost("check", "-p", self.build, "--write-baseline", baseline)
        done = run("cmake", self.build, "-DCHECK=FAIL_ON;data-dependent;BASELINE;known.json")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.built("checked")

    def test_check_as_a_test(self):
        done = self.checked("check-test", "TEST", "FAIL_ON", "any")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("rows.cu:", done.stdout)
        done = run("ctest", "--test-dir", self.build, "-R", "divcost.checked", "--output-on-failure")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("[divcost-data-dependent]", done.stdout)

    def test_mistakes_with_check_are_errors(self):
        self.refused("check-typo", "divcost_check(checked): what is FAIL? Possible: TEST, FAIL_ON", "-DCHECK=FAIL")
        self.refused("check-none", "divcost_check: there is no target 'kernel' yet", "-DSTYLE=unchecked")
        self.refused("check-object", "divcost_check(objects): nothing is done after a build of a target of type "
                     "OBJECT_LIBRARY; say divcost_check(objects TEST ...)", "-DSTYLE=object")
        self.refused("check-plain", "divcost_check(plain): it has no CUDA files", "-DSTYLE=plain")

    def test_pkg_config_says_where_the_plugin_is(self):
        done = subprocess.run(["pkg-config", "--variable=plugin", "divcost"], stdout=subprocess.PIPE,
                              universal_newlines=True, check=True, env={
                                  **ENVIRONMENT, "PKG_CONFIG_PATH": os.path.join(
                                      self.prefix, self.libraries, "pkgconfig")})
        self.assertTrue(os.path.samefile(done.stdout.strip(), os.path.join(
            self.prefix, self.libraries, "divcost", "divcost.so")))


    def test_the_library_page_shows_what_its_example_prints(self):
        """With the installed headers, libraries and pkg-config files, and the installed page."""
        page = os.path.join(self.prefix, "share", "doc", "divcost", "library.md")
        with open(page, encoding="utf-8") as file:
            shown, = re.findall(r"^```console\n(.*?)^```$", file.read(), re.M | re.S)
        folder = os.path.join(self.folder.name, "reader")
        os.makedirs(os.path.join(folder, "bin"))
        os.symlink(os.path.dirname(page), os.path.join(folder, "docs"))
        os.symlink(os.path.join(REPOSITORY, "bench"), os.path.join(folder, "bench"))
        compiler = os.path.join(folder, "bin", "clang++-22") # CLANG, without a CUDA Toolkit
        with open(compiler, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec %s \"$@\" %s --cuda-device-only -S -o /dev/null"
                       " -Wno-unused-command-line-argument\n" % (
                           CLANG, re.sub(r"--cuda-gpu-arch=\S+", "", STAND_IN)))
        os.chmod(compiler, 0o755)
        with open(os.path.join(folder, "bin", "cc"), "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nexec /usr/bin/cc -Wall -Wextra -Wpedantic -Werror "$@"\n')
        os.chmod(file.name, 0o755)
        environment = {**ENVIRONMENT, "PKG_CONFIG_PATH": os.path.join(self.prefix, self.libraries, "pkgconfig"),
                       "PATH": os.pathsep.join([os.path.join(folder, "bin"), os.path.join(self.prefix, "bin"),
                                                ENVIRONMENT["PATH"]])}
        printed = ""
        for command in re.findall(r"^\$ (.*)\n", shown, re.M):
            printed += "$ %s\n%s" % (command, subprocess.run(
                command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=300, universal_newlines=True).stdout)
        self.maxDiff = None
        self.assertEqual(printed, shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
