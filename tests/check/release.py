# SPDX-License-Identifier: GPL-3.0-or-later
"""packaging/release in a small repository, with scripts instead of packaging/check and packaging/package."""
import datetime
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PACKAGING = pathlib.Path(__file__).resolve().parents[2] / "packaging"
TODAY = datetime.datetime.now(datetime.timezone.utc).date
CHANGES = "# Changes\n\n## 0.2.0 (unreleased)\n\n### Added\n\n- Something.\n\n## 0.1.0\n\nFirst version.\n"
METAINFO = "packaging/org.trainyard.Trainyard.metainfo.xml"


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name) / "tree"
        (self.root / "packaging").mkdir(parents=True)
        for name in ("release", "changes.py", "lib.sh"):
            shutil.copy(PACKAGING / name, self.root / "packaging" / name)
        for name in ("check", "package"):
            self.write(f"packaging/{name}", f'#!/bin/sh\necho "{name} $*" >>../calls\n[ ! -e ../{name}-fails ]\n')
            (self.root / "packaging" / name).chmod(0o755)
        self.write("CMakeLists.txt", "project(Trainyard VERSION 0.2.0 LANGUAGES CXX)\n")
        self.write("resources/manual/changes.md", CHANGES)
        self.write(METAINFO, "<component>\n  <releases>\n  </releases>\n</component>\n")
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "x")
        self.git("config", "user.email", "x@x")
        self.commit()

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, text=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def release(self, *words):
        return subprocess.run([self.root / "packaging/release", *words], cwd=self.root, capture_output=True, text=True)

    def calls(self):
        path = self.root.parent / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def expect_refusal(self, message):
        before = self.git("rev-parse", "HEAD")
        done = self.release("--yes")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(message, done.stderr)
        self.assertEqual((self.git("rev-parse", "HEAD"), self.git("tag")), (before, ""))

    def test_makes_commit_tag_and_packages(self):
        days = [str(TODAY())]
        done = self.release("--yes")
        days.append(str(TODAY()))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.calls(), ["check --quick --yes", "package --yes"])
        text = (self.root / "resources/manual/changes.md").read_text()
        self.assertIn(text, [CHANGES.replace("## 0.2.0 (unreleased)\n", f"## 0.2.0\n\n{day}\n") for day in days])
        self.assertIn('<release version="0.2.0"', (self.root / METAINFO).read_text())
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("log", "-1", "--format=%s").strip(), "Release 0.2.0")
        self.assertEqual(self.git("cat-file", "-t", "v0.2.0").strip(), "tag")
        self.assertIn("### Added\n\n- Something.", self.git("tag", "-l", "-n9", "--format=%(contents)", "v0.2.0"))
        self.assertIn("git push origin main v0.2.0", done.stdout)
        self.assertIn("has the tag v0.2.0", self.release().stderr)

    def test_a_dry_run_changes_nothing(self):
        done = self.release("--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Would date 0.2.0", done.stdout)
        self.assertEqual(self.calls(), ["check --quick"])
        self.assertEqual((self.git("tag"), self.git("status", "--porcelain")), ("", ""))

    def test_refuses_what_is_not_ready(self):
        self.write("new", "")
        self.expect_refusal("the tree differs from the last commit")
        self.commit()
        self.write("CMakeLists.txt", "project(Trainyard VERSION 0.3.0 LANGUAGES CXX)\n")
        self.commit()
        self.expect_refusal("CMakeLists.txt has version 0.3.0, and the first section of resources/manual/changes.md is 0.2.0")
        self.git("reset", "-q", "--hard", "HEAD~1")
        (self.root.parent / "check-fails").touch()
        self.expect_refusal("packaging/check found something")
        self.git("switch", "-q", "-c", "other")
        self.expect_refusal("releases are made on main, and this is other")

    def test_a_released_section_without_a_tag_gets_the_date_of_the_release(self):
        self.write("resources/manual/changes.md", CHANGES.replace(" (unreleased)", "\n\n2020-01-02"))
        self.commit()
        self.assertEqual(self.release("--yes").returncode, 0)
        self.assertNotIn("2020", (self.root / "resources/manual/changes.md").read_text())


if __name__ == "__main__":
    unittest.main()
