#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_lsp.py DIVCOST SAMPLES: the language server, with a compiler that does as it is told in
place of clang (fake_clang.py): what clients send, well-formed or not; edits, cancelling, failures."""
import json
import os
import re
import shutil
import subprocess
import signal
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "html"))
from client import ALL, Client, uri_of # noqa: E402
from page_block import block # noqa: E402

DIVCOST, SAMPLES = map(os.path.abspath, sys.argv[1:3])
WARNINGS = os.path.realpath(os.path.join(HERE, "..", "..", "..", "docs", "warnings.md"))

# The sample's loop is in line 8, column 3; its kernel in line 1.
SOURCE = """__global__ void spmv_csr(int rows, const int *row, const int *column, float *y) {
  // one row for each thread
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0;

  for (int i = row[r]; i < row[r + 1]; ++i) {
    sum += column[i];
  }
  y[r] = sum;
}
"""
LOOP = 7 # the loop's line, from 0


def insertion(line, character, text):
    place = {"line": line, "character": character}
    return {"range": {"start": place, "end": place}, "text": text}


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.temporary = os.path.join(self.folder, "temporary")
        os.mkdir(self.temporary)
        self.log = os.path.join(self.folder, "log")
        self.plugin = os.path.join(self.folder, "divcost.so")
        open(self.plugin, "w").close()
        self.file = self.write("sparse.cu", SOURCE)
        self.client = None
        self.client_report = os.path.join(SAMPLES, "sample.json")

    def tearDown(self):
        if self.client and self.client.process.poll() is None:
            self.assertEqual(self.client.end(), 0)
        self.assertEqual(os.listdir(self.temporary), []) # nothing is left behind

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", newline="") as file:
            file.write(text)
        return path

    def start(self):
        environment = {**os.environ, "FAKE_LOG": self.log, "TMPDIR": self.temporary,
                       "FAKE_REPORT": self.client_report}
        self.client = Client([DIVCOST, "lsp"], self.folder, environment)
        return self.client

    def begin(self, capabilities=None, **options):
        client = self.start()
        options.setdefault("clang", os.path.join(HERE, "fake_clang.py"))
        client.initialize(capabilities, plugin=self.plugin, **options)
        return client

    def compiled(self):
        """What the compiler was called with, call by call."""
        if not os.path.exists(self.log):
            return []
        with open(self.log) as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def eventually(self, holds, seconds=30):
        until = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), until, "it never came to hold")
            time.sleep(0.01)


    def ended(self, group):
        """No process of the group is left, but for those that nobody has reaped yet."""
        def gone():
            for name in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open("/proc/%s/stat" % name) as file:
                        state, _, its_group = file.read().rpartition(")")[2].split()[:3]
                except OSError:
                    continue
                if int(its_group) == group and state != "Z":
                    return False
            return True
        self.eventually(gone)


class Protocol(Base):
    def refused(self, client, code):
        answer = client.wait_for(lambda m: "error" in m)
        self.assertEqual(answer["error"]["code"], code)
        return answer

    def test_it_says_what_it_can_do(self):
        can = self.start().initialize()["capabilities"]
        self.assertEqual(can["positionEncoding"], "utf-16")
        self.assertEqual(can["textDocumentSync"]["change"], 2)
        for name in ("hover", "codeLens", "inlayHint", "codeAction", "executeCommand"):
            self.assertTrue(can[name + "Provider"])

    def test_requests_before_initialize_and_after_shutdown_are_errors(self):
        client = self.start()
        self.assertEqual(client.request("textDocument/hover")["error"]["code"], -32002)
        client.open(self.file) # passed over
        client.initialize()
        self.assertEqual(client.request("initialize", capabilities={})["error"]["code"], -32600)
        self.assertEqual(client.request("no/such")["error"]["code"], -32601)
        client.notify("no/such")
        client.notify("$/cancelRequest", id=1)
        self.assertIsNone(client.ask("shutdown"))
        self.assertEqual(client.request("textDocument/hover")["error"]["code"], -32600)
        client.notify("exit")
        self.assertEqual(client.gone(), 0)
        self.assertEqual(self.compiled(), [])

    def test_exit_without_shutdown_and_the_end_of_input_are_status_1(self):
        client = self.begin()
        client.notify("exit")
        self.assertEqual(client.gone(), 1)
        client = self.begin()
        client.open(self.write("hangs.cu", "// fake: hang\n"))
        self.eventually(self.compiled)
        self.assertEqual(client.gone(), 1)
        self.ended(self.compiled()[-1]["pid"])

    def test_a_signal_ends_it_and_its_compiler(self):
        client = self.begin()
        client.open(self.write("hangs.cu", "// fake: hang\n"))
        self.eventually(self.compiled)
        client.process.send_signal(signal.SIGTERM)
        self.assertEqual(client.gone(), 1)
        self.ended(self.compiled()[-1]["pid"])

    def test_garbage_is_answered_and_what_follows_is_understood(self):
        client = self.begin()
        for bad in (b"garbage\r\n\r\n", b"Content-Length: x\r\n\r\n", b"Content-Length: -5\r\n\r\n",
                    b"Content-Length: \r\n\r\n", b": \r\n\r\n", b"\0\xff" * 5000 + b"\r\n\r\n",
                    b"Content-Length: 99999999999999999999999\r\n\r\n"):
            client.write(bad)
            self.refused(client, -32700)
            client.heard = [m for m in client.heard if "error" not in m]
            self.assertIsNone(client.at("hover", self.file, 0, 0))

    def test_a_client_that_sends_no_frames_is_answered(self):
        """Bare JSON, lines that end with LF alone: whoever waits for an answer gets one."""
        request = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}'
        for data in (request, request + b"\n", b"Content-Length: %d\n\n" % len(request) + request):
            client = self.start()
            client.write(data)
            self.assertEqual(client.receive()["error"]["code"], -32700)
            client.initialize() # which is understood nonetheless
            self.assertEqual(client.end(), 0)

    def test_a_client_that_hangs_up_is_told_why(self):
        environment = {**os.environ, "TMPDIR": self.temporary}
        for data, answer in ((b"", b""),
                             (b"Content-Length: 90\r\n\r\n{", b"the input ended within a message"),
                             (b"Content-Len", b"the input ended within a message")):
            done = subprocess.run([DIVCOST, "lsp"], input=data, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=60, env=environment)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"the input ended before 'initialize'", done.stderr)
            self.assertIn(answer, done.stdout)

    def test_a_length_beyond_all_bounds_swallows_nothing(self):
        client = self.start()
        client.write(b"Content-Length: 100000000000\r\n\r\n")
        self.assertIn("too long", client.receive()["error"]["message"])
        client.initialize()

    def test_a_length_that_is_too_short_or_too_long_spoils_its_neighbours_only(self):
        client = self.begin()
        body = json.dumps({"jsonrpc": "2.0", "id": "short", "method": "no/such"}).encode()
        client.write(b"Content-Length: %d\r\n\r\n" % (len(body) - 9) + body)
        self.refused(client, -32700)
        self.assertIsNone(client.at("hover", self.file, 0, 0))
        client.write(b"Content-Length: %d\r\n\r\n" % (len(body) + 9) + body)
        client.send({"jsonrpc": "2.0", "id": "swallowed", "method": "no/such"})
        self.refused(client, -32700)
        self.assertIsNone(client.at("hover", self.file, 0, 0))

    def test_messages_that_are_no_requests(self):
        client = self.begin()
        for body, code in ((b"{", -32700), (b"", -32700), (b"\xff", -32700), (b"[" * 5000, -32700),
                           (b"[]", -32600), (b"7", -32700), (b'{"id": {}, "method": "a"}', -32600),
                           (b'{"id": 1}', -32600), (b'{"id": 1, "method": 7}', -32600)):
            client.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.refused(client, code)
        client.send({"jsonrpc": "2.0", "id": 77, "result": None}) # an answer to nothing
        self.assertIsNone(client.at("hover", self.file, 0, 0))

    def test_parameters_of_other_shapes_are_passed_over(self):
        client = self.begin()
        client.open(self.file)
        client.diagnostics(self.file)
        odd = [None, [], {}, 7, {"textDocument": 7}, {"textDocument": {"uri": 7}},
               {"textDocument": {"uri": uri_of(self.file)}, "position": {"line": -1, "character": -1},
                "range": {"start": {"line": 1 << 60, "character": 1 << 60}, "end": {}},
                "contentChanges": [7, {}, {"text": 7}, {"text": "x", "range": {}},
                                   {"text": "x", "range": {"start": {"line": -1, "character": 0},
                                                           "end": {"line": 0, "character": 0}}}]}]
        for parameters in odd:
            for method in ("hover", "codeLens", "inlayHint", "codeAction", "didOpen", "didChange",
                           "didSave", "didClose"):
                message = {"jsonrpc": "2.0", "method": "textDocument/" + method,
                           "params": parameters}
                client.send(message if method.startswith("did") and method != "didClose" else
                            {**message, "id": 1000} if method != "didClose" else
                            {**message, "params": None})
            client.send({"jsonrpc": "2.0", "id": 1001, "method": "workspace/executeCommand",
                         "params": parameters})
            client.notify("workspace/didChangeConfiguration", settings=parameters)
        self.assertIsNone(client.at("hover", "/no/such/file.cu", 0, 0))

    def test_a_message_that_comes_in_pieces_is_one(self):
        client = self.begin()
        body = json.dumps({"jsonrpc": "2.0", "id": 99, "method": "no/such"}).encode()
        whole = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d" \
            b"\r\n\r\n" % len(body) + body
        for k in range(len(whole)):
            client.write(whole[k:k + 1])
        self.assertEqual(client.wait_for(lambda m: m.get("id") == 99)["error"]["code"], -32601)

    def test_a_message_that_is_too_long_is_passed_over(self):
        client = self.begin()
        size = (64 << 20) + 1
        client.write(b"Content-Length: %d\r\n\r\n" % size)
        for _ in range(64):
            client.write(b" " * (1 << 20))
        client.write(b" ")
        self.refused(client, -32700)
        self.assertIsNone(client.at("hover", self.file, 0, 0))

    def test_a_client_that_does_not_read_fills_no_memory_and_loses_nothing(self):
        client = self.begin()
        os.set_blocking(client.process.stdin.fileno(), False)
        sent, message = 0, json.dumps({"jsonrpc": "2.0", "id": 5, "method": "no/such"}).encode()
        message = b"Content-Length: %d\r\n\r\n" % len(message) + message
        data = b""
        while sent < 2000:
            data = data or message
            try:
                data = data[os.write(client.process.stdin.fileno(), data):]
                sent += not data
            except BlockingIOError: # the server is busy
                time.sleep(0.001)
        os.set_blocking(client.process.stdin.fileno(), True)
        for _ in range(2000):
            client.wait_for(lambda m: m.get("id") == 5)


class Documents(Base):
    def add_accesses(self):
        """To the report: two of the line behind the loop's, by each kernel."""
        with open(os.path.join(SAMPLES, "sample.json")) as file:
            report = json.load(file)
        for kernel in report["kernels"]:
            skeleton = kernel["skeleton"]
            if not skeleton["blocks"]:
                continue
            place = list(skeleton["locations"][skeleton["location"]])
            place[1:3] = LOOP + 2, 12
            skeleton["locations"].append(place)
            at = len(skeleton["locations"]) - 1
            skeleton["accesses"] = [[0, "global", "load", 4, 3, -1, at, -1, 0, -1],
                                    [0, "shared", "store", 4, 3, -1, at, -1, 0, -1]]
            for estimate in kernel["estimates"]:
                figures = {"class": "gather", "from": "assumed", "requests": 8, "lanes": 32}
                estimate["accesses"] = [
                    {"index": 0, **figures, "sectors": {"low": 1, "high": 32}, "ideal": {"low": 1, "high": 4}},
                    {"index": 1, **figures, "class": "strided", "stride": 8, "from": "derived", "conflicts": 2,
                     "ideal": 1}]
        path = self.write("accesses.json", json.dumps(report))
        self.client_report = path

    def test_what_the_accesses_of_a_line_take(self):
        self.add_accesses()
        client = self.begin()
        client.open(self.file)
        client.diagnostics(self.file, 1)
        text = client.at("hover", self.file, LOOP + 1, 9)["contents"]["value"]
        self.assertRegex(text, r"^```text\n"
                         r"load from global memory, gather: 1\.\.32 sectors a request, 1\.\.4 needed \(assumed\), in \w+\n"
                         r"store to shared memory, strided by 8 bytes: 2 passes a request, 1 needed, in \w+\n```$")
        client.change(self.file, 2, insertion(0, 0, "\n"))
        self.assertIsNotNone(client.at("hover", self.file, LOOP + 2, 9))
        client.change(self.file, 3, insertion(LOOP + 2, 0, "x"))
        self.assertIsNone(client.at("hover", self.file, LOOP + 2, 9))

    def set_times(self, time):
        with open(os.path.join(SAMPLES, "sample.json")) as file:
            report = json.load(file)
        for kernel in report["kernels"]:
            for estimate in kernel["estimates"]:
                estimate["time"] = time
        self.client_report = self.write("times.json", json.dumps(report))

    def hovers(self):
        """Of the loop and of its kernel, each in one line."""
        client = self.begin()
        client.open(self.file)
        client.diagnostics(self.file, 1)
        return [" ".join(client.at("hover", self.file, line, character)["contents"]["value"].split())
                for line, character in ((LOOP, 9), (0, 20))]

    def test_time_where_it_is_known(self):
        bounds = {"issue": 0.16, "pipe": 0, "l1": 0, "l2": 0.84, "dram": 0, "latency": 0, "longest-warp": 0, "tail": 0,
                  "launch": 0}
        interval = {"low": 72e-6, "high": 296e-6}
        self.set_times({"seconds": interval, "alike": interval, "longest": interval, "lost": {"low": -0.1, "high": 0.22},
                        "bound": "l2", "bounds": bounds, "assumed_l2": False, "assumed_extents": False})
        words = " 72..296 us; goes to L2 (84%), issue slots (16%); divergence costs at most 22% of the kernel's time "
        loop, kernel = self.hovers()
        self.assertIn(" kernel time" + words, loop)
        self.assertIn(" time 16 blocks of 256:" + words, kernel)
        self.assertIn(" 32 blocks of 128:" + words, kernel)

    def test_the_kernel_says_why_its_time_is_not_known(self):
        self.set_times({"unknown": "grid"})
        loop, kernel = self.hovers()
        self.assertNotIn(" time ", loop)
        self.assertIn(" time not known: how many blocks are launched isn't", kernel)

    def test_what_is_shown_of_a_file(self):
        client = self.begin()
        client.open(self.file)
        finding, = client.diagnostics(self.file, 1)
        self.assertEqual(finding["message"], "loop loses 40% of the kernel's issue cycles")
        self.assertEqual((finding["severity"], finding["code"], finding["source"]),
                         (2, "divcost-imbalance", "divcost"))
        self.assertEqual(finding["range"], {"start": {"line": LOOP, "character": 2},
                                            "end": {"line": LOOP, "character": 5}})
        chain = [(step["location"]["range"]["start"]["line"], step["message"])
                 for step in finding["relatedInformation"]]
        self.assertEqual(chain, [
            (LOOP, "the loop ends at a value that is read from memory"),
            (2, "the address of the read depends on threadIdx.x, so each lane reads another element")])
        text = client.at("hover", self.file, LOOP, 30)["contents"]
        self.assertEqual(text["kind"], "markdown")
        for words in ("loses 40% of the kernel", "class         data-dependent", "poisson(30)",
                      "row[r + 1] - row[r]", "efficiency", "sparse.cu:3:37: the address"):
            self.assertIn(words, text["value"])
        kernel = client.at("hover", self.file, 0, 20)["contents"]["value"]
        self.assertIn("issue cycles", kernel)
        self.assertNotIn("data-dependent", kernel)
        self.assertIsNone(client.at("hover", self.file, 5, 3))
        titles = [(lens["range"]["start"]["line"], lens["command"]["title"])
                  for lens in client.of("codeLens", self.file)]
        self.assertEqual(titles[0][0], 0)
        self.assertIn("of its issue cycles (sm_", titles[0][1])
        self.assertEqual(titles[1][0], LOOP)
        self.assertRegex(titles[1][1], r"loses \d+% of the kernel")
        hint, = client.of("inlayHint", self.file, range={"start": {"line": 0, "character": 0},
                                                         "end": {"line": 12, "character": 0}})
        self.assertEqual((hint["label"], hint["position"]),
                         ("data-dependent, poisson(30)",
                          {"line": LOOP, "character": SOURCE.splitlines()[LOOP].index(" {")}))
        self.assertEqual(client.of("inlayHint", self.file,
                                   range={"start": {"line": 0, "character": 0},
                                          "end": {"line": 3, "character": 0}}), [])

    def test_each_rule_names_its_section_of_the_documentation(self):
        with open(os.path.join(SAMPLES, "sample.json")) as file:
            report = json.load(file)
        with open(WARNINGS) as file:
            documented = file.read()
        rules = re.findall(r"^\| \[`([a-z-]+)`\]", documented, re.M)
        finding, = report["kernels"][0]["findings"]
        report["kernels"][0]["findings"] = [
            {**finding, "rule": rule, "fingerprint": "%016x" % k} for k, rule in enumerate(rules)]
        self.client_report = self.write("rules.json", json.dumps(report))
        can = {**ALL, "textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}}
        client = self.begin(can)
        client.open(self.file)
        links = {d["code"]: d["codeDescription"]["href"] for d in client.diagnostics(self.file)}
        self.assertEqual(set(links), {"divcost-" + rule for rule in rules})
        headings = {re.sub(r"[^\w\- ]", "", line.lower()).strip().replace(" ", "-")
                    for line in documented.splitlines() if line.startswith("## ")}
        for code, link in links.items():
            page, _, section = link.partition("#")
            self.assertEqual(page, uri_of(WARNINGS))
            self.assertIn(section, headings)
            self.assertTrue(section.endswith(code))

    def test_instances_of_a_template_are_folded_as_in_reports(self):
        with open(os.path.join(SAMPLES, "sample.json")) as file:
            report = json.load(file)
        kernel = report["kernels"][0]

        def instance(name):
            made = json.loads(json.dumps(kernel).replace("spmv_csr(int, ", name + "(int, "))
            made["symbol"] = name
            made["skeleton"]["strings"] = [name if text == kernel["symbol"] else text
                                           for text in made["skeleton"]["strings"]]
            return made
        names = ["void spmv<float, 1>", "void spmv<float, 2>", "void spmv<double, 1>"]
        report["kernels"][:1] = [instance(name) for name in names]
        self.client_report = self.write("instances.json", json.dumps(report))
        client = self.begin()
        client.open(self.file)
        self.assertEqual(len(client.diagnostics(self.file, 1)), 1)
        text = client.at("hover", self.file, 0, 20)["contents"]["value"]
        self.assertIn("\n  instances     the worst of 3; the others: <float, 2>, <double, 1>\n", text)
        text = client.at("hover", self.file, LOOP, 20)["contents"]["value"]
        self.assertIn("\nkernel void spmv<float, 1>(int, int const*, int const*, float const*, float "
                      "const*, float*)\n"
                      "  instances     the worst of 3; the others: <float, 2>, <double, 1>\n", text)

    def test_uniform_loops_have_hints_where_the_user_wants_them(self):
        with open(os.path.join(SAMPLES, "sample.json")) as file:
            text = file.read().replace("data-dependent", "warp-uniform")
        self.client_report = self.write("uniform.json", text)
        client = self.begin()
        client.open(self.file)
        client.diagnostics(self.file)
        self.assertEqual(client.of("inlayHint", self.file), [])
        settings = {"plugin": self.plugin, "clang": os.path.join(HERE, "fake_clang.py")}
        client.notify("workspace/didChangeConfiguration",
                      settings={**settings, "uniformHints": True})
        hint, = client.of("inlayHint", self.file)
        self.assertEqual(hint["label"], "warp-uniform, poisson(30)")
        client.notify("workspace/didChangeConfiguration", settings={**settings, "uniformHints": 1})
        self.assertEqual(client.of("inlayHint", self.file), [])
        said = [m for m in client.heard if "'uniformHints'" in str(m.get("params"))]
        self.assertEqual(len(said), 1)

    def test_the_chain_is_answered_and_shown(self):
        client = self.begin()
        client.open(self.file)
        client.diagnostics(self.file)
        call = dict(command="divcost.showChain", arguments=[uri_of(self.file), LOOP, 2])
        steps = client.ask("workspace/executeCommand", **call)
        self.assertEqual(len(steps), 2)
        shown = client.wait_for(lambda m: m.get("method") == "window/showMessage")
        self.assertIn("sparse.cu:8: the loop ends", shown["params"]["message"])
        self.assertIsNone(client.ask("workspace/executeCommand", command="rm", arguments=[]))

    def test_a_client_that_can_do_little_gets_what_it_can_do(self):
        client = self.begin({}, showsChain=True)
        client.open(self.file)
        finding, = client.diagnostics(self.file)
        self.assertNotIn("relatedInformation", finding)
        self.assertEqual(client.at("hover", self.file, LOOP, 3)["contents"]["kind"], "plaintext")
        client.ask("workspace/executeCommand", command="divcost.showChain",
                   arguments=[uri_of(self.file), LOOP, 2])
        self.assertEqual([m for m in client.heard if m.get("method") != "window/logMessage"], [])

    def action(self, client, title, line=LOOP, finding=None):
        place = {"line": line, "character": 8}
        actions = client.of("codeAction", self.file, range={"start": place, "end": place},
                            context={"diagnostics": [finding] if finding else []})
        return next(a for a in actions if a["title"].startswith(title))

    def apply(self, edit, text):
        lines = text.splitlines(True)
        for change in reversed(edit["changes"][uri_of(self.file)]): # the last one moves no other
            start = change["range"]["start"]
            self.assertEqual(change["range"]["end"], start)
            line = lines[start["line"]]
            lines[start["line"]] = line[:start["character"]] + change["newText"] + \
                line[start["character"]:]
        return "".join(lines)

    INCLUDE = "#include <divcost.h>\n"

    def test_silencing_inserts_the_macro_before_the_loop(self):
        """And its header, where the file doesn't have it: behind the last one, or in front."""
        ignored = SOURCE.replace("  for", '  DIVCOST_IGNORE("reason")\n  for')
        for above, header, below in (
                ("", self.INCLUDE, ""), ("// Mine.\n\n/* All\nof it. */\n", self.INCLUDE, ""),
                ('#include "a.h"\n# include <b.h>\n', self.INCLUDE, "#if A\n#endif\n"),
                ("#ifndef A\n#define A\n#include <a.h>\n", self.INCLUDE, "#if B\n#include <b.h>\n#endif\n"),
                ("", "", "// divcost.h is here\n")):
            text = above + below + SOURCE
            line = LOOP + above.count("\n") + below.count("\n")
            for ending in ("\n", "\r\n"):
                client = self.begin()
                client.open(self.file, SOURCE.replace("\n", ending))
                client.diagnostics(self.file)
                client.change(self.file, 2, {"text": text.replace("\n", ending)})
                edit = self.action(client, "Ignore", line)["edit"]
                self.assertEqual(self.apply(edit, text.replace("\n", ending)),
                                 (above + header + below + ignored).replace("\n", ending))
                self.assertEqual(client.end(), 0)

    def test_a_loop_behind_something_gets_a_line_of_its_own(self):
        client = self.begin()
        text = SOURCE.replace("  for", "x;for").replace("\n\nx;", "\n  \nx;")
        client.open(self.file, text)
        client.diagnostics(self.file)
        self.assertIn('x;\nDIVCOST_IGNORE("reason")\nfor (',
                      self.apply(self.action(client, "Ignore")["edit"], text))

    def edit_report(self, edit):
        with open(os.path.join(SAMPLES, "sample.json")) as file:
            report = json.load(file)
        edit(report["kernels"][0])
        self.client_report = self.write("edited.json", json.dumps(report))

    def test_trip_counts_are_what_is_known_of_them(self):
        def forget(kernel): # the annotation
            for loop in kernel["skeleton"]["loops"]:
                loop.pop("distribution", None)
            for estimate in kernel["estimates"]:
                for loop in estimate["loops"]:
                    loop["from"] = "assumed"
        self.edit_report(forget)
        client = self.begin()
        client.open(self.file)
        finding, = client.diagnostics(self.file)
        action = self.action(client, "Say its", finding=finding)
        self.assertEqual(action["title"], "Say its trip counts: DIVCOST_TRIPS(poisson(64))")
        self.assertEqual(action["diagnostics"], [finding])
        self.assertIn("\n  DIVCOST_TRIPS(poisson(64))\n  for (", self.apply(action["edit"], SOURCE))

    def test_a_launch_is_said_before_the_kernels_declaration(self):
        above = "int f() { return 1; } // }\n#define N \\\n  3;\n"
        head = "template <int A>\n// of rows;\nstatic\n"
        client = self.begin()
        client.open(self.file)
        client.diagnostics(self.file)
        client.change(self.file, 2, {"text": above + head + SOURCE})
        action = self.action(client, "Say how", 6)
        self.assertRegex(action["title"], r"^Say how it is launched: DIVCOST_LAUNCH\(block=\d+.*\)$")
        annotation = action["title"].partition(": ")[2]
        self.assertEqual(self.apply(action["edit"], above + head + SOURCE),
                         self.INCLUDE + above + annotation + "\n" + head + SOURCE)

    def test_a_barrier_is_silenced_on_its_line(self):
        client = self.begin()
        text = SOURCE + 9 * "\n" + "    __syncthreads();\n"
        client.open(self.file, text)
        said = client.diagnostics(self.file)
        barrier, = [d for d in said if d["code"] == "divcost-barrier"]
        self.assertEqual(barrier["range"]["start"], {"line": 21, "character": 4})
        silence = client.of("codeAction", self.file, range=barrier["range"],
                            context={"diagnostics": [barrier]})[0]
        self.assertEqual(silence["diagnostics"], [barrier])
        self.assertIn("    __syncthreads(); // NOLINT(divcost-barrier): reason\n",
                      self.apply(silence["edit"], text))

    def test_a_loop_out_of_a_macro_gets_no_annotation_but_a_comment(self):
        client = self.begin()
        text = SOURCE.replace("for (", "FOR (")
        client.open(self.file, text)
        finding, = client.diagnostics(self.file)
        place = {"line": LOOP, "character": 3}
        actions = client.of("codeAction", self.file, range={"start": place, "end": place},
                            context={"diagnostics": [finding]})
        self.assertEqual([a["title"] for a in actions], [
            "Silence this line, with a reason: // NOLINT(divcost-imbalance): reason",
            "Show why lanes diverge in this loop", "Open the report of this file"])
        self.assertIn("++i) { // NOLINT(divcost-imbalance): reason\n",
                      self.apply(actions[0]["edit"], text))

    def test_the_report_is_opened_as_a_page(self):
        for can, method in (({**ALL, "window": {"showDocument": {"support": True}}}, "showDocument"),
                            (ALL, "showMessage")):
            client = self.begin(can)
            client.open(self.file)
            client.diagnostics(self.file)
            command = self.action(client, "Open the report")["command"]
            uri = client.ask("workspace/executeCommand", command=command["command"],
                             arguments=command["arguments"])
            if uri is None: # the build has no page
                shown = client.wait_for(lambda m: m.get("method") == "window/showMessage")
                self.assertIn("--html: this build has no HTML report", shown["params"]["message"])
                return
            shown = client.wait_for(lambda m: m.get("method") == "window/" + method)
            path = uri.replace("file://", "")
            if method == "showDocument":
                self.assertEqual(shown["params"], {"uri": uri, "external": True})
            else:
                self.assertIn(path, shown["params"]["message"])
            with open(path) as file:
                self.assertIn("spmv_csr", block(file.read(), "index"))
            self.assertIsNone(client.ask("workspace/executeCommand", command="divcost.openPage",
                                         arguments=["file:///no/such.cu"]))
            self.assertEqual(client.end(), 0)
            self.assertFalse(os.path.exists(path))

    def test_positions_count_utf16_or_what_was_agreed_on(self):
        text = SOURCE.replace("  for (int i = row[r]", "/*\U0001f600\u00e9*/for (int i = row[r]")
        text = text.replace("\n\n/*", "\n\n/*")
        for encoding, begin in (("utf-16", 7), ("utf-8", 10)):
            client = self.begin({**ALL, "general": {"positionEncodings": [encoding, "utf-16"]}})
            client.open(self.file, text)
            client.diagnostics(self.file)
            # The sample's column 3 is in the comment; the hint stands behind what begins there.
            client.change(self.file, 2, {"text": "\U0001f600", "range": {
                "start": {"line": LOOP, "character": begin},
                "end": {"line": LOOP, "character": begin + 3}}})
            client.diagnostics(self.file, 2)
            self.assertEqual(self.compiled()[-1]["text"],
                             text.replace("*/for", "*/\U0001f600"))
            self.assertEqual(client.end(), 0)

    def test_uris_with_escapes_name_their_files(self):
        path = self.write("a b/\u00e9%41#.cu", SOURCE)
        client = self.begin()
        client.open(path)
        self.assertEqual(len(client.diagnostics(path)), 1)
        self.assertIn(path, self.compiled()[-1]["arguments"])
        client.notify("textDocument/didOpen", textDocument={
            "uri": "untitled:Untitled-1", "languageId": "cuda", "version": 1, "text": SOURCE})
        said = client.wait_for(lambda m: "untitled" in str(m.get("params")))
        self.assertIn("no file", said["params"]["message"])

    def test_a_file_that_is_not_there_yet_is_compiled_from_its_text(self):
        path = os.path.join(self.folder, "new.cu")
        client = self.begin()
        client.open(path, SOURCE)
        self.assertEqual(len(client.diagnostics(path)), 1)
        call = self.compiled()[-1]
        self.assertEqual(call["text"], SOURCE)
        self.assertIn(self.folder, call["arguments"]) # where it includes from

    def test_a_semicolon_in_a_name_does_not_part_it(self):
        path = self.write("a;b.cu", SOURCE)
        client = self.begin()
        client.open(path)
        self.assertEqual(len(client.diagnostics(path)), 1)
        call = self.compiled()[-1]
        self.assertEqual(call["text"], SOURCE)
        self.assertNotIn("-remap-file", call["arguments"]) # it takes two names with one between

    def test_a_file_that_vanishes_is_analysed_again_from_its_text(self):
        client = self.begin()
        client.open(self.file)
        client.diagnostics(self.file)
        os.unlink(self.file)
        client.change(self.file, 2, insertion(0, 0, "// again\n"))
        self.assertEqual(len(client.diagnostics(self.file, 2)), 1)
        self.assertEqual(self.compiled()[-1]["text"], "// again\n" + SOURCE)


class Edits(Base):
    def opened(self, **options):
        client = self.begin(**options)
        client.open(self.file)
        client.diagnostics(self.file)
        return client

    def test_what_is_unsaved_is_compiled_after_a_pause(self):
        client = self.opened()
        for k in range(9):
            client.change(self.file, 2 + k, insertion(1, 0, "// %d\n" % k))
            time.sleep(0.15)
        client.diagnostics(self.file, 10)
        texts = [call["text"] for call in self.compiled()]
        self.assertLess(len(texts), 10) # 2, unless the machine pauses too
        self.assertIn("// 8\n// 7\n// 6\n// 5\n", texts[-1])

    def test_what_is_stale_is_not_shown(self):
        client = self.begin()
        client.open(self.file, SOURCE + "// fake: slow\n")
        self.eventually(self.compiled)
        client.change(self.file, 2, {"text": SOURCE + "// fake: nothing\n"})
        self.assertEqual(client.diagnostics(self.file), [])

    def test_saving_analyses_at_once(self):
        client = self.opened()
        client.notify("textDocument/didSave", textDocument={"uri": uri_of(self.file)})
        client.diagnostics(self.file)
        self.assertEqual(len(self.compiled()), 2)

    def line_of_hint(self, client):
        hints = client.of("inlayHint", self.file)
        return hints[0]["position"]["line"] if hints else None

    def test_results_follow_edits_above_and_leave_lines_that_change(self):
        client = self.opened()
        client.change(self.file, 2, insertion(2, 0, "  int a;\n  int b;\n"))
        self.assertEqual(self.line_of_hint(client), LOOP + 2)
        self.assertIsNotNone(client.at("hover", self.file, LOOP + 2, 3))
        client.change(self.file, 3, insertion(LOOP + 3, 0, "  int below;\n"))
        self.assertEqual(self.line_of_hint(client), LOOP + 2)
        client.change(self.file, 4, insertion(LOOP + 2, 8, "long "))
        self.assertIsNone(self.line_of_hint(client))
        self.assertIsNone(client.at("hover", self.file, LOOP + 2, 3))
        client.change(self.file, 5, {"text": SOURCE}) # nothing comes back before it is compiled
        self.assertIsNone(self.line_of_hint(client))
        client.diagnostics(self.file, 5)
        self.assertEqual(self.line_of_hint(client), LOOP)

    def test_a_new_text_as_a_whole_moves_what_stayed(self):
        client = self.opened()
        client.change(self.file, 2, {"text": "// first\n\n" + SOURCE})
        self.assertEqual(self.line_of_hint(client), LOOP + 2)

    def test_a_change_kills_the_compiler_that_runs(self):
        client = self.begin()
        client.open(self.file, SOURCE + "// fake: hang\n")
        self.eventually(self.compiled)
        pid = self.compiled()[0]["pid"]
        client.change(self.file, 2, {"text": SOURCE})
        client.diagnostics(self.file, 2)
        self.ended(pid)

    def test_requests_are_answered_while_compilers_hang(self):
        client = self.opened()
        for k in range(6): # more than run at a time
            client.open(self.write("hang%d.cu" % k, "// fake: hang\n"))
        self.eventually(lambda: len(self.compiled()) > 1)
        self.assertIsNotNone(client.at("hover", self.file, LOOP, 3))
        for k in range(6):
            client.close(os.path.join(self.folder, "hang%d.cu" % k))
        client.notify("textDocument/didSave", textDocument={"uri": uri_of(self.file)})
        client.diagnostics(self.file)

    def test_a_compiler_that_takes_too_long_is_stopped(self):
        client = self.begin(timeLimit=4)
        client.open(self.file, "// fake: hang\n")
        said, = client.diagnostics(self.file)
        self.assertEqual(said["message"], "not analysed: the compiler took longer than 4 seconds")
        self.ended(self.compiled()[0]["pid"])

    def test_closing_clears_what_was_shown(self):
        client = self.opened()
        client.close(self.file)
        self.assertEqual(client.diagnostics(self.file), [])
        self.assertIsNone(client.at("hover", self.file, LOOP, 3))

    def test_open_headers_are_compiled_as_they_are_and_shown_what_is_known_of_them(self):
        header = self.write("rows.cuh", SOURCE)
        client = self.begin()
        client.open(self.file, SOURCE + "// fake: header\n")
        self.assertEqual(client.diagnostics(self.file), [])
        self.assertEqual([d["code"] for d in client.diagnostics(header)],
                         ["divcost-imbalance", "divcost-barrier"])
        client.open(header) # as it is in the editor, the line of the other one isn't there
        self.assertEqual([d["code"] for d in client.diagnostics(header, 1)], ["divcost-imbalance"])
        client.diagnostics(self.file)
        client.change(header, 2, insertion(0, 0, "// one line more\n"))
        self.assertIn("40%", client.at("hover", header, LOOP + 1, 3)["contents"]["value"])
        client.diagnostics(self.file)
        self.assertEqual(self.compiled()[-1]["headers"], {header: "// one line more\n" + SOURCE})
        client.close(self.file)
        self.assertEqual(client.wait_for(
            lambda m: m.get("method", "").endswith("publishDiagnostics") and
            m["params"]["uri"] == uri_of(header) and not m["params"]["diagnostics"]
        )["params"]["version"], 2)


    def test_a_file_that_another_one_includes_needs_not_compile_by_itself(self):
        part = self.write("rows.cuh", SOURCE) # under another name, as the fake compiler has it
        os.rename(part, self.file)
        os.symlink(self.file, part)
        client = self.begin()
        whole = self.write("whole.cu", "// fake: header\n")
        client.open(self.file, SOURCE + "// fake: error 1:1: error: no\n")
        self.assertEqual([d["code"] for d in client.diagnostics(self.file, 1)],
                         ["divcost-not-analysed"])
        client.open(whole)
        self.assertEqual([d["code"] for d in client.diagnostics(self.file, 1)],
                         ["divcost-imbalance"])
        client.diagnostics(whole)
        client.change(self.file, 2, insertion(0, 0, "// one line more\n"))
        client.diagnostics(whole)
        calls = [call for call in self.compiled() if whole in call["arguments"]]
        self.assertIn("// one line more", calls[-1]["headers"][self.file])


class Progress(Base):
    def begin_with_progress(self, word, answer=None):
        """A session, a file that is being analysed, and the token that the client was asked about."""
        client = self.begin({**ALL, "window": {"workDoneProgress": True}})
        client.open(self.file, SOURCE + "// fake: " + word + "\n")
        asked = client.wait_for(lambda m: m.get("method") == "window/workDoneProgress/create")
        client.send({"jsonrpc": "2.0", "id": asked["id"], **(answer or {"result": None})})
        return client, asked["params"]["token"]

    def told(self, client, token):
        message = client.wait_for(lambda m: m.get("method") == "$/progress" and
                                  m["params"]["token"] == token)
        return message["params"]["value"]

    def test_an_analysis_is_told_from_begin_to_end(self):
        client, token = self.begin_with_progress("slow")
        begun = self.told(client, token)
        self.assertEqual((begun["kind"], begun["title"], begun["cancellable"]),
                         ("begin", "divcost: analysing sparse.cu", True))
        self.assertEqual(self.told(client, token), {"kind": "end", "message": "done"})
        self.assertEqual(len(client.diagnostics(self.file)), 1)

    def test_each_analysis_has_its_own_token_and_ends_it_when_a_change_stops_it(self):
        client, token = self.begin_with_progress("hang")
        self.assertEqual(self.told(client, token)["kind"], "begin")
        client.change(self.file, 2, {"text": SOURCE + "// fake: error 1:1: error: oh\n"})
        self.assertEqual(self.told(client, token), {"kind": "end", "message": "stopped"})
        asked = client.wait_for(lambda m: m.get("method") == "window/workDoneProgress/create")
        self.assertNotEqual(asked["params"]["token"], token)
        client.diagnostics(self.file, 2)
        client.send({"jsonrpc": "2.0", "id": asked["id"], "result": None}) # late: it has ended
        self.assertEqual([self.told(client, asked["params"]["token"])["kind"] for _ in range(2)],
                         ["begin", "end"])

    def test_the_user_stops_an_analysis(self):
        client, token = self.begin_with_progress("hang")
        self.assertEqual(self.told(client, token)["kind"], "begin")
        self.eventually(self.compiled)
        client.notify("window/workDoneProgress/cancel", token="another")
        client.notify("window/workDoneProgress/cancel", token=token)
        self.assertEqual(self.told(client, token), {"kind": "end", "message": "stopped"})
        self.ended(self.compiled()[0]["pid"])
        client.change(self.file, 2, {"text": SOURCE})
        self.assertEqual(len(client.diagnostics(self.file, 2)), 1)

    def test_first_results_are_shown_while_the_whole_is_analysed(self):
        client, token = self.begin_with_progress("first")
        barriers = 15 * "\n" # the second kernel's barrier stands in line 22
        self.assertEqual(self.told(client, token)["kind"], "begin")
        self.assertEqual(self.told(client, token), {
            "kind": "report",
            "message": "first results are shown, other instances of templates follow"})
        self.assertEqual(client.diagnostics(self.file), [])
        self.assertIsNone(client.at("hover", self.file, LOOP, 3)) # it is of the first kernel
        self.assertEqual([d["code"] for d in client.diagnostics(self.file)], ["divcost-imbalance"])
        self.assertEqual(self.told(client, token), {"kind": "end", "message": "done"})
        client.change(self.file, 2, {"text": SOURCE + barriers + "// fake: first, then hang\n"})
        self.assertEqual([d["code"] for d in client.diagnostics(self.file, 2)], ["divcost-barrier"])
        client.change(self.file, 3, {"text": SOURCE})
        self.assertEqual([d["code"] for d in client.diagnostics(self.file, 3)],
                         ["divcost-imbalance"])

    def test_a_client_that_does_not_agree_is_told_nothing(self):
        client, _ = self.begin_with_progress("slow", {"error": {"code": -32601, "message": "no"}})
        client.diagnostics(self.file)
        self.assertEqual([m for m in client.heard if m.get("method") == "$/progress"], [])


class Failures(Base):
    def said(self, word, **options):
        client = self.begin(**options)
        client.open(self.file, SOURCE + "// fake: " + word + "\n")
        said, = client.diagnostics(self.file)
        self.assertEqual((said["code"], said["severity"]), ("divcost-not-analysed", 3))
        return said

    def test_an_error_in_the_file_is_shown_at_its_place(self):
        said = self.said("error 9:5: error: use of undeclared identifier 'sum'")
        self.assertEqual(said["message"], "not analysed, the file doesn't compile: use of undeclared "
                         "identifier 'sum'")
        self.assertEqual(said["range"], {"start": {"line": 8, "character": 4},
                                         "end": {"line": 8, "character": 7}})

    def test_what_was_known_before_an_error_stays(self):
        client = self.begin()
        client.open(self.file)
        client.diagnostics(self.file)
        client.change(self.file, 2, insertion(10, 0, "// fake: error 11:1: error: oh\n"))
        codes = [d["code"] for d in client.diagnostics(self.file, 2)]
        self.assertEqual(sorted(codes), ["divcost-imbalance", "divcost-not-analysed"])
        self.assertIsNotNone(client.at("hover", self.file, LOOP, 3))
        client.change(self.file, 3, {"text": SOURCE})
        self.assertEqual([d["code"] for d in client.diagnostics(self.file, 3)],
                         ["divcost-imbalance"])

    def test_a_compiler_that_crashes(self):
        self.assertEqual(self.said("crash")["message"],
                         "not analysed: the compiler was ended by signal 11")

    def test_half_a_report(self):
        self.assertIn("not analysed: the compiler's report can't be read: ",
                      self.said("half")["message"])

    def test_a_flood_of_bytes_that_are_no_text(self):
        self.assertEqual(self.said("noise")["message"],
                         "not analysed: the compiler failed with exit status 1")

    def test_no_toolkit_is_said_once(self):
        self.said("error 1:1: error: cannot find CUDA installation; provide its path")
        client = self.client
        client.notify("textDocument/didSave", textDocument={"uri": uri_of(self.file)})
        client.diagnostics(self.file)
        shown = [m for m in client.heard if m.get("method") == "window/showMessage"]
        self.assertEqual(len(shown), 1)
        self.assertIn("no CUDA Toolkit", shown[0]["params"]["message"])

    def test_no_compiler_and_no_plugin_are_said_once(self):
        client = self.start()
        client.initialize(clang="/no/such/clang", plugin=self.plugin)
        client.open(self.file)
        said, = client.diagnostics(self.file)
        self.assertIn("there is no program '/no/such/clang'", said["message"])
        client.open(self.write("other.cu", SOURCE))
        client.diagnostics(os.path.join(self.folder, "other.cu"))
        shown = [m for m in client.heard if m.get("method") == "window/showMessage"]
        self.assertEqual(len(shown), 1)
        client.notify("workspace/didChangeConfiguration", settings={"divcost": {
            "clang": os.path.join(HERE, "fake_clang.py"), "plugin": self.plugin}})
        self.assertEqual([d["code"] for d in client.diagnostics(self.file)], ["divcost-imbalance"])

    def test_what_is_suppressed_is_not_shown(self):
        client = self.begin()
        client.open(self.file, SOURCE + "// fake: suppressed\n")
        self.assertEqual(client.diagnostics(self.file), [])
        self.assertIsNotNone(client.at("hover", self.file, LOOP, 3))

    def test_a_unit_without_device_code_has_nothing(self):
        client = self.begin()
        client.open(self.file, SOURCE + "// fake: nothing\n")
        self.assertEqual(client.diagnostics(self.file), [])

    def test_settings_that_are_none_are_said_and_ignored(self):
        client = self.begin(flags="-DN", timeLimit="long", buildFolder=7, unknown=1)
        said = [m["params"]["message"] for m in client.heard
                if m.get("method") == "window/logMessage"]
        for name in ("flags", "timeLimit", "buildFolder"):
            self.assertEqual(len([text for text in said if "'%s'" % name in text]), 1)
        client.open(self.file)
        self.assertEqual(len(client.diagnostics(self.file)), 1)


class Commands(Base):
    def database(self, folder, *files):
        entries = [{"directory": self.folder, "file": name,
                    "arguments": ["clang++", "-DFOR=" + os.path.basename(name), "-c", name]}
                   for name in files]
        self.write(os.path.join(folder, "compile_commands.json"), json.dumps(entries))

    def arguments_of(self, client, path):
        client.open(path)
        client.diagnostics(path)
        return self.compiled()[-1]["arguments"]

    def logged(self, client, words):
        return [m for m in client.heard if m.get("method") == "window/logMessage"
                and words in m["params"]["message"]]

    def test_flags_are_those_of_the_build_and_those_set(self):
        self.database("build", "sparse.cu")
        client = self.begin(flags=["-DMINE"])
        given = self.arguments_of(client, self.file)
        self.assertIn("-DFOR=sparse.cu", given)
        self.assertIn("-DMINE", given)
        self.assertEqual(len(self.logged(client, "is compiled as")), 1)

    def test_a_file_that_the_build_does_not_know_is_compiled_like_its_neighbour(self):
        self.database("out", "sparse.cu")
        other = self.write("other.cu", SOURCE)
        client = self.begin(buildFolder=os.path.join(self.folder, "out"))
        self.assertIn("-DFOR=sparse.cu", self.arguments_of(client, other))

    def test_a_database_that_changes_is_read_again(self):
        self.database("build", "sparse.cu")
        client = self.begin()
        self.arguments_of(client, self.file)
        other = self.write("other.cu", SOURCE)
        time.sleep(0.02)
        self.database("build", "sparse.cu", "other.cu")
        self.assertIn("-DFOR=other.cu", self.arguments_of(client, other))

    def test_the_nearest_configuration_counts(self):
        self.write(".divcost", '{"divcost-config": 1, "arch": ["sm_80"]}')
        given = self.arguments_of(self.begin(), self.file)
        self.assertIn("-fplugin-arg-divcost-config=" + os.path.join(self.folder, ".divcost"), given)
        self.assertIn("--cuda-gpu-arch=sm_80", given)
        self.assertNotIn("--cuda-gpu-arch=sm_90", given)

    def test_without_a_build_it_says_which_flags_it_uses(self):
        client = self.begin()
        self.assertIn("--cuda-gpu-arch=sm_90", self.arguments_of(client, self.file))
        self.assertEqual(len(self.logged(client, "-x cuda --cuda-gpu-arch=sm_90")), 1)
        client.notify("workspace/didChangeConfiguration",
                      settings={"flags": ["--cuda-gpu-arch=sm_70"], "plugin": self.plugin,
                                "clang": os.path.join(HERE, "fake_clang.py")})
        client.diagnostics(self.file)
        given = self.compiled()[-1]["arguments"]
        self.assertEqual([a for a in given if a.startswith("--cuda-gpu-arch")],
                         ["--cuda-gpu-arch=sm_70"])


class Precompiled(Base):
    """What documents include, compiled once."""
    SOURCE = '#include "rows.cuh"\n' + SOURCE

    def kinds(self):
        return ["make" if "-emit-pch" in call["arguments"] else
                "with" if "-include-pch" in call["arguments"] else "whole" for call in self.compiled()]

    def wait_until_made(self, client, name="sparse.cu", words="are precompiled"):
        return client.wait_for(lambda m: m.get("method") == "window/logMessage" and
                               name + ": its headers " + words in m["params"]["message"])

    def opened(self, text, **options):
        client = self.begin(**options)
        client.open(self.file, text)
        client.diagnostics(self.file, 1)
        return client

    def shown(self):
        """To users; the log is another thing."""
        return [m for m in self.client.heard if m.get("method") == "window/showMessage"]

    def test_the_second_analysis_takes_them(self):
        client = self.opened(self.SOURCE)
        self.wait_until_made(client)
        make = self.compiled()[-1]
        self.assertEqual(make["text"], '#include "rows.cuh"\n')
        self.assertEqual(make["arguments"][:2], ["-iquote", self.folder])
        self.assertNotIn("-fplugin-arg-divcost-report", " ".join(make["arguments"]))
        client.change(self.file, 2, {"text": self.SOURCE + "// more\n"})
        finding, = client.diagnostics(self.file, 2)
        self.assertEqual(finding["range"]["start"]["line"], LOOP)
        self.assertEqual(self.kinds(), ["whole", "make", "with"])

    def test_what_includes_nothing_has_none(self):
        client = self.opened("#define A\n" + SOURCE)
        client.change(self.file, 2, {"text": "#define A\n" + SOURCE + "\n"})
        client.diagnostics(self.file, 2)
        self.assertEqual(self.kinds(), ["whole", "whole"])

    def test_they_are_of_one_architecture(self):
        flags = ["--cuda-gpu-arch=sm_80", "--cuda-gpu-arch=sm_90"]
        client = self.opened(self.SOURCE, flags=flags)
        client.change(self.file, 2, {"text": self.SOURCE + "\n"})
        client.diagnostics(self.file, 2)
        self.assertEqual(self.kinds(), ["whole", "whole"])

    def test_a_file_that_is_not_there_yet_has_them_too(self):
        path = os.path.join(self.folder, "new.cu")
        client = self.begin()
        client.open(path, self.SOURCE)
        client.diagnostics(path, 1)
        self.wait_until_made(client, "new.cu")
        self.assertEqual(self.compiled()[-1]["arguments"][:2], ["-iquote", self.folder])
        client.change(path, 2, {"text": self.SOURCE + "\n"})
        client.diagnostics(path, 2)
        self.assertEqual(self.kinds(), ["whole", "make", "with"])

    def test_another_beginning_or_command_has_others(self):
        client = self.opened(self.SOURCE)
        self.wait_until_made(client)
        text = "#define A 1\n" + self.SOURCE
        client.change(self.file, 2, {"text": text})
        client.diagnostics(self.file, 2)
        self.wait_until_made(client)
        self.assertEqual(self.kinds(), ["whole", "make"] * 2)
        folder, = os.listdir(self.temporary)
        self.assertEqual(len(os.listdir(os.path.join(self.temporary, folder))), 1)
        settings = {"plugin": self.plugin, "clang": os.path.join(HERE, "fake_clang.py")}
        client.notify("workspace/didChangeConfiguration", settings={**settings, "flags": ["-DB"]})
        client.diagnostics(self.file, 2)
        self.wait_until_made(client)
        self.assertEqual(self.kinds(), ["whole", "make"] * 3)
        client.change(self.file, 3, {"text": text + "\n"})
        client.diagnostics(self.file, 3)
        self.assertEqual(self.kinds()[6:], ["with"])

    def test_where_they_fail_the_file_is_compiled_whole_before_anybody_hears_of_it(self):
        text = self.SOURCE + "// fake pch: useless\n"
        client = self.opened(text)
        for version in range(2, 6):
            if version < 5:
                self.wait_until_made(client)
            client.change(self.file, version, {"text": text + version * "\n"})
            finding, = client.diagnostics(self.file, version)
            self.assertEqual(finding["code"], "divcost-imbalance")
        self.assertEqual(self.kinds(), ["whole"] + 3 * ["make", "with", "whole"] + ["whole"])
        self.assertEqual(self.shown(), [])

    def test_an_error_of_the_text_is_none_of_theirs(self):
        client = self.opened(self.SOURCE)
        self.wait_until_made(client)
        client.change(self.file, 2, {"text": self.SOURCE + "// fake: error 9:7: error: no\n"})
        found = client.diagnostics(self.file, 2)
        failure, = [d for d in found if d["code"] == "divcost-not-analysed"]
        self.assertEqual(failure["range"]["start"], {"line": 8, "character": 6})
        client.change(self.file, 3, {"text": self.SOURCE})
        client.diagnostics(self.file, 3)
        self.assertEqual(self.kinds(), ["whole", "make", "with", "whole", "with"])

    def test_headers_that_lose_something_are_not_tried_again(self):
        text = "// fake pch: lost\n" + self.SOURCE
        client = self.opened(text)
        self.wait_until_made(client, words="aren't precompiled")
        for version in (2, 3):
            client.change(self.file, version, {"text": text + version * "\n"})
            client.diagnostics(self.file, version)
        client.change(self.file, 4, {"text": self.SOURCE})
        client.diagnostics(self.file, 4)
        self.wait_until_made(client)
        self.assertEqual(self.kinds(), ["whole", "make", "whole", "whole", "whole", "make"])
        self.assertEqual(self.shown(), [])

    def test_an_analysis_waits_for_nothing(self):
        text = "// fake pch: slow\n" + self.SOURCE
        client = self.opened(text)
        self.eventually(lambda: "make" in self.kinds())
        client.notify("textDocument/didSave", textDocument={"uri": uri_of(self.file)})
        client.diagnostics(self.file)
        self.assertEqual(self.kinds(), ["whole", "make", "whole"])
        made = [m for m in client.heard if "are precompiled" in str(m.get("params"))]
        self.assertEqual(made, [])
        client.close(self.file) # and with it, what is being made
        self.eventually(lambda: os.listdir(os.path.join(self.temporary,
                                                        os.listdir(self.temporary)[0])) == [])

    def test_a_header_that_is_edited_counts_as_it_is_in_the_editor(self):
        header = self.write("rows.cuh", "int a;\n")
        client = self.opened(self.SOURCE)
        self.wait_until_made(client)
        client.open(header) # as it is on disk
        client.diagnostics(self.file, 1)
        client.change(header, 2, {"text": "int b;\n"})
        client.diagnostics(self.file, 1)
        self.assertEqual(self.kinds(), ["whole", "make", "with", "whole"])
        self.assertEqual(self.compiled()[-1]["headers"], {header: "int b;\n"})
        self.write("rows.cuh", "int b;\n")
        client.notify("textDocument/didSave", textDocument={"uri": uri_of(header)})
        client.diagnostics(self.file, 1)
        self.wait_until_made(client)
        self.assertEqual(self.kinds()[4:], ["whole", "make"])

    def test_the_last_eight_are_kept_and_go_with_their_documents(self):
        client = self.begin()
        names = ["many%d.cu" % k for k in range(9)]
        for name in names:
            path = self.write(name, self.SOURCE)
            client.open(path)
            client.diagnostics(path, 1)
            self.wait_until_made(client, name)
        inside = os.path.join(self.temporary, os.listdir(self.temporary)[0])
        self.eventually(lambda: len(os.listdir(inside)) == 8)
        for name in (names[1], names[0]):  # a header that is made again takes the place of another
            path = os.path.join(self.folder, name)
            client.notify("textDocument/didSave", textDocument={"uri": uri_of(path)})
            client.diagnostics(path, 1)
        self.assertEqual(self.kinds()[18:20], ["with", "whole"])
        for name in names:
            client.close(os.path.join(self.folder, name))
        self.eventually(lambda: os.listdir(inside) == [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
