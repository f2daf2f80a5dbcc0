# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A client of `divcost lsp`, as plain as can be: frames and JSON, and bytes where a test wants them."""
import json
import os
import select
import subprocess
import time
import urllib.parse

ALL = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {"publishDiagnostics": {"relatedInformation": True},
                     "hover": {"contentFormat": ["markdown", "plaintext"]}},
    "workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}},
}


def uri_of(path):
    return "file://" + urllib.parse.quote(path)


class Client:
    def __init__(self, command, folder=None, environment=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        cwd=folder, env=environment)
        self.buffer = b""
        self.heard = [] # messages that nobody waited for
        self.last_id = 0

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, **parameters):
        self.send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def receive(self, seconds=20):
        """The next message; None at the end of the server's output."""
        until = time.monotonic() + seconds
        while True:
            head, blank, rest = self.buffer.partition(b"\r\n\r\n")
            if blank:
                size = int(head.split(b":")[1])
                if len(rest) >= size:
                    self.buffer = rest[size:]
                    return json.loads(rest[:size])
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise TimeoutError("nothing from the server in %g s" % seconds)
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.buffer += data

    def wait_for(self, wanted, seconds=20):
        """The first message for which wanted(message) holds, among those that came, then of those to
        come."""
        for k, message in enumerate(self.heard):
            if wanted(message):
                return self.heard.pop(k)
        until = time.monotonic() + seconds
        while True:
            message = self.receive(max(until - time.monotonic(), 0.01))
            if message is None:
                raise EOFError("the server has ended")
            if wanted(message):
                return message
            self.heard.append(message)

    def request(self, method, seconds=20, **parameters):
        """The answer, a result or an error."""
        self.last_id += 1
        number = self.last_id
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        return self.wait_for(lambda m: m.get("id") == number and "method" not in m, seconds)

    def ask(self, method, **parameters):
        answer = self.request(method, **parameters)
        if "result" not in answer:
            raise AssertionError(answer)
        return answer["result"]

    def initialize(self, capabilities=None, **options):
        result = self.ask("initialize", processId=os.getpid(), rootUri=None,
                          capabilities=ALL if capabilities is None else capabilities,
                          initializationOptions=options)
        self.notify("initialized")
        return result

    def open(self, path, text=None, version=1):
        if text is None:
            with open(path, newline="") as file:
                text = file.read()
        self.notify("textDocument/didOpen", textDocument={
            "uri": uri_of(path), "languageId": "cuda", "version": version, "text": text})

    def change(self, path, version, *changes):
        self.notify("textDocument/didChange", contentChanges=list(changes),
                    textDocument={"uri": uri_of(path), "version": version})

    def close(self, path):
        self.notify("textDocument/didClose", textDocument={"uri": uri_of(path)})

    def diagnostics(self, path, version=None, seconds=20):
        """Those that are published next, of this version if one is given."""
        message = self.wait_for(lambda m: m.get("method") == "textDocument/publishDiagnostics" and
                                m["params"]["uri"] == uri_of(path) and
                                version in (None, m["params"].get("version")), seconds)
        return message["params"]["diagnostics"]

    def at(self, method, path, line, character, **more):
        return self.ask("textDocument/" + method, textDocument={"uri": uri_of(path)},
                        position={"line": line, "character": character}, **more)

    def of(self, method, path, **more):
        return self.ask("textDocument/" + method, textDocument={"uri": uri_of(path)}, **more)

    def end(self):
        """Shuts the server down as one should; its exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.gone()

    def gone(self, seconds=20):
        """The exit status of a server that ends by itself."""
        self.process.stdin.close()
        status = self.process.wait(seconds)
        self.process.stdout.close()
        return status
