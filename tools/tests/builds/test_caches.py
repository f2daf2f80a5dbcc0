#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_caches.py CLANG PLUGIN DIVCOST: the plugin under ccache and distcc, the real ones."""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
CLANG, PLUGIN, DIVCOST = map(os.path.abspath, sys.argv[1:4])
CUDA = ("-x cuda -O1 -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-feature=+ptx78"
        " --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -include divcost_cuda.h -I%s/bench/include" % REPOSITORY).split()
EMBED, REPORT = "-fplugin-arg-divcost-embed", "-fplugin-arg-divcost-report=rows.json"


class Caches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.plugin = shutil.copy(PLUGIN, self.folder)
        for name in ("rows.cu", "rows.cpp"):
            shutil.copy(os.path.join(HERE, "consumer", "rows.cu"), os.path.join(self.folder, name))
        self.environment = {**os.environ, "PATH": os.path.join(HERE, "toolkit") + os.pathsep +
                            os.environ["PATH"]}
        for name in list(self.environment):
            if name.startswith(("CCACHE_", "DISTCC")):
                del self.environment[name]

    def run_in_folder(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def compile(self, launcher, *options, source="rows.cu"):
        """Compiles anew; what was said."""
        for name in ("rows.o", "rows.json"):
            if os.path.exists(os.path.join(self.folder, name)):
                os.unlink(os.path.join(self.folder, name))
        return self.run_in_folder(launcher, CLANG, *CUDA, "-fplugin=" + self.plugin, *options,
                                  "-c", source, "-o", "rows.o").stderr

    def shown(self, file="rows.o"):
        return self.run_in_folder(DIVCOST, "report", "--json", file).stdout

    def has_report_file(self):
        return os.path.exists(os.path.join(self.folder, "rows.json"))


class Alone(Caches):
    def test_the_same_compilation_gives_the_same_object(self):
        """The parts of the architectures have different words; which is found first mustn't matter."""
        objects = set()
        for _ in range(6):
            self.compile("env", EMBED)
            with open(os.path.join(self.folder, "rows.o"), "rb") as file:
                objects.add(file.read())
        self.assertEqual(len(objects), 1)


@unittest.skipUnless(shutil.which("ccache"), "no ccache")
class Ccache(Caches):
    def setUp(self):
        super().setUp()
        self.environment["CCACHE_DIR"] = os.path.join(self.folder, "cache")

    def needs_one_preprocessed_text(self):
        """clang 19 makes one for each side of CUDA code, which ccache doesn't ask for: it caches none."""
        done = subprocess.run([CLANG, *CUDA, "-E", "rows.cu", "-o", "rows.cui"], cwd=self.folder,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=120)
        if done.returncode != 0:
            self.assertIn("cannot specify -o when generating multiple output files", done.stderr)
            self.skipTest("ccache doesn't cache what this clang makes of CUDA code")

    def hits(self):
        lines = self.run_in_folder("ccache", "--print-stats").stdout.splitlines()
        counts = dict(line.split("\t") for line in lines)
        return int(counts["direct_cache_hit"]) + int(counts["preprocessed_cache_hit"])

    def test_with_or_without_a_hit_the_object_has_its_report(self):
        self.compile("ccache", EMBED, REPORT)
        expected = self.shown("rows.json")
        self.assertEqual(self.shown(), expected)
        self.compile("ccache", EMBED)
        self.assertEqual(self.shown(), expected)

    def test_on_a_hit_the_object_has_its_report_and_the_warnings_are_said(self):
        self.needs_one_preprocessed_text()
        said = self.compile("ccache", EMBED, REPORT)
        self.assertIn("[divcost-data-dependent]", said)
        self.assertEqual(self.hits(), 0)
        expected = self.shown("rows.json")
        self.assertEqual(self.shown(), expected)
        self.assertEqual(self.compile("ccache", EMBED, REPORT), said)
        self.assertEqual(self.hits(), 1)
        self.assertEqual(self.shown(), expected)

    def test_on_a_hit_no_report_file_is_written_as_documented(self):
        self.needs_one_preprocessed_text()
        self.compile("ccache", REPORT)
        self.assertTrue(self.has_report_file())
        self.compile("ccache", REPORT)
        self.assertEqual((self.hits(), self.has_report_file()), (1, False))

    def test_a_change_of_device_code_alone_is_a_miss_in_depend_mode(self):
        self.environment["CCACHE_DEPEND"] = "1"
        self.compile("ccache", EMBED, "-MD")
        with open(os.path.join(self.folder, "rows.cu"), "a") as file:
            file.write("#ifdef __CUDA_ARCH__\n__global__ void added(int *out) { *out = 1; }\n#endif\n")
        self.compile("ccache", EMBED, "-MD")
        self.assertEqual(self.hits(), 0)
        self.assertIn("added(int*)", self.shown())

    def test_another_option_or_another_plugin_is_a_miss(self):
        self.compile("ccache", EMBED)
        self.compile("ccache", EMBED, "-fplugin-arg-divcost-block=64")
        self.assertEqual(self.hits(), 0)
        self.assertIn('"block": [64', self.shown())
        with open(self.plugin, "ab") as file:
            file.write(b"newer")
        self.compile("ccache", EMBED)
        self.assertEqual(self.hits(), 0)


@unittest.skipUnless(shutil.which("distccd"), "no distcc")
class Distcc(Caches):
    """A server on this machine, for as long as a test."""

    def setUp(self):
        super().setUp()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.log = open(os.path.join(self.folder, "server.log"), "w+")
        self.addCleanup(self.log.close)
        server = subprocess.Popen(
            ["distccd", "--no-detach", "--daemon", "--allow", "127.0.0.1", "--listen", "127.0.0.1",
             "--port", str(port), "--enable-tcp-insecure", "--log-stderr", "--jobs", "1"],
            stdin=subprocess.DEVNULL, stderr=self.log, start_new_session=True)
        self.addCleanup(self.stop, server)
        own = os.path.join(self.folder, "distcc")
        os.mkdir(own)
        self.environment.update(DISTCC_HOSTS="127.0.0.1:%d" % port, DISTCC_DIR=own, DISTCC_VERBOSE="1")
        for _ in range(100):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        self.fail("distccd doesn't start: " + self.server_said())

    def stop(self, server):
        server.terminate()
        try:
            os.killpg(server.pid, signal.SIGKILL) # its children
        except ProcessLookupError:
            pass
        server.wait()

    def server_said(self):
        self.log.seek(0)
        return self.log.read()

    def test_the_server_is_there_for_other_files(self):
        with open(os.path.join(self.folder, "plain.cpp"), "w") as file:
            file.write("int plain() { return 0; }\n")
        said = self.run_in_folder("distcc", CLANG, "-c", "plain.cpp", "-o", "plain.o").stderr
        self.assertIn("exec on 127.0.0.1", said)

    def test_cuda_files_are_compiled_locally(self):
        said = self.compile("distcc", EMBED, REPORT)
        self.assertIn("exec on localhost", said)
        self.assertNotIn("exec on 127.0.0.1", said)
        self.assertIn("[divcost-data-dependent]", said)
        self.assertEqual(self.shown(), self.shown("rows.json"))

    def test_what_is_sent_off_is_refused_and_compiled_locally(self):
        said = self.compile("distcc", EMBED, REPORT, source="rows.cpp")
        self.assertIn("exec on 127.0.0.1", said)
        self.assertIn("running locally instead", said)
        self.assertIn("-fplugin= and/or -specs= passed", self.server_said())
        self.assertIn("[divcost-data-dependent]", said)
        self.assertEqual(self.shown(), self.shown("rows.json"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
