#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps of ./check: builds for LLVM 22 and 19, with gcc and clang, with sanitizers, under
valgrind; unit tests, lit suites, identity of the generated code, format, clang-tidy.

Each step is a function that returns (passed, failed, skipped) and writes what it ran to
build/check/STEP.log. A build or a check of the whole tree counts as one test.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOGS = os.path.join("build", "check")
JOBS = os.cpu_count() or 1
LLVM_19 = "/usr/lib/llvm-19"
HELP = """\
usage: ./check [--full | STEP ...]
       ./check --list | --help

Builds, and runs the tests that show that everything works; --full: with other compilers, LLVM 19,
sanitizers, valgrind, identity of the generated code and clang-tidy, too; or those of the steps.
Installs first what is missing for it (Debian packages); --list, which prints the steps, and --help
don't. The last line counts the tests; details of each step go to build/check/STEP.log.
Exit status: 0 no test failed, 1 some did, or packages can't be installed, 2 there is no such step."""
# Folders of our own code; bench/include and bench/kernels are in the style too.
SOURCES = ["cost-models", "pass", "runtime", "tools", "bench", "docs/examples", "lit-tests/corpus"]

# Lines that don't help to see what failed.
NOISE = re.compile(r"\[\d+/\d+\] (Building|Linking|Generating)|\d+: \[ (RUN|      OK)|PASS: |-- ")

Result = collections.namedtuple("Result", "passed failed skipped")


def shown(command):
    """A command for people, who don't want to see the names of 600 files."""
    few = command[:12]
    return " ".join(few) + (" ... (%d more)" % (len(command) - len(few)) if command != few else "")


class Log:
    """Runs commands; their output goes to a file, and is kept for counting."""

    def __init__(self, step):
        self.path = os.path.join(LOGS, step + ".log")
        self.failures = [] # what failing tests printed last; the log's end may not show it
        self.file = open(self.path, "w")

    def run(self, command, environment=None):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", env={**os.environ, **(environment or {})})
        self.file.write("$ %s\n%s" % (shown(command), done.stdout))
        self.file.flush()
        return done.returncode, done.stdout

    def run_each(self, commands, environment=None):
        """Side by side; a command is a test."""
        with ThreadPoolExecutor(JOBS) as pool:
            ended = list(pool.map(lambda command: self.run(command, environment), commands))
        failed = [(command, *end) for command, end in zip(commands, ended) if end[0] != 0]
        for command, status, text in failed:
            self.failures += ["exit status %d of: %s" % (status, shown(command)),
                              *text.splitlines()[-30:]]
        return Result(len(commands) - len(failed), len(failed) + (not commands), 0)


def build(log, folder, *options):
    """Configures and builds; one test. What is compiled as in another build isn't compiled again."""
    cached = {"CCACHE_DIR": os.path.abspath("build/check/ccache"),
              "CMAKE_C_COMPILER_LAUNCHER": "ccache", "CMAKE_CXX_COMPILER_LAUNCHER": "ccache"}
    for command in (["cmake", "-S", ".", "-B", folder, "-G", "Ninja", "-DBUILD_TESTING=ON", *options],
                    ["ninja", "-C", folder, "-j", str(JOBS)]):
        if log.run(command, cached)[0] != 0:
            return Result(0, 1, 0)
    return Result(1, 0, 0)


def unit_tests(log, folder, *options, without="^lit$", environment=None):
    """ctest without the lit suite. A binary that uses cmocka says how many tests it ran; any other
    counts as one."""
    status, text = log.run(["ctest", "--test-dir", folder, "--exclude-regex", without, "-V",
                            "-j", str(JOBS + 1), # some wait for a browser, an editor, a clock
                            "--timeout", "600", *options], environment)
    passed = failed = skipped = 0
    inside = collections.Counter()
    printed = collections.defaultdict(list)
    for line in text.splitlines():
        number = re.match(r"(\d+): ", line)
        if number:
            printed[number[1]].append(line)
        counted = re.match(r"(\d+): \[  (PASSED|FAILED)  \] (\d+) test", line)
        ended = re.match(r"\s*\d+/\d+ .*Test\s+#(\d+): .*?(Passed|\*\*\*Skipped|\*\*\*)", line)
        if counted:
            inside[counted[1], counted[2]] += int(counted[3])
        elif ended and ended[2].endswith("Skipped"):
            skipped += 1
        elif ended:
            number, good = ended[1], ended[2] == "Passed"
            ran, bad = inside[number, "PASSED"], inside[number, "FAILED"]
            passed += ran or (1 if good else 0)
            failed += bad or (0 if good else 1)
            if not good:
                log.failures += [line, *printed[number][-30:]]
    if status != 0 and failed == 0 or passed + failed == 0:
        failed += 1 # ctest itself failed, or found no tests
    return Result(passed, failed, skipped)


