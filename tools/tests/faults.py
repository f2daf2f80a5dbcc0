#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""faults.py DIVCOST SAMPLES [--full] [--command TEXT] [--fault NAME ...]: every command under every fault.

A run has status 0 only with what it prints without the fault; from a changed input, with output that is
sound. Otherwise it has status 1 or 2, and a line on standard error that names the file or the stream. It
never dies of a signal, hangs, leaves half of a file, or a temporary one. A table of commands and faults
is printed: how many runs each cell had, and how many of these broke the rule. The exit status is 1 if any
did. Without --full it is a part of that, of less than a minute."""
import argparse
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import fault_commands

LIMIT = 20 # seconds, after which a run hangs
MEMORY = 400 << 20
NOBODY = 65534
OLD = b'{"divcost-baseline": 1, "findings": []}\n'
ABSURD = [b"0", b"-1", b"2147483648", b"9223372036854775808", b"18446744073709551616", b"1e308", b"NaN"]
NUMBER = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?')
DIVCOST = MOUNTED = None
LIMITED = True


class Run:
    """A command in a folder of its own, with its faults; and what came of it."""

    def __init__(self, command, inputs=None, outputs=None, stdin=None, limits=None, user=None,
                 prepare=None, full_disk=False, streams=()):
        self.command, self.limits, self.user, self.streams = command, limits or {}, user, streams
        self.folder = tempfile.mkdtemp(prefix="divcost-faults-")
        os.chmod(self.folder, 0o777)
        self.temporary = MOUNTED if full_disk else os.path.join(self.folder, "tmp")
        os.makedirs(self.temporary, exist_ok=True)
        os.chmod(self.temporary, 0o777)
        os.mkdir(os.path.join(self.folder, "build"))
        os.chmod(os.path.join(self.folder, "build"), 0o777)
        for name, content in (command.inputs if inputs is None else inputs).items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(self.here(content))
        self.words = [self.here(word.encode()).decode() for word in command.words]
        for name in command.outputs:
            where = (outputs or {}).get(name)
            if where:
                self.words[self.words.index(name)] = where
            else:
                with open(os.path.join(self.folder, name), "wb") as file:
                    file.write(OLD)
        self.writer = prepare(self.folder) if prepare else None
        self.before = self.files()
        self.stdin = command.stdin if stdin is None else stdin
        self.wrap = lambda words: words

    def here(self, content):
        return content.replace(b"%s/", self.folder.encode() + b"/") if b"%s/" in content else content

    def files(self):
        found = {os.path.relpath(os.path.join(folder, name), self.folder)
                 for folder, _, names in os.walk(self.folder) for name in names}
        return found | {"tmp/" + name for name in os.listdir(self.temporary)}

    def set_up(self):
        for what, value in self.limits.items():
            resource.setrlimit(what, (value, value))
        for stream, how in self.streams:
            if how == "closed":
                os.close(stream)
            else:
                os.dup2(os.open("/dev/full", os.O_WRONLY), stream)
        if self.user is not None:
            os.setgid(self.user)
            os.setuid(self.user)

    def start(self):
        environment = {**os.environ, "TMPDIR": self.temporary, "LC_ALL": "C.UTF-8",
                       **{key: value.replace("%s", self.folder)
                          for key, value in self.command.environment.items()}}
        self.process = subprocess.Popen(self.wrap([DIVCOST, *self.words]), cwd=self.folder, env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, preexec_fn=self.set_up)
        return self

    def wait(self):
        self.hangs = False
        try:
            self.stdout, self.stderr = self.process.communicate(self.stdin, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.hangs = True
            self.process.kill()
            self.stdout, self.stderr = self.process.communicate()
        self.status = self.process.returncode
        if self.writer:
            self.writer.kill()
            self.writer.wait()
        return self

    def finish(self):
        """Takes the outputs and what was left behind, and clears the folder away."""
        self.left = sorted(name for name in self.files() - self.before
                           if not name.startswith(self.command.kept or "\0"))
        self.outputs = {}
        for name in self.command.outputs:
            path = os.path.join(self.folder, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    self.outputs[name] = self.unnamed(file.read())
        self.stdout, self.stderr = self.unnamed(self.stdout), self.unnamed(self.stderr)
        if self.temporary == MOUNTED:
            for name in os.listdir(MOUNTED):
                if name != "filling":
                    os.unlink(os.path.join(MOUNTED, name))
        shutil.rmtree(self.folder)
        return self

    def unnamed(self, content):
        return content.replace(self.folder.encode(), b"FOLDER")


def run(command, **faults):
    return Run(command, **faults).start().wait().finish()


# ---- the rule ------------------------------------------------------------------------------------

def refuse(constant):
    raise ValueError("'%s' is no JSON" % constant)


def unsound(form, content):
    """What is wrong with output of that form, or None."""
    try:
        if form == "json":
            json.loads(content, parse_constant=refuse)
        elif form == "jsonl":
            for line in content.splitlines():
                json.loads(line, parse_constant=refuse)
        elif form == "text" and (not content or re.search(rb"\b(nan|inf)\b", content)):
            return "output that is empty or has figures that are none"
    except ValueError as error:
        return "output that can't be read: %s" % error
    return None


def names_it(stderr, names):
    return any(line.startswith(b"divcost: ") and any(name.encode() in line for name in names)
               for line in re.split(rb"[\n\r]", stderr))


def unsound_profile(content):
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return subprocess.run([DIVCOST, "profile", "show", file.name], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode != 0


def files_broken(done, right, changed=False):
    if done.left:
        return "left %s" % ", ".join(done.left)
    for name, content in done.outputs.items():
        whole = content in (OLD, right.outputs.get(name)) or ((changed or done.status) and not (
            unsound_profile(content) if name.endswith("divprof") else unsound("json", content)))
        if not whole:
            return "%s is neither the old nor a complete one" % name
    return None


def broken(done, right, names, changed=False, lost=()):
    """How a run breaks the rule, or None. `right` is the run without the fault; `names`: what its
    message has to have one of; `changed`: the input is another; `lost`: streams that can't be read."""
    if done.hangs:
        return "hangs"
    if done.status not in (0, 1, 2):
        return "exit status %d" % done.status
    files = files_broken(done, right, changed)
    if files:
        return files
    same = done.outputs == right.outputs and ("stdout" in lost or done.stdout == right.stdout) and (
        "stderr" in lost or done.stderr == right.stderr)
    if done.status == right.status and same:
        for stream in lost:
            if getattr(right, stream) and done.status == 0:
                return "exit status %d, though %s is lost" % (done.status, stream)
        return None
    if done.status == 0 and not changed:
        return "exit status 0 with other output"
    if done.status == 0 or changed and done.status == right.status == 1 and done.stdout:
        return unsound(done.command.form, done.stdout)
    if "stderr" not in lost and not names_it(done.stderr, names):
        return "exit status %d, and no message names %s: %r" % (done.status, " or ".join(names),
                                                                 done.stderr[-300:])
    if changed and done.stdout and not done.command.streams:
        return "exit status %d with a part of the output" % done.status
    return None


