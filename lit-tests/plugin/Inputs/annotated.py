"""The annotated loops of JSON reports, one a line: kernel, distribution, what gave it, and the
reason why it is ignored."""
import json
import os
import re
import sys

for path in sys.argv[1:]:
    with open(path) as file:
        report = json.load(file)
    for kernel in report["kernels"]:
        name = re.sub(r"^void |\(.*", "", kernel["name"])
        for loop in kernel["loops"]:
            trips = loop["trips"]
            if trips.get("from") != "annotated" and "ignored" not in loop:
                continue
            words = [name, trips.get("distribution", "-")]
            words.append(os.path.basename(trips.get("distribution_at", "-")))
            if "ignored" in loop:
                words.append("ignored: " + loop["ignored"])
            print(" ".join(words))
