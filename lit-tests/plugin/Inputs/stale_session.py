# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes session directories of a driver that is gone, and checks what a later run did to them."""
import os
import subprocess
import sys

command, temporary = sys.argv[1:]
name_space = os.stat("/proc/self/ns/pid").st_ino
user = os.geteuid()


def path(user, pid):
    return "%s/divcost-%d-%d-%d-1-%016x" % (temporary, user, name_space, pid, 1)


dead, foreign, link = path(user, 2**22 - 1), path(user + 1, 2**22 - 1), path(user, 2**22 - 2)
if command == "make":
    for directory in dead, foreign:
        os.mkdir(directory, 0o700)
        open(directory + "/reported", "w").close()
    os.mkdir(temporary + "/target", 0o700)
    open(temporary + "/target/file", "w").close()
    os.symlink(temporary + "/target", link)
else:
    assert not os.path.exists(dead), "the stale directory is still there"
    assert os.path.exists(foreign + "/reported"), "another user's directory was touched"
    assert os.path.exists(temporary + "/target/file"), "a link was followed"
