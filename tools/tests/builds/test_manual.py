#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_manual.py DIVCOST: manual pages and completions know the commands and options that --help
lists, all of them and no others."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.dirname(os.path.dirname(HERE))
DIVCOST = os.path.abspath(sys.argv[1])
OPTION = r"(?<![-\w])--?[a-z][-a-z0-9]*"


def output(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=True,
                          universal_newlines=True, **options).stdout


def usage(*command):
    """The lines of a help text that say how to call, without what they mean."""
    lines = re.findall(r"^(?:usage:|      ) divcost .*|^  -\S.*", output(DIVCOST, *command, "--help"), re.M)
    return [re.sub(r"(?<=\S)  +\S.*", "", line) for line in lines]


def commands():
    return sorted(re.findall(r"^  ([a-z][-a-z]*)  ", output(DIVCOST, "--help"), re.M))


def options(command):
    return sorted(set(re.findall(OPTION, "\n".join(usage(command)))))


def rules(command):
    lines = re.findall(r"^ *or a rule: (.*);$", output(DIVCOST, command, "--help"), re.M)
    return ", ".join(lines).split(", ")


def page(name):
    with open(os.path.join(TOOLS, "man", name)) as file:
        return file.read()


class Manual(unittest.TestCase):
    def test_there_are_commands_with_options(self):
        self.assertIn("report", commands())
        self.assertIn("--sarif", options("report"))
        self.assertEqual(options("profile"), ["--json", "-o"])

    def test_every_command_has_a_page_and_a_line_on_the_first(self):
        listed = re.findall(r"^\.It Cm ([-a-z]+)$", page("divcost.1"), re.M)
        for command in commands():
            self.assertIn(command, listed)
            self.assertIn(".Nm divcost %s\n" % command, page("divcost-%s.1" % command))
            self.assertIn(".Xr divcost-%s 1" % command, page("divcost.1"))

    def test_every_option_is_on_its_page_and_no_other(self):
        for command in commands():
            text = page("divcost-%s.1" % command)
            items = "\n".join(re.findall(r"^\.It (.*Fl.*)", text, re.M))
            described = {"-" + name for name in re.findall(r"(?:Fl|,) (-?[a-z][-a-z0-9]*)", items)}
            self.assertEqual(sorted(described - {"--help"}),
                             [option for option in options(command) if option != "--help"], command)

    def test_the_plugins_options_are_those_of_the_documentation(self):
        with open(os.path.join(os.path.dirname(TOOLS), "docs", "options.md")) as file:
            documented = re.findall(r"^## ([-a-z]+)$", file.read(), re.M)
        self.assertEqual(re.findall(r"^\.It Cm ([-a-z]+)", page("divcost-plugin.7"), re.M), documented)

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_mandoc_has_nothing_to_say(self):
        folder = os.path.join(TOOLS, "man") # where it looks for pages that others name
        done = subprocess.run(["mandoc", "-Tlint", *sorted(os.listdir(folder))], cwd=folder,
                              stdout=subprocess.PIPE, timeout=60)
        self.assertEqual(done.stdout.decode(), "")


class Completion:
    """What a shell offers; complete(words) gives it for the last of the words."""

    def test_commands(self):
        self.assertEqual(self.complete("divcost", ""), {*commands(), "--help", "--version"})

    def test_options(self):
        for command in commands():
            self.assertEqual({word for word in self.complete("divcost", command, "-") if word[0] == "-"},
                             set(options(command)), command)

    def test_values(self):
        self.assertIn("hopper", self.complete("divcost", "emulate", "--arch", ""))
        self.assertIn("show", self.complete("divcost", "profile", ""))
        self.assertEqual(self.complete("divcost", "model", "--lanes", ""), set())
        self.assertIn("CMakeLists.txt", self.complete("divcost", "calibrate", "--out", "CMakeL"))
        if "--fail-on" in options("report"):
            self.assertIn("imbalance=", self.complete("divcost", "report", "--fail-on", "imb"))
            for command in ("check", "report"):
                words = self.complete("divcost", command, "--fail-on", "")
                self.assertEqual(words, {"any", "imbalance=", "lost=", *rules(command)}, command)

    def run_shell(self, *command):
        path = os.path.dirname(DIVCOST) + os.pathsep + os.environ["PATH"]
        with tempfile.TemporaryDirectory() as home: # shells make folders there
            lines = output(*command, cwd=TOOLS, env={**os.environ, "PATH": path, "HOME": home})
        return {line.split("\t")[0] for line in lines.splitlines() if line}


@unittest.skipUnless(shutil.which("bash"), "no bash")
class Bash(Completion, unittest.TestCase):
    def complete(self, *words):
        return self.run_shell("bash", "-c", """
          source completion/divcost.bash
          COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
          _divcost
          printf '%s\\n' "${COMPREPLY[@]}" """, "bash", *words)


@unittest.skipUnless(shutil.which("zsh"), "no zsh")
class Zsh(Completion, unittest.TestCase):
    def complete(self, *words):
        """With what zsh's line editor would give in functions of that name."""
        return self.run_shell("zsh", "-f", "-c", """
          compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- ${(M)@:#$words[CURRENT]*} }
          _files() { [[ $1 = -[g/] ]] || print -rl -- $words[CURRENT]*(N) }
          words=("$@") CURRENT=$#
          source completion/_divcost""", "zsh", *words)


@unittest.skipUnless(shutil.which("fish"), "no fish")
class Fish(Completion, unittest.TestCase):
    def complete(self, *words):
        return self.run_shell("fish", "--no-config", "-c",
                              "source completion/divcost.fish; complete -C '%s'" % " ".join(words))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