def lit(log, folder, *options):
    script = re.search(r"^DIVCOST_LIT:\S*=(.*)", open(folder + "/CMakeCache.txt").read(), re.M)
    status, text = log.run([sys.executable, script[1], "-v", "-j", str(JOBS), *options,
                            folder + "/lit-tests"])
    counts = collections.Counter()
    for name, number in re.findall(r"^\s*([A-Z][A-Za-z ]+?)\s*:\s*(\d+)\b", text, re.M):
        counts[name] += int(number)
    passed = counts["Passed"] + counts["Expectedly Failed"]
    failed = sum(counts[name] for name in
                 ["Failed", "Unresolved", "Timed Out", "Unexpectedly Passed"])
    if status != 0 and failed == 0 or passed + failed == 0:
        failed += 1
    return Result(passed, failed, counts["Unsupported"] + counts["Skipped"])


def one_test(status):
    return Result(1, 0, 0) if status == 0 else Result(0, 1, 0)


def add(*results):
    return Result(*(sum(column) for column in zip(*results)))


def built_then(log, built, *tests):
    """The tests of a build that worked; otherwise the build's failure alone."""
    return built if built.failed else add(built, *(test() for test in tests))


def step_format(log):
    """clang-format."""
    files = [path for folder in SOURCES for kind in ("c", "h", "cpp", "cu")
             for path in glob.glob("%s/**/*.%s" % (folder, kind), recursive=True)]
    return one_test(log.run(["clang-format-22", "--dry-run", "-Werror", *sorted(files)])[0])


def step_llvm22(log):
    """gcc, LLVM 22: the build that the README makes."""
    return built_then(log, build(log, "build"), lambda: unit_tests(log, "build"),
                      lambda: lit(log, "build"))


def step_llvm19(log):
    """gcc, LLVM 19: lit, and the tests that meet LLVM.

    Those that don't meet it, its clang or its libclang, run in llvm22, and with clang in sanitize."""
    folder = "build/llvm-19"
    return built_then(log, build(log, folder, "-DLLVM_DIR=%s/lib/cmake/llvm" % LLVM_19),
                      lambda: unit_tests(log, folder, "--label-regex", "^llvm$"),
                      lambda: lit(log, folder, "--filter-out", ":: (docs|scripts)/"))


def step_sanitize(log):
    """Everything with clang's AddressSanitizer and UBSan, and fuzzing; of lit a part.

    gcc's sanitizers look for nothing that these don't."""
    folder = "build/sanitize"
    flags = "-O1 -DNDEBUG -gline-tables-only" # lines: what the sanitizers' reports show
    built = build(log, folder, "-DDIVCOST_SANITIZE=ON", "-DDIVCOST_FUZZ=ON",
                  "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22",
                  "-DCMAKE_C_FLAGS_RELEASE=" + flags, "-DCMAKE_CXX_FLAGS_RELEASE=" + flags)
    return built_then(
        log, built,
        # What is installed is the first build's.
        lambda: unit_tests(log, folder, without=r"^lit$|^builds\.(consumer|package)$",
                           environment={"UBSAN_OPTIONS": "print_stacktrace=1"}),
        # Examples in pages and some others run commands as other tests do, and the scripts are Python.
        # Of the ways to write and to compile a kernel (17 for each), some go through all of the plugin.
        lambda: lit(log, folder, "--filter-out", ":: (docs|scripts)/|plugin/(embed|emulate|not_analysed)[.]|"
                    "verdicts/.*/(?!(O0|O2|helper|syntax-only|template)$)"))


