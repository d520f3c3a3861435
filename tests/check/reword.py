# SPDX-License-Identifier: GPL-3.0-or-later
"""packaging/reword in a small tree."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PACKAGING = pathlib.Path(__file__).resolve().parents[2] / "packaging"
SOURCE = '''void f() {
    throw UserError("cannot read {} at "
                    "line {}: it is no table", file, line);
}
'''
CATALOGUE = '''<TS>
<context>
    <name>trainyard::engine</name>
    <message><source>cannot read {} at line {}: it is no table</source><translation>kann {} nicht lesen: {}</translation></message>
    <message><source>&apos;{}&apos; is new</source><translation>{} ist neu</translation></message>
</context>
</TS>
'''


class Reword(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "packaging").mkdir()
        for name in ("reword", "message_forms.py"):
            shutil.copy(PACKAGING / name, self.root / "packaging" / name)
        self.write(".clang-format", "BasedOnStyle: Google\nColumnLimit: 60\nIndentWidth: 4\n")
        self.write("engine/one.cpp", SOURCE)
        self.write("app/two.cpp", 'const char* kText = "it is no table";\n')
        self.write("tests/one.cpp", 'void g() { EXPECT_THAT(said, test::says("cannot read {} at line {}: it is no table", _, 3)); }\n')
        self.write("resources/translations/x_de.ts", CATALOGUE)
        self.write("README.md", "It says: cannot read x at line 3: it is no table.\n")
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        subprocess.run(["git", "add", "-A"], cwd=self.root, check=True)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def read(self, path):
        return (self.root / path).read_text()

    def reword(self, *arguments):
        return subprocess.run([sys.executable, "-B", self.root / "packaging/reword", *arguments], capture_output=True, text=True)

    def test_source_tests_and_catalogues_change_together(self):
        done = self.reword("cannot read {} at line {}: it is no table", "cannot read {}, line {}: this is not a table")
        self.assertEqual(done.returncode, 0, done.stderr)
        for path in ("engine/one.cpp", "tests/one.cpp"):
            self.assertIn('"cannot read {}, line {}: this is not a table"', re.sub(r'"\s*"', "", self.read(path)))
        self.assertIn("<source>cannot read {}, line {}: this is not a table</source><translation>kann {} nicht lesen: {}<",
                      self.read("resources/translations/x_de.ts"))
        self.assertIn('"it is no table"', self.read("app/two.cpp"))
        for line in ("engine/one.cpp: 1\n", "tests/one.cpp: 1\n", "x_de.ts: 1\n    kann {} nicht lesen: {}\n"):
            self.assertIn(line, done.stdout)

    def test_what_is_left_is_printed(self):
        self.write("README.md", "It says: it is no table.\n")
        self.write("tests/two.cpp", 'EXPECT_THAT(said, HasSubstr("is no table"));\n')
        done = self.reword("it is no table", "this is not a table")
        self.assertIn("left: README.md:1:It says: it is no table.", done.stdout)
        self.assertIn('left: tests/two.cpp:1: EXPECT_THAT(said, HasSubstr("is no table"));', done.stdout)
        self.assertEqual(self.read("app/two.cpp"), 'const char* kText = "this is not a table";\n')

    def test_an_existing_translation_of_the_new_text_stays(self):
        self.write("engine/one.cpp", "Message a(\"'{}' is new\", x), b(\"{} is very new\", x);\n")
        self.write("resources/translations/x_de.ts", CATALOGUE.replace(
            "</context>", "    <message><source>{} is very new</source><translation>neu: {}</translation></message>\n</context>"))
        self.assertEqual(self.reword("'{}' is new", "{} is very new").returncode, 0)
        self.assertEqual(self.read("resources/translations/x_de.ts").count("{} is very new"), 1)
        self.assertIn("neu: {}", self.read("resources/translations/x_de.ts"))
        self.assertNotIn("&apos;", self.read("resources/translations/x_de.ts"))

    def test_the_path_follows_some_literals(self):
        self.write("engine/one.cpp", 'void f() { throw_file_error("cannot open", path); }\n')
        self.assertIn("must end with it", self.reword("cannot open {}", "{} cannot be opened").stderr)
        self.assertEqual(self.reword("cannot open {}", "no access to {}").returncode, 0)
        self.assertEqual(self.read("engine/one.cpp"), 'void f() { throw_file_error("no access to", path); }\n')

    def test_refuses_other_placeholders_and_unknown_literals(self):
        for old, new in (("cannot read {} at line {}: it is no table", "cannot read {}: it is no table"),
                         ("no {} such {}", "{} {} unknown"), ("it is no tab", "not a tab")):
            done = self.reword(old, new)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertRegex(done.stderr, "placeholders differ|no source of")
        self.assertEqual(self.read("engine/one.cpp"), SOURCE)

    def test_a_dry_run_writes_nothing(self):
        self.assertIn("engine/one.cpp: 1", self.reword("--dry-run", "cannot read {} at line {}: it is no table", "{} {}").stdout)
        self.assertEqual(self.read("engine/one.cpp"), SOURCE)


if __name__ == "__main__":
    unittest.main()
