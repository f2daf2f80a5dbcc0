// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to do first: the findings, worst first. A finding is told in the words of the compiler's
// message, and what helps in those of the rule's help, as in SARIF.

// Measured ones by what idles of the program's time, as divcost check has them, then by what is lost for
// certain; those that aren't of cost stand behind, those that are silenced last.
const findings = (() => {
  const key = row => [row[FINDING.suppressed] ? 1 : 0, row[FINDING.low] < 0 ? 1 : 0, -row[FINDING.weight], -row[FINDING.low], -row[FINDING.high]];
  return index.findings.map(row => [key(row), row]).sort(([a], [b]) => compareKeys(a, b)).map(([, row]) => row);
})();

// The first finding of each rule shows what helps; the others have it behind a button.
const firstOfRule = new Set(index.rules.map((_, rule) => findings.findIndex(row => row[FINDING.rule] === rule)));

// By whom a finding is silenced; rows have "" where it isn't.
const SILENCED = {"": "", source: ", silenced in the source", options: ", switched off by an option or a .divcost file",
                  library: ", in a library, where data decide"};

const findingAddress = row => addressOf({kernel: row[FINDING.kernel],
  file: row[FINDING.file] < 0 ? undefined : index.files[row[FINDING.file]], line: row[FINDING.line]});

function costCell(row) {
  if (row[FINDING.low] < 0)
    return element("td", {class: "lost quiet"}, row[FINDING.suppressed] ? "silenced" : "not of cost");
  const cell = lostCell(row, FINDING);
  cell.append(element("div", {class: "quiet of"}, row[FINDING.of]));
  const kernel = index.kernels[row[FINDING.kernel]], timeShare = row[FINDING.timeShare];
  if (timeShare >= 0)
    cell.append(element("div", {class: "quiet of"}, `its kernel takes ${Number((100 * timeShare).toPrecision(3))}% of the GPU time`));
  if (kernel[KERNEL.timeLost] > 0)
    cell.append(element("div", {class: "quiet of"}, `divergence costs its kernel ${kernel[KERNEL.time]} of a launch`));
  return cell;
}

function findingCell(row, number) {
  const rule = index.rules[row[FINDING.rule]], others = row[FINDING.instances] - 1;
  const kernel = index.kernels[row[FINDING.kernel]][KERNEL.name];
  return element("th", {scope: "row", class: "name finding"},
    element("span", {class: "code rule", title: rule.title}, rule.name), " ",
    element("a", {href: findingAddress(row), class: "code"}, rowPlace(row, FINDING) || "(no location)"),
    element("span", {class: "quiet"}, " in ", element("a", {href: addressOf({kernel: row[FINDING.kernel]}), title: kernel}, bareName(kernel)),
      others > 0 && ` and ${others} other instance${others === 1 ? "" : "s"}`, SILENCED[row[FINDING.suppressed]]),
    element("p", null, row[FINDING.text]),
    firstOfRule.has(number) ? element("p", {class: "hint"}, element("strong", null, "What helps: "), rule.help) :
      element("details", {class: "hint"}, element("summary", null, "What helps"), rule.help));
}

function findingsPage() {
  if (findings.length) {
    const [head, ...list] = listPage("findings");
    return [head, element("p", {class: "quiet"}, "What the rules found, worst first: " + (findings.some(row => row[FINDING.weight] >= 0) ? "where it was measured, by what idles of the program's time; then " : "") +
      "by the share that is lost of the finding's kernel, for the launch for which that is most. " +
      "What has no share of the cost stands behind, last what is silenced."), ...list];
  }
  return [element("h1", null, "What to do first"),
    element("p", null, "No rule found anything to warn of. What may cost something all the same: ",
      element("a", {href: "#kernels"}, "the kernels, worst first"), ".")];
}
