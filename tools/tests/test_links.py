#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_links.py [REPOSITORY]: in every *.md of the tree, relative links lead to something that is
there, and their anchors to a heading; wherever a file of the tree names a page or picture of docs/,
there is one; README.md has at most ten links. Links into the web aren't followed.

Files that README.md and the pages of docs name in `code` are there: what begins with one of the tree's
folders (patterns must match something), public headers as users include them, and whatever ends as our
sources do. Other names are the reader's files or made by a command, and names with a word in capitals
(NAME.c) stand for any. How-to pages are taken more strictly: bare names of files, too."""
import glob
import os
import re
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else os.path.join(HERE, "..", ".."))
MOST_LINKS = 10
# Text that people wrote; what was measured and pictures are left out.
WRITTEN = (".md", ".c", ".h", ".cpp", ".cu", ".py", ".sh", ".txt", ".cmake", ".in", ".json", ".js",
           ".mjs", ".test", ".1", ".7", "check", "demo")
LINK = re.compile(r"\]\(\s*([^()\s]+)(?:\s+\"[^\"]*\")?\s*\)") # a link's text may be a picture
MENTION = re.compile(r"(?:%repo/|\$\{PROJECT_SOURCE_DIR\}/|(?<![\w/.-]))"
                     r"(docs/[\w./-]+?\.(?:md|json|png|svg|sh|py)\b)")
SOURCE = re.compile(r".*\.(c|h|cpp|py|sh|cmake|js|md)$")
INCLUDES = ["cost-models/include", "runtime/include"]

# Pages whose `code` names files of the tree, from its top; a bare name, one in the folder of the path
# before it in its line. NAME stands for any. What only a build has isn't looked for.
HOW_TO = "docs/internals/how-to-add.md"
FILE_NAME = re.compile(r"(?!build/|-)(?:[\w.*-]+/)*(?:[\w*-][\w.*-]*\.(?:[chpy7]|1|md|cpp|cu|ll|dict|json|txt|sh|cmake))?$")


def is_left_out(folder):
    return re.match(r"\.|build($|-)|(node_modules|results|__pycache__)$", folder) is not None


def files(top):
    """The paths of the tree's own files, from its top."""
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not is_left_out(name))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), top)


