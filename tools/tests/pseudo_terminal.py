# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command on a terminal, which is how colours, progress and widths are seen."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios

END = b"\0"


def on_terminal(command, columns=80, streams=("stdout",), **options):
    """(status, text): what the command writes to the streams, on a terminal of so many columns.

    The terminal stays open here until all of it is read: what nobody has read yet may be lost with
    the last writer.
    """
    control, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    child = subprocess.Popen(command, **dict.fromkeys(streams, terminal), **options)
    ended, text = False, b""
    while not text.endswith(END):
        if not ended and child.poll() is not None:
            ended = True
            os.write(terminal, END)
        if select.select([control], [], [], 0.01)[0]:
            text += os.read(control, 65536)
    os.close(terminal)
    os.close(control)
    return child.returncode, text[:-len(END)].decode("utf-8", errors="replace")