def step_valgrind(log):
    """The unit tests under valgrind, which alone sees uninitialised values.

    A test is a test binary of the first build: another one would only add line numbers."""
    folder = "build"
    built = build(log, folder) # nothing to do after llvm22
    if built.failed:
        return built
    _, text = log.run(["ctest", "--test-dir", folder, "--show-only=json-v1"])
    binaries = [test["command"] for test in json.loads(text[text.index("{"):])["tests"]
                if "command" in test and os.path.realpath(test["command"][0]).startswith(
                    os.path.realpath(folder) + os.sep)] # the others are scripts
    return log.run_each([["valgrind", "--quiet", "--leak-check=full", "--error-exitcode=99",
                          "--errors-for-leak-kinds=definite,possible", *command]
                         for command in binaries], {"DIVCOST_TEST_UNDER_VALGRIND": "1"})


def identity(log, clang, folder, every=1):
    status, text = log.run([sys.executable, "lit-tests/identity.py", "--thin", "--clang", clang,
                            "--plugin", folder + "/pass/divcost.so",
                            *sorted(glob.glob("bench/kernels/*.cu"))[::every]])
    counts = re.search(r"^(\d+) identical, (\d+) different", text, re.M)
    if not counts or (status != 0 and counts[2] == "0"):
        return Result(0, 1, 0)
    return Result(int(counts[1]), int(counts[2]), 0)


def step_identity22(log):
    """The same code with and without the plugin, LLVM 22."""
    return identity(log, "clang++-22", "build")


def step_identity19(log):
    """The same code with and without the plugin, LLVM 19; every other kernel."""
    return identity(log, LLVM_19 + "/bin/clang++", "build/llvm-19", every=2)


def step_tidy(log):
    """clang-tidy on the C files of the model and of the plugin; a test is a part of them."""
    with open("build/compile_commands.json") as file:
        files = sorted({entry["file"] for entry in json.load(file)
                        if entry["file"].endswith(".c") and "/tests/" not in entry["file"]})
    parts = [files[k::4 * JOBS] for k in range(4 * JOBS)] # to begin takes it as long as a file
    tidy = ["clang-tidy-22", "-p", "build", "--quiet", "--warnings-as-errors=*"]
    return log.run_each([[*tidy, *part] for part in parts if part])


STEPS = {name[len("step_"):].replace("_", "-"): function
         for name, function in list(globals().items()) if name.startswith("step_")}


SHORT = ["format", "llvm22"] # what ./check runs, in a few minutes


def install_packages():
    """What the steps need, once it is clear that some will run. False: it couldn't be."""
    script = 'source tools/scripts/packages.sh; install_missing "${packages_to_test[@]}"'
    return subprocess.run(["bash", "-euo", "pipefail", "-c", script]).returncode == 0


def main():
    os.chdir(REPOSITORY)
    wanted = sys.argv[1:]
    if "--help" in wanted:
        print(HELP)
        return 0
    if wanted == ["--list"]:
        for name, function in STEPS.items():
            print("%-16s%s%s" % (name, (function.__doc__ or "").split("\n")[0],
                                 " [short]" if name in SHORT else ""))
        return 0
    if wanted == ["--full"]:
        wanted = list(STEPS)
    for name in wanted:
        if name not in STEPS:
            print("no step '%s'; there are: %s; see ./check --help" % (name, ", ".join(STEPS)),
                  file=sys.stderr)
            return 2
    if not install_packages():
        return 1
    os.makedirs(LOGS, exist_ok=True)
    total = Result(0, 0, 0)
    names = wanted or SHORT
    for number, name in enumerate(names, 1):
        print("[%d/%d] %-16s" % (number, len(names), name), end="", flush=True)
        started = time.time()
        log = Log(name)
        try:
            result = STEPS[name](log)
        except (OSError, ValueError, TypeError) as error: # a file that an earlier step should leave
            log.file.write("%s: %s\n" % (type(error).__name__, error))
            result = Result(0, 1, 0)
        log.file.close()
        total = add(total, result)
        print("%5d passed%s%s  (%d s)" % (
            result.passed, ", %d failed" % result.failed if result.failed else "",
            ", %d skipped" % result.skipped if result.skipped else "", time.time() - started))
        if result.failed:
            with open(log.path, errors="replace") as file:
                lines = [line for line in file.read().splitlines() if not NOISE.match(line)]
            print("\n".join("    " + line for line in lines[-60:] + log.failures))
            print("    all of it: " + log.path, flush=True)
    print("%d passed, %d failed%s" % (total.passed, total.failed,
                                      ", %d skipped" % total.skipped if total.skipped else ""))
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
