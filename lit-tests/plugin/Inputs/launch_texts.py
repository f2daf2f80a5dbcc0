"""launch_texts.py COMMAND...: each text of a launch is read as a pragma's and as an annotation file's, which have to say the
same of it at the same place. COMMAND analyses a file whose name comes last."""
import json
import re
import subprocess
import sys

KERNEL = "__global__ void kernel(int n, float *x, bool flag, double real, int *l2, int extent) { x[n] = extent; }\n"
PRAGMA = "#pragma divcost launch(%s)\n"
# In the file the text has lines, characters of several bytes and an escape before it; a list of loops stands behind.
FILE = """{
  "divcost-annotations": 1, "$schema": "[{\\"kernels\\": [",
  "kernels": [ {"function": "k\u00e9", "launch": "block=32", "file": "\\\\"},
    {"file": "\u00e9\\u00e9", "function": "kernel", "launch": "n=1"},
    { "function" : "kernel" ,
      "launch" :\t"%s" }
  ], "loops": []
}
"""
COLUMN = len('      "launch" :\t"')

# Text, and what is wrong from which byte on; nothing: it is taken.
TEXTS = [
    ("block=256", None), ("block=(256)", None), ("block=(16, 16)", None), ("block = ( 8,8 , 8 )", None),
    ("block=256, grid=1000", None), ("grid=(3,4),block=0x20", None), ("block=32,grid=(3, 4, 5)", None),
    ("n=-2147483648", None), ("n=0b101u, real=-3, flag=1", None), ("extent=3, extent(x, 1)", None),
    ("extent(x, 281474976710656), extent(l2,1)", None), ("l2=warm", None), ("l2=cold, block=1024", None),
    ("", (0, "expected block, grid, extent, l2 or the name of a parameter instead of the end")),
    ("block", (5, "expected '=' instead of the end")),
    ("block=", (6, "expected a whole number, (X, Y) or (X, Y, Z) instead of the end")),
    ("block=dim3(16, 16)", (6, "expected a whole number, (X, Y) or (X, Y, Z) instead of 'dim3'")),
    ("block=0", (6, "expected a whole number from 1 to 1024 instead of '0'")),
    ("block=-3", (6, "expected a whole number from 1 to 1024 instead of '-3'")),
    ("block=(1, 2, 3, 4)", (14, "expected ')' instead of ','")),
    ("block=(1, )", (10, "expected a whole number from 1 to 1024 instead of ')'")),
    ("block=(64, 32)", (6, "a block has at most 1024 threads")),
    ("block=32 grid=3", (9, "expected ',' or the end instead of 'grid'")),
    ("block=32; grid=3", (8, "expected ',' or the end instead of ';'")),
    ("n=1, grid=3", (5, "'grid' needs 'block' too")),
    ("block=32, n=2, block=32", (15, "'block' is given twice")),
    ("n=2, n=2", (5, "'n' is given twice")),
    ("extent(x, 1), extent(x, 1)", (21, "the extent of 'x' is given twice")),
    ("extent(3, 1)", (7, "expected the name of a parameter instead of '3'")),
    ("extent(x)", (8, "expected ',' instead of ')'")),
    ("extent(x, 0)", (10, "expected a whole number from 1 to 281474976710656 instead of '0'")),
    ("l2=hot", (3, "expected warm or cold instead of 'hot'")),
    ("n=1e6", (2, "expected a whole number instead of '1e6'")),
    ("n=08", (2, "expected a whole number instead of '08'")),
    ("m=3", (0, "kernel 'kernel' has no parameter 'm' that is a number; possible: block, grid, n, flag, real, extent")),
    ("n=1, extent(n, 1)", (12, "kernel 'kernel' has no parameter 'n' that is a pointer; possible: x, l2")),
    ("real=1, n=2147483648", (8, "2147483648 does not fit the parameter 'n', whose type is 'int'")),
    ("flag=2", (0, "2 does not fit the parameter 'flag', whose type is 'bool'")),
]


def said(command, pattern):
    """Place and words of the first complaint about a launch."""
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8").stdout
    found = re.search(pattern, out)
    return found and (int(found[1]), int(found[2]), found[3])


def main():
    command = sys.argv[1:]
    failures = 0
    with open("plain.cu", "w") as file:
        file.write(KERNEL)
    for text, wrong in TEXTS:
        with open("pragma.cu", "w") as file:
            file.write(PRAGMA % text + KERNEL)
        with open("notes.json", "w", encoding="utf-8") as file:
            file.write(FILE % text)
        with open("notes.json", encoding="utf-8") as file:
            json.load(file)
        by_pragma = said([*command, "pragma.cu"], r"pragma\.cu:(\d+):(\d+): error: '#pragma divcost': (.*)")
        by_file = said([*command, "-fplugin-arg-divcost-annotations=notes.json", "plain.cu"],
                       r"divcost: 'notes\.json', line (\d+), column (\d+): kernels\[2\]\.launch: (.*?)(?: \[-W.*)?\n")
        expected = wrong and [(1, len("#pragma divcost launch(") + 1 + wrong[0], wrong[1]), (6, COLUMN + 1 + wrong[0], wrong[1])]
        if text == "":
            expected[1] = None # its own words: needs a text
        if [by_pragma, by_file] != (expected or [None, None]):
            failures += 1
            print("%r: %s, %s instead of %s" % (text, by_pragma, by_file, expected))
    print("%d texts, %d failures" % (len(TEXTS), failures))
    return failures > 0


sys.exit(main())