# ---- faults --------------------------------------------------------------------------------------
# Each gives (what, violation or None) for the runs of a cell.

def streams(command, right, full):
    for stream, name in ((0, "stdin"), (1, "stdout"), (2, "stderr")):
        for how in ("closed", "full")[:1 + (stream > 0)]:
            needed = not stream and command.stdin
            done = run(command, streams=((stream, how),), stdin=b"" if not stream else None)
            what = "%s %s" % (name, how)
            if needed and done.status == 0:
                yield what, "exit status 0"
            else:
                yield what, broken(done, right, ["standard " + {"stdin": "input", "stdout": "output"}.get(
                    name, "error")], lost=(name,) if stream else ())


def full_outputs(command, right, full):
    for name in command.outputs:
        done = run(command, prepare=lambda folder: link(folder, name, "/dev/full"))
        yield name + " is /dev/full", broken(done, right, [name]) or (
            "exit status 0" if done.status == 0 else None)
        where = "missing/" + name
        yield "no folder for " + name, broken(run(command, outputs={name: where}), right, [where])


def link(folder, name, target):
    path = os.path.join(folder, name)
    if os.path.lexists(path):
        os.unlink(path)
    os.symlink(target, path)


def disk_names(command):
    return ["temporary file", "'divcost", "for results", "cannot make", *command.outputs, *command.inputs]


def full_disk(command, right, full):
    names = disk_names(command)
    for size in (0, 1, 512, 4096, 16384) if full else (0, 512):
        done = run(command, limits={resource.RLIMIT_FSIZE: size})
        yield "files of %d bytes" % size, broken(done, right, names)
    if MOUNTED:
        yield "TMPDIR is full", broken(run(command, full_disk=True), right, names)
        for name in command.outputs:
            where = os.path.join(MOUNTED, name)
            yield name + " on a full disk", broken(run(command, outputs={name: where}), right, [where])
            if os.path.exists(where):
                os.unlink(where)
                yield name, "half of it is on the full disk"


