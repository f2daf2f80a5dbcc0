"""The findings of a JSON report, one a line: function, line, rule, and whether it is suppressed."""
import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
lines = []
for kernel in report["kernels"]:
    for finding in kernel["findings"]:
        said = "said" if not finding["suppressed"] else "suppressed"
        if "reason" in finding:
            said += ": " + finding["reason"]
        name = kernel["name"].split("(")[0]
        lines.append((finding["line"], "%s %d %s: %s" % (name, finding["line"], finding["rule"], said)))
print("\n".join(line for _, line in sorted(lines)))
