"""An annotation file whose entries match nothing; given a report, one whose id is a digit off."""
import json
import sys

ENTRIES = [
    {"file": "unit.cu", "line": 39},
    {"function": "spvm", "line": 1},
    {"function": "scan", "line": 33},
    {"file": "units.cu", "line": 33},
    {"id": "0123456789abcdef"},
    {"id": "0123456789abcdef", "function": "scam", "line": 1},
]

if len(sys.argv) > 1:
    with open(sys.argv[1]) as file:
        loop = json.load(file)["kernels"][0]["loops"][0]["id"]
    ENTRIES = [{"id": ("0" if loop[0] != "0" else "1") + loop[1:]}]
for entry in ENTRIES:
    entry["trips"] = "const(3)"
print(json.dumps({"divcost-annotations": 1, "loops": ENTRIES}))
