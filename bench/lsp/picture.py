#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the picture of docs/editors.md: Neovim in tmux with `divcost lsp`, what its terminal shows
drawn by Chromium. Needs nvim, tmux and chromium.

    bench/lsp/picture.py --divcost build/tools/divcost docs/figures/editor.png"""
import argparse
import html
import os
import re
import shutil
import subprocess
import tempfile
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COLUMNS, LINES = 160, 28
COLOURS = ["#3b4252", "#bf616a", "#4f8a3c", "#b58900", "#3b6ea8", "#8f5a99", "#2a8c8c", "#d8dee9"]

INIT = """
vim.o.termguicolors = true; vim.o.background = "light"; vim.o.laststatus = 0; vim.o.number = true
vim.o.signcolumn = "yes"; vim.o.shortmess = vim.o.shortmess .. "F"; vim.o.ruler = false
vim.diagnostic.config({ virtual_text = { format = function(d) return d.message:match("[^:]+") end } })
vim.cmd("edit FILE"); vim.cmd("syntax on"); vim.cmd("set syntax=cuda")
for group, colours in pairs({ SignColumn = "guibg=white", NormalFloat = "guibg=#e8eef6", LineNr = "guifg=grey",
    Comment = "guifg=#708090", LspCodeLens = "guifg=#2a8c8c", DiagnosticVirtualTextWarn = "guifg=#b58900" }) do
  vim.cmd("highlight " .. group .. " " .. colours)
end
local id = vim.lsp.start_client({ name = "divcost", cmd = { "DIVCOST", "lsp" }, root_dir = ".",
  init_options = { flags = { FLAGS } PLUGIN } })
vim.lsp.buf_attach_client(0, id)
vim.fn.timer_start(2500, function()
  vim.lsp.codelens.refresh()
  vim.api.nvim_win_set_cursor(0, { LINE, 3 }); vim.lsp.buf.hover()
end)
"""


def spans(line):
    """A line of `tmux capture-pane -e` as HTML."""
    style, out = {}, []
    for part in re.split(r"(\x1b\[[0-9;:]*m)", line):
        if not part.startswith("\x1b["):
            css = ";".join("%s:%s" % item for item in style.items())
            out.append('<span style="%s">%s</span>' % (css, html.escape(part)) if part else "")
            continue
        codes = [int(code or 0) for code in re.split("[;:]", part[2:-1])]
        while codes:
            code = codes.pop(0)
            name = "background" if code in (*range(40, 50), *range(100, 108)) else "color"
            if code == 0:
                style = {}
            elif code == 1:
                style["font-weight"] = "bold"
            elif code in (4, 58):
                codes = [] if code == 58 else codes
                style["text-decoration"] = "underline"
            elif code in (38, 48) and codes[:1] == [2]:
                style[name] = "rgb(%d,%d,%d)" % tuple(codes[1:4])
                codes = codes[4:]
            elif code in (38, 48) and codes[:1] == [5]:
                style[name] = COLOURS[codes[1] % 8]
                codes = codes[2:]
            elif code in (39, 49):
                style.pop(name, None)
            elif 30 <= code < 48 or 90 <= code < 108:
                style[name] = COLOURS[code % 10 % 8]
    return "".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output")
    parser.add_argument("--divcost", default=os.path.join(REPOSITORY, "build", "tools", "divcost"))
    parser.add_argument("--plugin", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kernel = os.path.join(folder, "rows.cu")
        with open(os.path.join(REPOSITORY, "tools", "lsp", "tests", "rows.cu")) as file:
            text = file.read()
        text = text[text.index("__global__"):]
        with open(kernel, "w") as file:
            file.write(text)
        line = 1 + next(k for k, one in enumerate(text.splitlines()) if one.lstrip().startswith("for"))
        flags = ["-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "--cuda-feature=+ptx78",
                 "-I" + os.path.join(REPOSITORY, "bench", "include"), "-include", "divcost_cuda.h"]
        init = os.path.join(folder, "init.lua")
        plugin = ', plugin = "%s"' % os.path.abspath(options.plugin) if options.plugin else ""
        with open(init, "w") as file:
            file.write(INIT.replace("FILE", kernel).replace("DIVCOST", os.path.abspath(options.divcost))
                       .replace("FLAGS", ", ".join('"%s"' % flag for flag in flags))
                       .replace("PLUGIN", plugin).replace("LINE", str(line)))
        tmux = ["tmux", "-S", os.path.join(folder, "socket"), "-f", "/dev/null"]
        subprocess.run([*tmux, "new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES),
                        "nvim -u %s -i NONE -n" % init], check=True)
        try:
            time.sleep(6)
            shown = subprocess.run([*tmux, "capture-pane", "-e", "-p"], check=True,
                                   stdout=subprocess.PIPE).stdout.decode()
        finally:
            subprocess.run([*tmux, "kill-server"])
        page = os.path.join(folder, "page.html")
        lines = shown.rstrip("\n").split("\n")
        while re.sub("\x1b[^m]*m", "", lines[-1]).strip() in ("", "~"):
            lines.pop()
        lines = [spans(one) for one in lines]
        with open(page, "w") as file:
            file.write("<meta charset=utf-8><body style='margin:12px;background:#fff'><pre style='font:"
                       "14px/18px \"DejaVu Sans Mono\"'>%s</pre>" % "\n".join(lines))
        picture = os.path.join(folder, "picture.png")
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        "--screenshot=" + picture, "--window-size=%d,%d" % (
                            24 + 8.43 * COLUMNS, 36 + 18 * len(lines)), "file://" + page],
                       check=True, cwd=folder, stderr=subprocess.DEVNULL)
        os.makedirs(os.path.dirname(os.path.abspath(options.output)), exist_ok=True)
        shutil.copy(picture, options.output)


if __name__ == "__main__":
    main()
