#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_rows.py DIVCOST SAMPLES SCHEMA MANUAL: `divcost report --jsonl`: against its schema, against
the report as JSON, and in SQLite, with the queries of the manual."""
import json
import re
import sqlite3
import sys

from reports import Case, main, sample

SCHEMA, MANUAL = sys.argv[3:5]


class Rows(Case):
    def setUp(self):
        super().setUp()
        self.text = self.done("report", "--jsonl", sample())
        self.rows = [json.loads(line) for line in self.text.splitlines()]

    def test_rows_are_as_the_schema_says(self):
        import jsonschema
        with open(SCHEMA) as file:
            schema = json.load(file)
        validator = jsonschema.Draft202012Validator(schema)
        stopped = self.done("report", "--jsonl", sample("not_analysed")).splitlines()
        for row in self.rows + [json.loads(line) for line in stopped]:
            validator.validate(row)
        with self.assertRaises(jsonschema.ValidationError):
            validator.validate({**self.rows[0], "surprise": 1})
        with self.assertRaises(jsonschema.ValidationError):
            validator.validate({k: v for k, v in self.rows[1].items() if k != "symbol"})

    def test_there_is_a_row_for_each_kernel_and_loop_of_each_estimate(self):
        report = json.loads(self.done("report", "--json", sample()))
        expected = []
        for kernel in report["kernels"]:
            for estimate in kernel["estimates"]:
                expected.append(("kernel", kernel["symbol"], estimate["arch"], None))
                expected += [("loop", kernel["symbol"], estimate["arch"], loop["id"])
                             for loop in kernel["loops"]]
        self.assertEqual([(row["row"], row["symbol"], row["arch"], row.get("loop"))
                          for row in self.rows], expected)

    def test_figures_are_those_of_the_report(self):
        report = json.loads(self.done("report", "--json", sample()))
        def ends(figure):
            return (figure["low"], figure["high"]) if isinstance(figure, dict) else (figure,) * 2
        loops = iter([row for row in self.rows if row["row"] == "loop"])
        for kernel in report["kernels"]:
            for estimate in kernel["estimates"]:
                for figures in estimate["loops"]:
                    row = next(loops)
                    for column, figure in (("share", figures.get("share")),
                                           ("imbalance", figures["imbalance"].get("aggregate")),
                                           ("cycles", figures["cycles"].get("body")),
                                           ("mean_trips", figures.get("mean_trips"))):
                        if figure is None:
                            self.assertNotIn(column + "_low", row)
                        else:
                            self.assertEqual((row[column + "_low"], row[column + "_high"]),
                                             ends(figure))

    def test_columns_have_one_type(self):
        types = {}
        for row in self.rows:
            for column, value in row.items():
                self.assertEqual(types.setdefault(column, type(value)), type(value), column)
                self.assertNotIsInstance(value, (list, dict))

    def test_the_manuals_queries_run(self):
        with open(MANUAL) as file:
            queries = re.findall(r"```sql\n(.*?)```", file.read(), re.S)
        self.assertGreaterEqual(len(queries), 3)
        database = sqlite3.connect(":memory:")
        database.execute("create table lines (row text)") # as the manual's sqlite3 does
        database.executemany("insert into lines values (?)",
                             [(line,) for line in self.text.splitlines()])
        answers = [database.execute(query).fetchall() for query in queries]
        worst = answers[1]
        self.assertEqual(worst[0][0].split("(")[0], "spmv_csr")
        self.assertEqual([row[-1] for row in worst], sorted((row[-1] for row in worst),
                                                           reverse=True))
        self.assertTrue(all(answers), "a query of the manual finds nothing")


if __name__ == "__main__":
    main()