def places_of(command, size, full):
    count = (200 if full else 6) // command.places
    return range(0, size, max(1, size // max(count, 2)))


def inputs_of(command):
    """(name, content, run with other content)"""
    for name, content in command.inputs.items():
        if name != "plugin.so":
            yield name, content, lambda other, name=name: run(command, inputs={**command.inputs, name: other})
    if command.stdin:
        yield "standard input", command.stdin, lambda other: run(command, stdin=other)


def named(command, name):
    return [os.path.basename(name), *command.names]


def cuts(command, right, full):
    for name, content, with_input in inputs_of(command):
        for size in places_of(command, len(content), full):
            done = with_input(content[:size])
            why = broken(done, right, named(command, name), changed=True)
            if not why and done.status == 0 and command.cut_seen and done.stdout != right.stdout:
                why = "exit status 0 with half of the input"
            yield "%s cut to %d bytes" % (name, size), why


def spots(content):
    """(begin, end, absurd number to be put there), in text or in bytes."""
    if b"\0" in content:
        for at in range(0, len(content) - 8):
            for number in (bytes(4), b"\xff" * 4, b"\xff" * 8, b"\xff\xff\xff\x7f", b"\0\0\0\x80"):
                yield at, at + len(number), number
        return
    for match in NUMBER.finditer(content):
        if match[0][:1] != b'"':
            for number in ABSURD:
                yield match.start(), match.end(), number


def numbers(command, right, full):
    for name, content, with_input in inputs_of(command):
        there = list(spots(content))
        wanted = (2000 if full else 8) // command.places
        step = max(1, len(there) // max(wanted, 2))
        step += step > 1 and step % len(ABSURD) == 0 # else it would be the same number each time
        for begin, end, number in there[::step]:
            done = with_input(content[:begin] + number + content[end:])
            shown = number.hex() if b"\0" in content else number.decode()
            yield "%s: %s at byte %d" % (name, shown, begin), broken(
                done, right, named(command, name), changed=True)


def feed(folder, name):
    path = os.path.join(folder, name)
    os.rename(path, path + ".was")
    os.mkfifo(path)
    return subprocess.Popen(["sh", "-c", 'exec cat "$1.was" >"$1"', "sh", path])


def forbid(folder, name):
    os.chmod(os.path.join(folder, name), 0)


def make_folder(folder, name):
    os.unlink(os.path.join(folder, name))
    os.mkdir(os.path.join(folder, name))


def remove(folder, name):
    os.unlink(os.path.join(folder, name))


KINDS = {"a folder": make_folder, "a pipe": feed, "forbidden": forbid, "gone": remove,
         "/dev/zero": lambda folder, name: link(folder, name, "/dev/zero"),
         "empty": lambda folder, name: open(os.path.join(folder, name), "wb").close()}


def kinds(command, right, full):
    for name in command.inputs:
        for kind, change in KINDS.items():
            if kind == "/dev/zero" and (not LIMITED or "/" + name in command.environment.get(
                    "FAKE_REPORT", "")) or kind == "forbidden" and not can_forbid():
                continue
            limits = {resource.RLIMIT_AS: MEMORY} if LIMITED else {}
            done = run(command, prepare=lambda folder: change(folder, name), limits=limits,
                       user=NOBODY if kind == "forbidden" and os.getuid() == 0 else None)
            yield "%s is %s" % (name, kind), broken(done, right, named(command, name) + ["/dev/zero"],
                                                   changed=True)


def can_forbid():
    if os.getuid() != 0:
        return True
    try:
        return subprocess.run([DIVCOST, "--version"], stdout=subprocess.DEVNULL,
                              preexec_fn=lambda: os.setuid(NOBODY)).returncode == 0
    except OSError: # the command is in a folder of root's own
        return False


def twice(command, right, full):
    """Two runs that write the same files at once."""
    for _ in range(5 if full else 1) if command.outputs and not command.kept else ():
        one, two = Run(command), Run(command)
        shutil.rmtree(two.folder)
        two.folder, two.temporary, two.words = one.folder, one.temporary, one.words
        one.start(), two.start()
        one.wait(), two.wait()
        same = one.unnamed(two.stdout) == one.unnamed(one.stdout)
        yield "twice at once", broken(one.finish(), right, []) or (
            None if two.status == right.status and same else "the other has exit status %d" % two.status)


def signals(command, right, full):
    """What is ended in the middle leaves nothing, and its outputs old or complete."""
    for k in range(24 if full else 1):
        number = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)[k % 3]
        job = Run(command).start()
        if command.stdin:
            job.process.stdin.write(job.stdin)
            job.stdin = None
        time.sleep(right.seconds * (k + 1) / (24 if full else 2))
        job.process.send_signal(number)
        done = job.wait().finish()
        ended = done.status in (-number, 128 + number, right.status, 1)
        why = "hangs" if done.hangs else None if ended else "exit status %d" % done.status
        yield number.name, why or files_broken(done, right)


def without_proc(words):
    """Where /proc isn't mounted, files can't be without a name; for those who may unmount it."""
    return ["unshare", "--mount", "sh", "-c", 'umount -l /proc && exec "$@"', "sh", *words]


def can_go_without_proc():
    return subprocess.run(without_proc(["true"]), stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def named_files(command, right, full):
    """The same where a new file has a name from the start, which is how it is on NFS."""
    if not command.outputs or not LIMITED or not can_go_without_proc():
        return # sanitizers need /proc, and an address space without a limit
    def started(**faults):
        job = Run(command, **faults)
        job.wrap = without_proc
        return job.start()
    yield "no /proc", broken(started().wait().finish(), right, [])
    yield "no /proc, files of 64 bytes", broken(
        started(limits={resource.RLIMIT_FSIZE: 64}).wait().finish(), right, disk_names(command))
    for k in range(24 if full else 2):
        job = started()
        time.sleep(right.seconds * (k + 1) / (12 if full else 2))
        job.process.send_signal(signal.SIGTERM)
        done = job.wait().finish()
        yield "no /proc, SIGTERM", "hangs" if done.hangs else files_broken(done, right)


FAULTS = {"streams": streams, "outputs": full_outputs, "disk": full_disk, "cut": cuts, "numbers": numbers,
          "kinds": kinds, "twice": twice, "signals": signals, "named": named_files}


# ---- the table -----------------------------------------------------------------------------------

def row(job):
    """A command under faults: (fault, what, violation or None) for each run."""
    command, faults, full = job
    started = time.monotonic()
    right = run(command)
    right.seconds = time.monotonic() - started
    if right.status not in (0, 1) or right.left or right.status == 1 and b" fail" not in right.stderr:
        return command, [(faults[0], "no fault", "exit status %d: %r" % (right.status, right.stderr))]
    return command, [(fault, what, why) for fault in faults for what, why in FAULTS[fault](
        command, right, full)]


def set_up_worker(disks):
    """A full disk of its own, as a run clears its disk. And the pool ends its workers by SIGTERM: a handler
    in Python would only take note of it, and a worker that then waits for a lock waits forever."""
    global MOUNTED
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    MOUNTED = disks.get()


def mount_full():
    """A file system without room, for those who may mount one."""
    folder = tempfile.mkdtemp(prefix="divcost-full-")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "none", folder],
                      stderr=subprocess.DEVNULL).returncode != 0:
        os.rmdir(folder)
        return None
    try:
        with open(os.path.join(folder, "filling"), "wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
    except OSError:
        pass
    return folder


def can_limit():
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    return subprocess.run([DIVCOST, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          preexec_fn=limit).returncode == 0


def show(commands, faults, cells):
    print("%-24s" % "" + "".join("%12s" % fault for fault in faults))
    for command in commands:
        print("%-24s" % command.name, end="")
        for fault in faults:
            found = [why for its, _, why in cells[command.name] if its == fault]
            bad = sum(why is not None for why in found)
            print("%12s" % ("%d of %d" % (bad, len(found)) if bad else "%d" % len(found) if found else "-"),
                  end="")
        print()


def main():
    global DIVCOST, LIMITED
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("divcost")
    parser.add_argument("samples")
    parser.add_argument("--full", action="store_true", help="more places, more numbers")
    parser.add_argument("--command", default="", help="only commands with this in their names")
    parser.add_argument("--fault", choices=FAULTS, action="append", help="only this fault, and others so")
    asked = parser.parse_args()
    DIVCOST = os.path.abspath(asked.divcost)
    commands = [c for c in fault_commands.commands(asked.samples) if asked.command in c.name]
    faults = asked.fault or list(FAULTS)
    LIMITED = can_limit()
    jobs = [(command, faults, asked.full) for command in commands]
    cells = {}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1)) # what is mounted has to go
    disks = [mount_full() for _ in range(os.cpu_count())]
    to_take = multiprocessing.SimpleQueue()
    try:
        for disk in disks:
            to_take.put(disk)
        with multiprocessing.Pool(len(disks), set_up_worker, (to_take,)) as pool:
            for command, runs in pool.imap_unordered(row, jobs):
                cells[command.name] = runs
                for fault, what, why in runs:
                    if why:
                        print("divcost %s, %s: %s: %s" % (command.name, fault, what, why), flush=True)
    finally:
        for disk in filter(None, disks):
            subprocess.run(["umount", disk])
            os.rmdir(disk)
    show(commands, faults, cells)
    bad = sum(why is not None for runs in cells.values() for _, _, why in runs)
    print("%d runs, %d break the rule" % (sum(map(len, cells.values())), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
