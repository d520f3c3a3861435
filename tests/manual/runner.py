# SPDX-License-Identifier: GPL-3.0-or-later
"""Breaks each rule of examples.py with a page of its own, and expects its message."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import examples

LOOP = "    trainyard::Accelerator accelerator;\n    accelerator.backward(loss);\n    optimizer->step();\n"


class Runner(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.temporary.name)
        examples.ROOT = self.root
        examples.EXCEPTIONS = self.root / "not_run.txt"
        self.write("not_run.txt", "# none\n")
        self.write("resources/samples/programs/first_steps.cpp", LOOP)
        self.write("resources/samples/programs/clip.cpp", LOOP + "    accelerator.clip_grad_norm(model, 1.0);\n")
        self.write("resources/samples/sample.yaml", "name: sample\ntraining: {steps: 100}\n")
        # Prints its arguments, and fails for a file that says so.
        self.write(
            "bin/trainyard", '#!/bin/sh\necho "$@" >>"$HOME/calls"\nfor last; do :; done\n! grep -qs "^wrong" "$last"\n'
        )
        (self.root / "bin/trainyard").chmod(0o755)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def run_page(self, text):
        self.write("page.md", text)
        with tempfile.TemporaryDirectory() as folder:
            stdout, sys.stdout = sys.stdout, open(os.devnull, "w", encoding="utf-8")
            try:
                page = examples.Page("page.md", self.root / "bin", pathlib.Path(folder))
                page.run()
            finally:
                sys.stdout.close()
                sys.stdout = stdout
            calls = pathlib.Path(folder) / "home/calls"
            return page, calls.read_text().splitlines() if calls.exists() else []

    def expect(self, text, message):
        with self.assertRaises(examples.Failure) as caught:
            self.run_page(text)
        self.assertIn(message, str(caught.exception))

    def test_commands_are_executed_in_order(self):
        page, calls = self.run_page(
            "```console\n$ echo one > file\noutput\n$ grep one file\n$ trainyard runs list\n```\n"
        )
        self.assertEqual((page.executed, page.left_out, calls), (3, 0, ["runs list"]))
        self.expect("```console\n$ true\n$ false | true\n```\n", "line 3: exit code 1: false | true")

    def test_trainings_are_small(self):
        _, calls = self.run_page(
            "```console\n$ trainyard launch samples/sample.yaml --num_processes 2\n"
            "$ trainyard launch --main_process_port 7 samples/sample.yaml --set training.steps=3\n"
            "$ trainyard launch --config_file samples/sample.yaml\n```\n"
        )
        self.assertEqual(
            calls[0], "launch --main_process_port 0 --set training.steps=8 samples/sample.yaml --num_processes 2"
        )
        self.assertNotIn("training.steps=8", calls[1])
        self.assertNotIn("--main_process_port 0", calls[1])
        self.assertEqual(calls[2], "launch --main_process_port 0 --config_file samples/sample.yaml")

    def test_recipes_and_settings_are_checked(self):
        _, calls = self.run_page(
            "```yaml a.yaml\nname: a\n```\n```yaml b.yaml\ncompute_environment: LOCAL_MACHINE\n```\n```console\n$"
            " trainyard env\n```\n"
        )
        self.assertEqual(calls[:2], ["config validate b.yaml", "env"])
        self.assertRegex(calls[2], "^launch .*--dry-run a.yaml$")
        self.expect("```yaml a.yaml\nwrong: a\n```\n", "line 1: exit code 1: trainyard launch --dry-run a.yaml")
        self.expect(
            "```python a.py\nif:\n```\n".replace("if:", "print('a')") + "```yaml\nname: a\n```\n",
            "'yaml' is not a kind of example",
        )
        with self.assertRaises(SyntaxError):
            self.run_page("```python a.py\nif:\n```\n")

    def test_excerpts_are_lines_of_their_sample(self):
        self.run_page(
            "```cpp samples/programs/clip.cpp\noptimizer->step();\n    accelerator.clip_grad_norm(model,  1.0);\n```\n"
        )
        self.expect(
            "```cpp samples/programs/clip.cpp\noptimizer->step(2);\n```\n",
            "are not a part of resources/samples/programs/clip.cpp",
        )
        self.expect(
            "```cpp samples/programs/clip.cpp\ntrainyard::Accelerator accelerator;\noptimizer->step();\n```\n",
            "are not a part",
        )
        self.expect("```cpp samples/none.cpp\nx\n```\n", "resources/samples/none.cpp does not exist")

    def test_differences_are_lines_of_both(self):
        self.run_page(
            "```diff samples/programs/clip.cpp\n     optimizer->step();\n+    accelerator.clip_grad_norm(model,"
            " 1.0);\n```\n"
        )
        self.expect(
            "```diff samples/programs/clip.cpp\n+    accelerator.clip_grad_norm(model, 2.0);\n```\n",
            "line 2: resources/samples/programs/clip.cpp has no line",
        )
        self.expect(
            "```diff samples/programs/clip.cpp\n-    accelerator.clip_grad_norm(model, 1.0);\n+   "
            " optimizer->step();\n```\n",
            "line 2: resources/samples/programs/first_steps.cpp has no line",
        )
        self.expect("```diff samples/programs/clip.cpp\n     optimizer->step();\n```\n", "the difference adds nothing")

    def test_entries_name_keys_and_programs_that_exist(self):
        self.write("resources/manual/reference/recipe-keys.md", "## training\n\n| `steps` | `100` |\n")
        self.write("resources/samples/programs/CMakeLists.txt", "set(_samples first_steps clip)\n")
        clip = "```diff samples/programs/clip.cpp\n+ accelerator.clip_grad_norm(model, 1.0);\n```\n"
        self.run_page("Recipe: `training.steps`. See `training.others`.\n" + clip)
        self.expect("Recipe:\n`training.steps`, `training.stpes`.\n", "'training.stpes' is not a key of a recipe")
        self.write("resources/samples/programs/CMakeLists.txt", "set(_samples first_steps)\n")
        self.expect(clip, "line 1: clip is not a program of resources/samples/programs/CMakeLists.txt")

    def test_no_example_escapes(self):
        self.expect("```\n$ true\n```\n", "'' is not a kind of example")
        self.expect("```console\ntrue\n```\n", "a console block without a command")
        self.expect("```console\n$ true\n", "line 1: the block has no end")

    def test_exceptions_have_a_command_and_a_reason(self):
        self.write("page.md", "```console\n$ false --now\n```\n")
        self.write("not_run.txt", "page.md\tfalse\tends with 1\n")
        examples.check_exceptions(examples.read_exceptions(examples.EXCEPTIONS), self.root)
        page = self.run_page("```console\n$ false --now\n```\n")[0]
        self.assertEqual((page.executed, page.left_out), (0, 1))
        for line, message in (
            ("page.md\ttrue\tno such command\n", "no command that begins with: true"),
            ("other.md\tfalse\tx\n", "other.md, which does not exist"),
            ("page.md\tfalse\t \n", "page, beginning of the command and reason"),
        ):
            self.write("not_run.txt", line)
            with self.assertRaises(examples.Failure) as caught:
                examples.check_exceptions(examples.read_exceptions(examples.EXCEPTIONS), self.root)
            self.assertIn(message, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
