#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what build.py built, on the machine with the GPU: each program once as it is, and once under
ncu, which may need rights that the user doesn't have.

  measure.py OUT RESULTS [--half open|sealed|second|all] [--seconds N] [--only NAME] [--pages [--memory]]

OUT is the folder "carry" of build.py. RESULTS gets an archive of each half or set, with the CSV
of ncu, the end of what was printed, and status.tsv; and one status.tsv of all. They are written again
and again, so that something is there if this is stopped. After N seconds no other program is started.
Which launches are measured is in launches.py.
With --pages the CSV are ncu's source and raw pages, as `divcost profile import-ncu` reads them;
with --memory they have what requests to memory took, too, for bench/memory/compare.py.
"""
import argparse
import concurrent.futures
import glob
import io
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

import inputs
import launches
import programs

METRICS = ["smsp__inst_executed.sum", "smsp__thread_inst_executed.sum", "smsp__thread_inst_executed_pred_on.sum",
           "gpu__time_duration.sum", "launch__block_size", "launch__grid_size", "launch__registers_per_thread",
           "launch__shared_mem_per_block_static"]
PAGES = ["inst_executed", "thread_inst_executed", "gpu__time_duration.sum"]
MEMORY = ["thread_inst_executed_true", "memory_type", "memory_access_type", "memory_access_size_type",
          "memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal",
          "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"]
PLAIN, PROFILED, REST = 20, 75, 15  # seconds; the last for ncu's report
KEPT = 4000                         # bytes of what a program prints


def environment():
    folders = ["/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib"]
    for path in sys.path:
        folders += sorted(glob.glob(os.path.join(path, "nvidia", "*", "lib")))
    old = os.environ.get("LD_LIBRARY_PATH")
    return dict(os.environ, LD_LIBRARY_PATH=":".join(([old] if old else []) + folders),
                OMP_NUM_THREADS="4",
                PATH=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")


class Job:
    """A run of a program: one of its lines of arguments."""

    def __init__(self, program, number, line):
        self.program = program
        self.name = "%s.%d" % (program.name, number)
        self.line = line
        self.rows = []      # of status.tsv
        self.plain = ""


class Session:
    def __init__(self, results, scratch, seconds, pages, of_pages):
        self.results, self.scratch, self.pages = results, scratch, pages
        self.of_pages = of_pages  # metrics
        self.started = time.monotonic()
        self.seconds = seconds
        self.environment = environment()
        self.lock = threading.Lock()
        self.pool, self.exports = concurrent.futures.ThreadPoolExecutor(6), []
        self.jobs = []
        self.packed = 0

    def passed(self):
        return time.monotonic() - self.started

    def say(self, text):
        with self.lock:
            print("%4d s: %s" % (self.passed(), text), flush=True)

    def words(self, name, line):
        folder = os.path.join(self.scratch, "in") + "/"
        return [os.path.join(self.scratch, "bin", name)] + [
            folder + word[3:] if word.startswith("IN/") else word for word in line.split()]

    def folder(self, job, phase):
        """A new folder for it to run in."""
        folder = os.path.join(self.scratch, phase, job.name)
        data = os.path.join(self.scratch, "data", job.program.name)
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.isdir(data):
            shutil.copytree(data, folder)
        else:
            os.makedirs(folder)
        for line in job.program.before:
            name, _, rest = line.partition(" ")
            try:
                subprocess.run(self.words(name, rest), cwd=folder, env=self.environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, timeout=PLAIN, check=False)
            except (OSError, subprocess.TimeoutExpired):
                pass
        with open(os.path.join(folder, ".typed"), "w") as file:
            file.write(job.program.typed.replace("\\n", "\n"))
        return folder

    def run(self, job, phase, command, seconds):
        """How it ended; what it printed is kept."""
        folder = self.folder(job, phase)
        log = os.path.join(self.scratch, "log", "%s.%s.txt" % (job.name, phase))
        begin = time.monotonic()
        with open(os.path.join(folder, ".typed")) as typed, \
                open(os.path.join(folder, ".printed"), "w+b") as printed:
            try:
                child = subprocess.Popen(command, cwd=folder, env=self.environment, stdin=typed,
                                         stdout=printed, stderr=subprocess.STDOUT,
                                         start_new_session=True)
            except OSError as error:
                return str(error)
            status = self.waited(child, command, seconds)
            size = printed.seek(0, os.SEEK_END)
            printed.seek(max(0, size - KEPT))
            with open(log, "wb") as file:
                file.write(printed.read())
        shutil.rmtree(folder, ignore_errors=True)
        job.rows.append((job.program.name, job.name, job.program.half, phase, status,
                         "%.1f" % (time.monotonic() - begin)))
        return status

    @staticmethod
    def waited(child, command, seconds):
        try:
            status = child.wait(seconds)
            return "exit %d" % status if status >= 0 else "signal %d" % -status
        except subprocess.TimeoutExpired:
            pass
        # Under ncu the program alone is ended, so that ncu reports what it has.
        if os.path.basename(command[0]) == "ncu":
            end_of_family(child.pid, [word for word in command if "/bin/" in word][-1])
            try:
                child.wait(REST)
                return "cut short"
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        return "timeout"

    def csv(self, job):
        return os.path.join(self.scratch, "csv", job.name + ".csv")

    def profile(self, job):
        """The number of launches measured."""
        wanted = launches.FEW if self.pages else launches.MEASURED
        names = "^(%s)$" % "|".join(job.program.kernels)
        path = self.csv(job)
        report = os.path.join(self.scratch, "csv", job.name + ".ncu-rep")
        for old in (path, report):
            if os.path.exists(old):
                os.remove(old)
        kept = ["-f", "-o", report] if self.pages else ["--csv", "--log-file", path, "--print-units", "base"]
        command = ["ncu", *kept, "--clock-control", "none", "--kernel-name-base", "function",
                   "--kernel-id", "::regex:%s:^(%s)$" % (names, "|".join(map(str, wanted))),
                   "--launch-count", str(len(wanted) * len(job.program.kernels)), "--kill", "yes",
                   "--metrics", ",".join(self.of_pages if self.pages else METRICS),
                   *self.words(job.program.name, job.line)]
        self.run(job, "ncu", command, PROFILED)
        if not self.pages:
            return count_in(path)
        if not os.path.exists(report):
            return 0
        self.exports.append(self.pool.submit(self.export, report, path))
        return 1  # at least

    def export(self, report, path):
        """The pages of a report: the raw one in `path`, the source page beside it."""
        for name, page in ((path, ["raw"]),
                           (path[:-4] + ".source.csv", ["source", "--print-source", "cuda,sass"])):
            with open(name, "wb") as file:
                subprocess.run(["ncu", "--import", report, "--csv", "--print-kernel-base", "mangled", "--page",
                                *page], env=self.environment, stdout=file, check=False)
        if os.path.exists(report):
            os.remove(report)

    def pack(self):
        """Writes RESULTS anew."""
        with self.lock:
            rows = [row for job in self.jobs for row in job.rows]
        head = ("program", "run", "half", "phase", "status", "seconds")
        for half in programs.SETS:
            own = [job for job in self.jobs if job.program.half == half]
            if not own:
                continue
            path = os.path.join(self.results, half + ".tar.gz")
            with tarfile.open(path + ".new", "w:gz") as tar:
                text = table([head] + [row for row in rows if row[2] == half])
                entry = tarfile.TarInfo(half + "/status.tsv")
                entry.size = len(text)
                tar.addfile(entry, io.BytesIO(text))
                for job in own:
                    for kind, name in (("csv", job.name + ".csv"),
                                       ("csv", job.name + ".source.csv"),
                                       ("log", job.name + ".plain.txt"),
                                       ("log", job.name + ".ncu.txt")):
                        at = os.path.join(self.scratch, kind, name)
                        if os.path.exists(at):
                            tar.add(at, "%s/%s" % (half, name))
            os.replace(path + ".new", path)
        with open(os.path.join(self.results, "status.tsv"), "wb") as file:
            file.write(table([head] + rows))
        self.packed = time.monotonic()


def table(rows):
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def count_in(path):
    try:
        with open(path, errors="replace") as file:
            return len({line.split(",", 1)[0] for line in file if line[:1] == '"'} - {'"ID"'})
    except OSError:
        return 0


def end_of_family(root, binary):
    """Ends those processes below `root` that run `binary`."""
    parents = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                text = file.read()
        except OSError:
            continue
        parents[int(text.split(" ", 1)[0])] = int(text.rsplit(")", 1)[1].split()[1])
    for pid in parents:
        above = pid
        while above in parents and above != root:
            above = parents[above]
        try:
            if above == root and os.path.realpath("/proc/%d/exe" % pid) == \
                    os.path.realpath(binary):
                os.kill(pid, signal.SIGKILL)
        except OSError:
            pass


def plain(session, job):
    if session.passed() > session.seconds:
        return
    job.plain = session.run(job, "plain", session.words(job.program.name, job.line), PLAIN)
    session.say("%s, plain: %s" % (job.name, job.plain))


def profile_all(session):
    # Those that ended well come first.
    for job in sorted(session.jobs, key=lambda job: (job.program.half, job.plain != "exit 0")):
        if session.passed() > session.seconds:
            session.say("no time left for %s" % job.name)
            job.rows.append((job.program.name, job.name, job.program.half, "ncu", "no time", "0"))
            continue
        count = session.profile(job)
        session.say("%s, ncu: %s, %d launches" % (job.name, job.rows[-1][4], count))
        if time.monotonic() - session.packed > 30:
            session.pack()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("out")
    parser.add_argument("results")
    parser.add_argument("--half", choices=(*programs.SETS, "all"), default="all")
    parser.add_argument("--seconds", type=float, default=520)
    parser.add_argument("--only", action="append")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--memory", action="store_true")
    arguments = parser.parse_args()
    out, results = os.path.abspath(arguments.out), os.path.abspath(arguments.results)
    os.makedirs(results, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        with tarfile.open(os.path.join(out, "programs.tar.xz")) as tar:
            tar.extractall(scratch)
        session = Session(results, scratch, arguments.seconds, arguments.pages,
                          PAGES + (MEMORY if arguments.memory else []))
        for folder in ("csv", "log", "in"):
            os.makedirs(os.path.join(scratch, folder))
        for program in programs.programs():
            if arguments.half in ("all", program.half) and \
                    program.name in (arguments.only or [program.name]) and \
                    os.path.exists(os.path.join(scratch, "bin", program.name)):
                session.jobs += [Job(program, number, line)
                                 for number, line in enumerate(program.arguments)]
        session.say("%d runs; inputs first" % len(session.jobs))
        inputs.make(os.path.join(scratch, "in"))
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            list(pool.map(lambda job: plain(session, job), session.jobs))
        session.pack()
        profile_all(session)
        concurrent.futures.wait(session.exports)
        session.pack()
        session.say("done")
    return 0


if __name__ == "__main__":
    sys.exit(main())
