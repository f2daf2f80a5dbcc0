// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the address asks for: "" the findings, a list ("files", "kernels", "loops", "reading"), or
// what is named: "kernel=_Z4spmvPKi&loop=2", "kernel=_Z4spmvPKi&file=a.cu&line=12",
// "file=a.cu&line=12". By names, so that a link leads to the same in tomorrow's report.

const kernelKeys = (() => {
  const counts = new Map();
  return index.kernels.map(row => {
    const key = row[KERNEL.symbol] || row[KERNEL.name], count = (counts.get(key) || 0) + 1;
    counts.set(key, count);
    return count > 1 ? key + "~" + count : key;
  });
})();
const kernelNumbers = new Map(kernelKeys.map((key, number) => [key, number]));
const filesByKey = new Map(index.files.flatMap(name => [[name, name], [shortFile(name), name]]));

const escaped = text => encodeURIComponent(text).replace(/%2F/g, "/").replace(/%3A/g, ":");

// The address of a kernel by number, of its loop, of a file by name, of its line; all optional.
function addressOf({kernel, loop, file, line}) {
  const parts = [kernel !== undefined && "kernel=" + escaped(kernelKeys[kernel]), loop !== undefined && "loop=" + loop,
    file && "file=" + escaped(shortFile(file)), file && line && "line=" + line];
  return "#" + parts.filter(Boolean).join("&");
}

// {page, kernel, loop, place}; page is "missing" where the report has nothing of that name.
function readAddress(hash) {
  const text = hash.slice(1);
  if (["", "files", "kernels", "loops", "reading"].includes(text))
    return {page: text || "findings"};
  const parts = new URLSearchParams(text), file = parts.get("file"), name = filesByKey.get(file);
  const place = name === undefined ? null : [name, Number(parts.get("line")) || 0, 0];
  if ((file && !place) || (parts.has("kernel") ? !kernelNumbers.has(parts.get("kernel")) : !place))
    return {page: "missing"};
  if (!parts.has("kernel"))
    return {page: "file", place};
  return {page: "kernel", kernel: kernelNumbers.get(parts.get("kernel")), place,
          loop: parts.has("loop") ? Number(parts.get("loop")) : undefined};
}
