#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page_block.py PAGE.html NAME...: prints blocks of the page's data ("index", "loops", "k0", "s0": JSON), a line each."""
import base64
import re
import sys
import zlib


def block(text, name):
    packed = re.search('<script type="application/octet-stream" id="%s">(.*)</script>' % name, text)[1]
    return zlib.decompress(base64.b64decode(packed)).decode()


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as page:
        whole = page.read()
    for wanted in sys.argv[2:]:
        print(block(whole, wanted))
