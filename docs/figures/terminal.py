#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of what a command prints on a terminal, as SVG.

  terminal.py [--columns N] [--first N | --last N] [--shown TEXT] -- COMMAND ... > FILE.svg

Runs the command on a pseudo-terminal, so that it shows colours and fits its lines, and draws the
prompt with the command and what came out; longer lines are broken as terminals do. --shown is what
stands at the prompt instead of the command. --first and --last leave out the other lines, which an
ellipsis shows.
"""
import argparse
import html
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools", "tests"))
from pseudo_terminal import on_terminal # noqa: E402

COLOURS = {30: "#3c4451", 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff",
           36: "#76e3ea", 37: "#e6edf3"}
PLAIN, QUIET, BACKGROUND = "#d5dbe3", "#8b949e", "#161b22"
ADVANCE, LINE, MARGIN, SIZE = 7.8, 18, 16, 13  # of a monospaced font of 13 px


def styled(line):
    """(text, colour, bold) for the runs of a line; what was overwritten is gone."""
    line = line.rstrip("\r").split("\r")[-1]
    colour, bold, runs = PLAIN, False, []
    for part in re.split(r"(\x1b\[[0-9;?]*[A-Za-z])", line):
        sequence = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if not sequence:
            if part and not part.startswith("\x1b"):
                runs.append((part.expandtabs(), colour, bold))
            continue
        for code in [int(number or 0) for number in sequence[1].split(";")]:
            if code == 0:
                colour, bold = PLAIN, False
            elif code == 1:
                bold = True
            elif code == 2:
                colour = QUIET
            elif code in (22, 39):
                colour, bold = (colour, False) if code == 22 else (PLAIN, bold)
            elif code % 60 in COLOURS:
                colour = COLOURS[code % 60]
    return runs


def broken(runs, columns):
    """The runs of a line as lines that are no longer than the terminal is wide."""
    lines, room = [[]], columns
    for text, colour, bold in runs:
        while len(text) > room:
            lines[-1].append((text[:room], colour, bold))
            text, room = text[room:], columns
            lines.append([])
        lines[-1].append((text, colour, bold))
        room -= len(text)
    return lines


def drawn(lines):
    columns = max(sum(len(text) for text, _, _ in runs) for runs in lines)
    width, height = columns * ADVANCE + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    yield ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" '
           'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="%d" role="img">'
           % (width, height, width, SIZE))
    yield "<title>%s</title>" % html.escape("".join(text for text, _, _ in lines[0]))
    yield '<rect width="100%%" height="100%%" rx="8" fill="%s"/>' % BACKGROUND
    for number, runs in enumerate(lines):
        column = 0
        for text, colour, bold in runs:
            if text.strip():
                yield ('<text xml:space="preserve" x="%.1f" y="%d" textLength="%.1f" fill="%s"%s>%s'
                       '</text>' % (MARGIN + column * ADVANCE, MARGIN + number * LINE + SIZE,
                                    len(text) * ADVANCE, colour,
                                    ' font-weight="bold"' if bold else "", html.escape(text)))
            column += len(text)
    yield "</svg>"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--first", type=int)
    parser.add_argument("--last", type=int)
    parser.add_argument("--shown")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    _, text = on_terminal(arguments.command, arguments.columns, ("stdout", "stderr"),
                          stdin=subprocess.DEVNULL, env=environment)
    lines = [piece for line in text.rstrip().split("\n")
             for piece in broken(styled(line), arguments.columns)]
    ellipsis = [[("...", QUIET, False)]]
    shown = lines[:arguments.first] if arguments.first else lines
    if len(shown) < len(lines):
        shown += ellipsis
    if arguments.last and arguments.last < len(lines):
        shown = ellipsis + lines[-arguments.last:]
    prompt = [("$ ", QUIET, False), (arguments.shown or " ".join(arguments.command), PLAIN, True)]
    print("\n".join(drawn([prompt] + shown)))


if __name__ == "__main__":
    sys.exit(main())
