# SPDX-License-Identifier: GPL-3.0-or-later
"""Breaks each rule of packaging/check_source.py in a small repository and expects its message."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging"))
import check_source
import plain_english

LIBRARIES = """set(_parts
    base   # errors
    data   # tables
    train  # steps
)
"""
TABLE = "| Folder | Content |\n|---|---|\n| `base` | errors |\n| [`data`](data/README.md) | tables |\n| `train` | steps |\n"


class SourceRules(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for module in (check_source, plain_english):
            module.ROOT = self.root
        check_source.DEBT = self.root / "packaging/style_debt"
        self.write("engine/CMakeLists.txt", LIBRARIES)
        self.write("engine/README.md", TABLE)
        for part, links in (("base", ""), ("data", "trainyard_base"), ("train", "trainyard_data")):
            self.write(f"engine/{part}/CMakeLists.txt", f"trainyard_library({part} DEPENDS {links} SOURCES one.cpp)\n")
            self.write(f"engine/{part}/{part}.h", "#pragma once\n")
            self.write(f"engine/{part}/one.cpp", f'#include "{part}/{part}.h"\n')
        self.write("engine/data/README.md", "Tables.\n")
        self.write("packaging/style_debt", "columns 1\nwording 1\n")
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=self.root, check=True)
        self.commit()

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def commit(self):
        subprocess.run(["git", "add", "-A"], cwd=self.root, check=True)
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "x"], cwd=self.root, check=True)

    def problems(self):
        files = check_source.tracked_files()
        return [*check_source.check_order(files), *check_source.check_names(files), *check_source.check_documents(files), *check_source.check_links(files),
                *check_source.check_said(files), *check_source.check_places(files), *check_source.check_debt(files, False)]

    def expect(self, *parts):
        self.commit()
        found = self.problems()
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_top_level(self):
        self.write("core", "what a program left when it died")
        self.expect("core: the top level has only")

    def test_a_folder_within_a_folder_is_a_part(self):
        self.write("engine/CMakeLists.txt", LIBRARIES.replace("    data ", "    base/files  # large files\n    data "))
        self.write("engine/README.md", TABLE.replace("| [`data`]", "| `base/files` | large files |\n| [`data`]"))
        self.write("engine/base/files/CMakeLists.txt", "trainyard_library(files DEPENDS trainyard_base SOURCES one.cpp)\n")
        self.write("engine/base/files/files.h", "#pragma once\n")
        self.write("engine/base/files/one.cpp", '#include "base/files/files.h"\n#include "base/base.h"\n')
        self.commit()
        self.assertEqual(self.problems(), [])
        self.write("engine/base/one.cpp", '#include "base/files/files.h"\n')
        self.expect("engine/base/one.cpp:1: includes base/files/files.h")

    def test_a_sound_tree_has_no_problem(self):
        self.assertEqual(self.problems(), [])

    def test_includes_follow_the_order_of_libraries(self):
        self.write("engine/train/one.cpp", '#include "base/base.h"\n#include "data/data.h"\n')
        self.commit()
        self.assertEqual(self.problems(), [])
        self.write("engine/base/one.cpp", '#include "base/base.h"\n#include "train/train.h"\n')
        self.expect("engine/base/one.cpp:2: includes train/train.h")

    def test_public_headers_follow_the_order_of_libraries(self):
        self.write("engine/train/trainyard/loop.h", "#pragma once\n")
        self.write("engine/train/one.cpp", "#include <trainyard/loop.h>\n")
        self.commit()
        self.assertEqual(self.problems(), [])
        self.write("engine/base/one.cpp", "#include <trainyard/loop.h>\n")
        self.expect("engine/base/one.cpp:1: includes trainyard/loop.h of train")

    def test_names_of_headers_occur_once(self):
        self.write("engine/train/table.h", "#pragma once\n")
        self.write("engine/data/gloo_abi/table.h", "#pragma once\n")
        self.commit()
        self.assertEqual(self.problems(), [])
        self.write("engine/data/table.h", "#pragma once\n")
        self.expect("engine/train/table.h: engine/data/table.h has this name, too")

    def test_a_source_belongs_to_the_library_that_compiles_it(self):
        self.write("engine/base/network.cpp", '#include "train/train.h"\n')
        self.write("engine/train/CMakeLists.txt", "trainyard_library(train DEPENDS trainyard_data SOURCES one.cpp ../base/network.cpp)\n")
        self.commit()
        self.assertEqual(self.problems(), [])

    def test_libraries_do_not_link_each_other(self):
        self.write("engine/base/CMakeLists.txt", "trainyard_library(base SOURCES one.cpp)\ntarget_link_libraries(trainyard_base PRIVATE trainyard_data)\n")
        self.expect("base and data link each other")

    def test_the_table_has_the_order_of_the_libraries(self):
        self.write("engine/README.md", TABLE.replace("`train`", "`strain`"))
        self.expect("engine/README.md: row 3 of the table is strain")

    def test_documents_are_in_the_repository(self):
        self.write("engine/base/one.cpp", "// As README.md and data/README.md say.\n")
        self.write("engine/data/README.md", "Tables.\n")
        self.commit()
        self.assertEqual(self.problems(), [])
        self.write("engine/base/one.cpp", "// As design.md 3.2 says; https://example.org/x.md too.\n")
        self.expect("engine/base/one.cpp:1: design.md is not in the repository")

    def test_links_lead_to_files_and_headings(self):
        self.write("engine/data/README.md", "# Data\n\n## Rows, and *columns*\n\n[up](../README.md) [web](https://example.org/a.md) `[no](none.png)`\n"
                                            "```\n[no](none.png)\n# no heading\n```\n[here](#rows-and-columns) [folder](../base)\n")
        self.commit()
        self.assertEqual(self.problems(), [])
        self.write("engine/base/README.md", "See\n[rows](../data/README.md#rows).\n")
        self.expect("engine/base/README.md:2: engine/data/README.md has no heading for #rows")
        self.write("engine/base/README.md", "![picture](none.png)\n")
        self.expect("engine/base/README.md:1: the link leads to engine/base/none.png, which is not in the repository")

    def test_the_manual_links_to_what_is_installed(self):
        self.write("resources/screenshots/a.png", "")
        self.write("resources/manual/index.md", "![a](../screenshots/a.png)\n")
        self.commit()
        self.assertEqual(self.problems(), [])
        self.write("resources/manual/index.md", "[engine](../../engine/README.md)\n")
        self.expect("resources/manual/index.md:1: the link leads to engine/README.md, which is not installed")

    def test_versions_are_equal(self):
        section = "## 1.2.0\n\n2026-05-06\n\n### Added\n\n- A *list* of `keys` & more,\n  in two lines.\n\n## 1.1.0\n\nFirst version.\n"
        self.write("CMakeLists.txt", "project(Trainyard VERSION 1.2.0 LANGUAGES CXX)\n")
        self.write("README.md", "# Trainyard\n\nVersion 1.2.0; changes.\n")
        self.write("resources/manual/papers.md", "  version = {1.2.0},\n")
        self.write("resources/manual/changes.md", "# Changes\n\n" + section)
        self.write("resources/manual/man/trainyard.1", '.TH TRAINYARD 1 "" "Trainyard 1.1.0" "Trainyard manual"\n')
        self.write(check_source.changes.METAINFO, "<component>\n  <releases>\n  </releases>\n</component>\n")
        self.assertEqual(len(list(check_source.check_versions())), 2)
        check_source.changes.apply(self.root, "# Changes\n\n" + section)
        self.assertEqual(list(check_source.check_versions()), [])
        metainfo = (self.root / check_source.changes.METAINFO).read_text()
        self.assertIn('<release version="1.2.0" date="2026-05-06">', metainfo)
        self.assertIn("<li>A *list* of keys &amp; more, in two lines.</li>", metainfo)
        self.assertNotIn("1.1.0", metainfo)
        self.assertEqual((self.root / "resources/manual/man/trainyard.1").read_text(),
                         '.TH TRAINYARD 1 "2026-05-06" "Trainyard 1.2.0" "Trainyard manual"\n')
        for path, text in (("README.md", "Version 1.1.0\n"), ("CMakeLists.txt", "project(Trainyard VERSION 1.2.1 LANGUAGES CXX)\n"),
                           ("resources/manual/papers.md", "\n")):
            before = (self.root / path).read_text()
            self.write(path, text)
            found = list(check_source.check_versions())
            self.assertEqual(len(found), 1, found)
            self.assertIn(path, found[0])
            self.write(path, before)

    def test_sources_name_their_licence(self):
        identifier = check_source.LICENCE
        self.write("engine/base/one.cpp", f"// {identifier}\n")
        self.write("packaging/tool", f"#!/bin/sh\n# {identifier}\n")
        self.write("resources/look.qss", f"/* {identifier} */\n")
        self.write("README", "No script.\n")
        files = ["engine/base/one.cpp", "packaging/tool", "resources/look.qss", "README", "engine/README.md"]
        self.assertEqual(list(check_source.check_licence(files)), [])
        for path, text in (("engine/base/one.cpp", "#pragma once\n"), ("packaging/tool", "#!/bin/sh\necho\n"), ("resources/look.qss", "")):
            self.write(path, text)
        self.assertEqual(len(list(check_source.check_licence(files))), 3)

    def test_what_a_test_names_is_a_literal_of_the_program(self):
        self.write("engine/base/one.cpp", 'Message a("one {} "\n"two", x);\nvoid f() { throw_file_error("cannot open", x); }\n')
        said = '#include "support/says.h"\nEXPECT_THAT(x, says("one {} two", _));\nEXPECT_THAT(x, test::says_only("cannot open {}", "a"));\n'
        self.write("tests/base/one.cpp", said)
        self.commit()
        self.assertEqual(self.problems(), [])
        self.write("tests/base/one.cpp", said + 'EXPECT_THAT(x, says("one {} "\n"three", _));\n')
        self.expect("tests/base/one.cpp:4: the program does not say", "one {} three")

    def test_debt_only_falls(self):
        long_line = "// " + "x" * 120 + "\n"
        self.write("engine/base/one.cpp", long_line)
        self.commit()
        self.assertEqual(self.problems(), [])
        self.write("engine/base/one.cpp", 2 * long_line)
        self.expect("there are 2 lines over 120 columns, and packaging/style_debt allows 1")
        self.write("engine/base/one.cpp", "// It goes on.\n// It is told.\n")
        self.expect("there are 2 lines with phrases")

    def test_debt_is_not_raised(self):
        self.write("packaging/style_debt", "columns 2\nwording 1\n")
        self.expect("columns is 2 and was 1: it may only be lowered")

    def test_debt_is_lowered_on_request(self):
        list(check_source.check_debt(check_source.tracked_files(), True))
        self.assertEqual(check_source.DEBT.read_text(), "columns 0\nwording 0\n")


if __name__ == "__main__":
    unittest.main()
