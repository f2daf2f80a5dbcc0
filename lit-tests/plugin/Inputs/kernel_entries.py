"""kernel_entries.py good|wrong: an annotation file for ../annotations_kernels.cu."""
import json
import sys

GOOD = [
    {"function": "space::gather", "file": "annotations_kernels.cu",
     "launch": "block=128, grid=8192, n=1048576, extent(x, 1000000), l2=warm"},
    {"function": "each", "launch": "block=(16, 16), n=7"},
    {"function": "both", "launch": "block=32, grid=4, n=4, m=-5"},
    {"function": "plain", "file": "Inputs/annotations_kernels.h", "launch": "block=0x60u"},
    {"function": "unused", "launch": "block=32"},
]
WRONG = [
    {"function": "gahter", "launch": "block=128"},
    {"function": "gather", "file": "other.cu", "launch": "block=128"},
    {"function": "gather", "launch": "block=32, m=3, extent(n, 3)"},
    {"function": "each", "launch": "n=3000000000"},
    {"function": "each", "launch": "block=32"},
    {"function": "each", "file": "annotations_kernels.h", "launch": "n=2, block=64"},
    {"function": "each<int>", "launch": "block=32"},
]
ENTRIES = {"good": GOOD, "wrong": WRONG}[sys.argv[1]]
print(json.dumps({"divcost-annotations": 1, "kernels": ENTRIES}))
