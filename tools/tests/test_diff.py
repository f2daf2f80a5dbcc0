#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_diff.py DIVCOST SAMPLES: `divcost diff`."""
import json

from reports import Case, load, main, only, replace_text, run, sample


def law(text):
    return lambda report: replace_text(report, "poisson(30)", text)


class Diff(Case):
    def differences(self, before, after):
        return json.loads(self.done("diff", "--json", before, after))

    def test_the_same_build_has_no_difference(self):
        self.assertEqual(self.done("diff", sample(), sample()), "no difference (kernels: 3)\n")
        self.assertEqual(self.differences(sample(), sample()),
                         {"divcost-diff": 1, "same": 3, "kernels": []})

    def test_what_got_worse_comes_first(self):
        before = self.changed("before.json", law("const(30)"))
        text = self.done("diff", before, sample())
        self.assertTrue(text.startswith("kernels: 1 lose more, 0 less, 0 differ otherwise, 0 new, "
                                        "0 gone, 2 the same\n\nspmv_csr("))
        self.assertRegex(text, r"\n  lost +0% +39%\n")
        self.assertRegex(text, r"\n    trips +const\(30\) +poisson\(30\)\n")
        kernel, = self.differences(before, sample())["kernels"]
        self.assertEqual((kernel["state"], kernel["before"]["share"]), ("changed", 0))
        self.assertAlmostEqual(kernel["after"]["share"], 0.388, 3)
        better, = self.differences(sample(), before)["kernels"]
        self.assertEqual(better["before"], kernel["after"])
        self.assertIn("0 lose more, 1 less", self.done("diff", sample(), before))

    def test_kernels_and_loops_are_new_or_gone(self):
        fewer = self.changed("fewer.json", lambda report: only(report, "spmv"))
        states = [kernel["state"] for kernel in self.differences(fewer, sample())["kernels"]]
        self.assertEqual(states, ["new", "new"])
        self.assertIn("2 gone, 1 the same", self.done("diff", sample(), fewer))

        def rename_loop(report):
            report["kernels"][0]["skeleton"]["loops"][0]["id"] = "00000000000000ff"
        kernel, = self.differences(sample(), self.changed("id.json", rename_loop))["kernels"]
        self.assertEqual({(loop["id"], loop["state"]) for loop in kernel["loops"]},
                         {("0123456789abcdef", "gone"), ("00000000000000ff", "new")})

    def test_a_class_that_changed_is_a_difference(self):
        def change(report):
            report["kernels"][0]["skeleton"]["loops"][0]["class"] = "unknown"
        text = self.done("diff", sample(), self.changed("class.json", change))
        self.assertRegex(text, r"\n    class +data-dependent +unknown\n")

    def test_small_differences_are_none(self):
        law_a, law_b = (self.changed(name, law("poisson(%s)" % mean))
                        for name, mean in (("a.json", "30"), ("b.json", "30.05")))
        changed = self.differences(law_a, law_b)["kernels"]
        self.assertEqual([loop["before"]["distribution"] for kernel in changed
                          for loop in kernel["loops"]], ["poisson(30)"]) # the law itself is one
        text = self.done("diff", law_a, law_b)
        self.assertRegex(text, r"\n    trips +poisson\(30\) +poisson\(30.05\)\n")
        self.assertNotIn("mean trips", text) # but 0.2% of its mean are not
        self.assertIn("mean trips", self.done("diff", law_a, self.changed("c.json",
                                                                          law("poisson(31)"))))

    def test_other_checkouts_are_the_same_files(self):
        for folder in ("/home/a/project/", "/var/ci/7/"):
            self.changed(folder.replace("/", "_") + ".json",
                         lambda report: replace_text(report, "src/sparse.cu",
                                                     folder + "src/sparse.cu"))
        text = self.done("diff", self.path("_home_a_project_.json"), self.path("_var_ci_7_.json"))
        self.assertEqual(text, "no difference (kernels: 3)\n")

    def test_kernels_of_one_symbol_go_by_their_files(self):
        def of(files, laws):
            for file, text in zip(files, laws):
                def change(report):
                    only(report, "spmv")
                    replace_text(report, "src/sparse.cu", file)
                    law(text)(report)
                self.changed("%s/%s.json" % (laws[0], file.replace("/", "-")), change)
            return self.path(laws[0])
        before = of(("a/x.cu", "b/x.cu"), ("const(30)", "poisson(30)"))
        after = of(("/r/b/x.cu", "/r/a/x.cu"), ("poisson(30)", "const(30)"))
        self.assertEqual(self.differences(before, after)["kernels"], [])

    def test_folders_are_builds(self):
        self.write("old/a.json", load(sample("sample_80")))
        self.write("new/b.json", load(sample("sample_80")))
        self.assertIn("no difference", self.done("diff", self.path("old"), self.path("new")))

    def test_wrong_usage_and_files_that_cannot_be_read(self):
        for arguments in ([], [sample()], [sample()] * 3, ["--jsn", sample(), sample()]):
            self.assertEqual(run("diff", *arguments).returncode, 2)
        self.refused(1, "No such file", "diff", sample(), self.path("none"))
        self.refused(1, "No such file", "diff", self.path("none"), sample())
        self.assertIn("usage: divcost diff", self.done("diff", "--help"))


if __name__ == "__main__":
    main()
