#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_browser.py DIVCOST SAMPLES WRITE_MANY WRITE_ACCESSES FOLDER: the HTML report in headless Chromium, as its
readers use it (browser.mjs). Needs chromium, node and npm; the packages from npm go to FOLDER."""
import base64
import json
import os
import shutil
import subprocess
import sys
import zlib

DIVCOST, SAMPLES, WRITE_MANY, WRITE_ACCESSES, FOLDER = map(os.path.abspath, sys.argv[1:6])
HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = ["playwright-core@1.65.1", "axe-core@4.14.1"]
HOSTILE = "</script><img src=x onerror=\"document.title='owned'\">"


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", **options)
    if done.returncode != 0:
        sys.exit("%s: status %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


def install():
    """The packages, into FOLDER. A registry that doesn't answer is no fault of the page."""
    done = subprocess.run(["npm", "install", "--prefix", FOLDER, "--no-save", "--no-audit", "--no-fund",
                           "--no-package-lock", "--ignore-scripts", "--fetch-retries", "5", *PACKAGES],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    if done.returncode != 0:
        skip("npm couldn't install %s:\n%s" % (" and ".join(PACKAGES), done.stdout))


def page(name, report, directory=SAMPLES):
    path = os.path.join(FOLDER, name + ".html")
    with open(path, "wb") as file:
        done = subprocess.run([DIVCOST, "report", "--html", report], stdout=file, stderr=subprocess.PIPE, cwd=directory)
    if b"this build has no HTML report" in done.stderr:
        skip(done.stderr.decode().strip())
    assert done.returncode == 0, done.stderr
    return path


def sample_sources():
    """A folder in which the sample's source can be read, with lines enough."""
    folder = os.path.join(FOLDER, "sources", "src")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "sparse.cu"), "w") as file:
        file.writelines("__shared__ int line_%d; // of the sample\n" % line for line in range(1, 400))
    return os.path.dirname(folder)


def hostile():
    with open(os.path.join(SAMPLES, "sample.json")) as file:
        report = json.load(file)
    for kernel in report["kernels"]:
        strings = kernel["skeleton"]["strings"]
        kernel["skeleton"]["strings"] = [HOSTILE + text if "(" not in text or text.startswith("spmv") else text
                                         for text in strings]
    path = os.path.join(FOLDER, "hostile.json")
    with open(path, "w") as file:
        json.dump(report, file)
    return path


def timed(page):
    """A page with its kernels the other way round, of which the first, that loses none of its issue cycles, loses time.
    The sample's aren't estimated in time; that those with time come first, lit-tests/plugin/time_order.cu has."""
    begin = '<script type="application/octet-stream" id="index">'
    with open(page) as file:
        before, rest = file.read().split(begin)
    end = rest.index("<")
    index = json.loads(zlib.decompress(base64.b64decode(rest[:end])))
    index["kernels"].reverse()
    index["kernels"][0][16:18] = [4e-5, "40 us"] # as KERNEL of page/data.js has them
    path = os.path.join(FOLDER, "browsed_timed.html")
    with open(path, "w") as file:
        file.write(before + begin + base64.b64encode(zlib.compress(json.dumps(index).encode())).decode() + rest[end:])
    return path


def deep():
    """The sample's kernels in files of their own, in folders."""
    with open(os.path.join(SAMPLES, "sample.json")) as file:
        report = json.load(file)
    for kernel, path in zip(report["kernels"], ["lib/a/deep/er/spmv.cu", "lib/a/bfs.cu", "lib/saxpy.cu"]):
        strings = kernel["skeleton"]["strings"]
        kernel["skeleton"]["strings"] = [path if text == "src/sparse.cu" else text for text in strings]
    path = os.path.join(FOLDER, "deep.json")
    with open(path, "w") as file:
        json.dump(report, file)
    return path


def main():
    for program in ("chromium", "node", "npm"):
        if not shutil.which(program):
            skip(program + " is not installed")
    os.makedirs(FOLDER, exist_ok=True)
    installed = [os.path.join(FOLDER, "node_modules", package.split("@")[0], "package.json") for package in PACKAGES]
    if not all(os.path.exists(path) and json.load(open(path))["version"] == package.split("@")[1]
               for path, package in zip(installed, PACKAGES)):
        install()
    many = os.path.join(FOLDER, "many.json")
    run([WRITE_MANY, many, "10", "1000"])
    taught = os.path.join(FOLDER, "browsed_taught.json")
    run([WRITE_ACCESSES, taught])
    sample = os.path.join(SAMPLES, "sample.json")
    first = page("browsed", sample, sample_sources())
    pages = [first, page("browsed_hostile", hostile()), page("browsed_many", many),
             page("browsed_taught", taught, sample_sources()), timed(first), page("browsed_deep", deep())]
    size = os.path.getsize(pages[2])
    assert size < 5000000, "a page of ten thousand loops has %d bytes" % size
    print(run(["node", os.path.join(HERE, "browser.mjs"), shutil.which("chromium"), os.path.join(FOLDER, "node_modules"),
               *pages]), end="")


main()