def read(top, path):
    with open(os.path.join(top, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def prose(text):
    """The page without its code, line by line."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if mark and (fence is None or mark[1].startswith(fence)):
            fence = None if fence else mark[1]
        elif fence is None and not line.startswith("    "):
            yield number, line


def anchors(text):
    """What GitHub makes of the headings: lower case, without punctuation, - for blanks, and numbered
    where one comes again."""
    found = {}
    for _, line in prose(text):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if not heading:
            continue
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        count = found.get(name, -1) + 1
        found[name] = count
        if count:
            found["%s-%d" % (name, count)] = 0
    return set(found)


def links(text):
    for number, line in prose(text):
        for link in LINK.finditer(re.sub(r"`[^`]*`", lambda code: "`" * len(code[0]), line)):
            yield number, link[1]


def complaints_about_links(top, page):
    for number, link in links(read(top, page)):
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue
        path, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(os.path.join(top, target)):
            yield "%s:%d: there is no %s" % (page, number, target)
        elif anchor and not target.endswith(".md"):
            yield "%s:%d: %s has no headings, but #%s is asked for" % (page, number, target, anchor)
        elif anchor and anchor not in anchors(read(top, target)):
            yield "%s:%d: %s has no heading #%s" % (page, number, target, anchor)


def complaints_about_mentions(top, path):
    for number, line in enumerate(read(top, path).splitlines(), 1):
        for mention in MENTION.findall(line):
            if not os.path.exists(os.path.join(top, mention)):
                yield "%s:%d: there is no %s" % (path, number, mention)


def complaints_about_files(top, page):
    for number, line in enumerate(read(top, page).splitlines(), 1):
        folder = ""
        for name in re.findall(r"`([^`\s]+)`", line):
            if not FILE_NAME.match(name):
                continue
            pattern = name.replace("NAME", "*")
            if glob.glob(os.path.join(top, pattern)):
                folder = os.path.dirname(name) or folder
            elif "/" in name or not glob.glob(os.path.join(top, folder, pattern)):
                yield "%s:%d: there is no %s" % (page, number, name)


def named_paths(text):
    for number, line in prose(text):
        for code in re.findall(r"`([^`]+)`", line):
            for path in re.findall(r"[\w./*-]*/[\w./*-]+", code):
                yield number, path.rstrip(".")


def complaints_about_code(top, page):
    folders = {name for name in os.listdir(top)
               if os.path.isdir(os.path.join(top, name)) and not is_left_out(name)}
    for number, path in named_paths(read(top, page)):
        ours = path.split("/")[0] in folders or SOURCE.match(path)
        if not ours or re.search(r"(^|[/_.])[A-Z]+(?=[/_.]|$)", path) or path.startswith(("/", ".", "build/")):
            continue
        places = ["", os.path.dirname(page), *INCLUDES]
        if not any(glob.glob(os.path.join(top, place, path)) for place in places):
            yield "%s:%d: there is no %s" % (page, number, path)


def complaints(top):
    for path in files(top):
        if path.endswith(".md"):
            yield from complaints_about_links(top, path)
        if path == HOW_TO:
            yield from complaints_about_files(top, path)
        elif path == "README.md" or re.match(r"docs/.*\.md$", path):
            yield from complaints_about_code(top, path)
        if path.endswith(WRITTEN) and not path.endswith("test_links.py"): # which names made-up pages
            yield from complaints_about_mentions(top, path)


class Tree(unittest.TestCase):
    def test_every_link_and_every_page_that_is_named_is_there(self):
        self.assertEqual(list(complaints(REPOSITORY)), [])

    def test_the_readme_has_few_links(self):
        found = [link for _, link in links(read(REPOSITORY, "README.md"))]
        self.assertGreater(len(found), 0)
        self.assertLessEqual(len(found), MOST_LINKS, found)

    def test_the_map_has_every_page(self):
        listed = {os.path.normpath(os.path.join("docs", link))
                  for _, link in links(read(REPOSITORY, "docs/README.md"))}
        pages = {path for path in files(REPOSITORY) if re.match(r"docs/.*\.md$", path)}
        self.assertEqual(sorted(pages - listed - {"docs/README.md"}), [])


class MadeUp(unittest.TestCase):
    """A tree with faults, each of which is found."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name
        self.write("docs/a.md", "# One `two`: three\n\n## Again\n\n## Again\n")

    def write(self, path, text):
        path = os.path.join(self.top, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def found(self):
        return list(complaints(self.top))

    def test_good_links(self):
        self.write("README.md", "[a](docs/a.md), [b](docs/a.md#one-two-three) [c](docs/a.md#again-1)\n"
                   "![picture](docs/a.md \"title\") [here](#own) [web](https://example.org/none#x)\n\n# Own\n")
        self.assertEqual(self.found(), [])

    def test_what_is_not_there(self):
        self.write("docs/lab/b.md", "text\n[x](../c.md) [y](../a.md) [![z](z.png)](../a.md)\n")
        self.assertEqual(self.found(), ["docs/lab/b.md:2: there is no docs/c.md",
                                        "docs/lab/b.md:2: there is no docs/lab/z.png"])

    def test_wrong_headings(self):
        self.write("docs/b.md", "[x](a.md#one) [y](#none) [z](c.json#z)\n")
        self.write("docs/c.json", "{}")
        self.assertEqual(self.found(), ["docs/b.md:1: docs/a.md has no heading #one",
                                        "docs/b.md:1: docs/b.md has no heading #none",
                                        "docs/b.md:1: docs/c.json has no headings, but #z is asked for"])

    def test_code_has_no_links_and_no_headings(self):
        self.write("docs/b.md", "`[x](none.md)`\n\n    [x](none.md)\n\n```sh\n[x](none.md)\n# no heading\n```\n"
                   "[y](#no-heading)\n")
        self.assertEqual(self.found(), ["docs/b.md:9: docs/b.md has no heading #no-heading"])

    def test_files_that_a_how_to_page_names(self):
        self.write("src/a.c", "")
        self.write("src/rules/one.c", "")
        self.write("top.txt", "")
        self.write(HOW_TO, "`src/a.c`, `src/*.c`, `top.txt`, `src/`, `b.h` `-R x.c` `build/x.c` `a.b`\n"
                   "| `src/rules/one.c`, `two.c` | `src/none.c`, `none/` |\n`src/NAME.c` `src/NAME.h` `one.c`\n")
        self.assertEqual(self.found(), [HOW_TO + ":%d: there is no %s" % where for where in
                                        ((1, "b.h"), (2, "two.c"), (2, "src/none.c"), (2, "none/"),
                                         (3, "src/NAME.h"), (3, "one.c"))])

    def test_pages_that_others_name(self):
        self.write("src/x.c", "// docs/a.md, docs/gone.md\n")
        self.write("build/x.c", "// docs/gone.md\n")
        self.write("src/y.c", "// ../docs/gone.md, https://example.org/docs/gone.md\n")
        self.assertEqual(self.found(), ["src/x.c:1: there is no docs/gone.md"])

    def test_files_that_pages_name_in_code(self):
        self.write("src/x.c", "")
        self.write("cost-models/include/divcost/x.h", "")
        self.write("docs/b.md", "`src/x.c`, `src/*.c:3`, `divcost/x.h`, `cp src/x.c build/x.c`, `my/rows.cu`, `a/b`,\n"
                   "`src/NAME.c`, `src/gone/`, `src/*.cpp`, `gone/y.h`, and src/gone.c without code\n")
        self.assertEqual(self.found(), ["docs/b.md:2: there is no src/gone/", "docs/b.md:2: there is no src/*.cpp",
                                        "docs/b.md:2: there is no gone/y.h"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
