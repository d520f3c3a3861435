#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes the examples of a page: README, the manual, and the documents of .github.

  examples.py --bin FOLDER PAGE      PAGE is relative to the source tree, e.g. resources/manual/runs.md
  examples.py --exceptions           every line of not_run.txt belongs to a command of its page and has a reason

A fenced block is judged by the words after its back-ticks:

  console            lines that begin with "$ " are executed in order, in one folder per page; each must exit with 0
  yaml NAME          written to NAME; a settings file must pass `config validate`, a recipe `launch --dry-run` (at the
                     end of the page, when its data exist)
  python NAME        written to NAME; must compile
  python FILE        with a FILE of samples/: must be lines of resources/FILE, which must compile. The blocks of the
                     file together must have all of its lines, and those of the .cpp file of the same name, too
  cpp FILE           must be lines of resources/FILE, which a test compiles and runs
  diff FILE          added lines must be lines of resources/FILE, removed ones of the plain loop (first_steps.cpp)
  text               is only shown

Keys of recipes that a text names after "Recipe:" must be keys, and programs of samples/programs must be built there.
Other words are an error, so that no example escapes. Commands that cannot be executed are in not_run.txt with a reason.
Trainings are made small (SMALL), and ranks meet at a free port.
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXCEPTIONS = pathlib.Path(__file__).with_name("not_run.txt")
PLAIN_LOOP = "samples/programs/first_steps.cpp"
SMALL = {
    "training.steps": "8",
    "schedule.warmup_steps": "2",
    "training.evaluate_every": "4",
    "training.evaluate_batches": "2",
}
# Of sweeps, in the samples that the page has.
SMALL_SWEEP = (
    (r"^trials: \d+", "trials: 5"),
    (r"training\.steps=\d+", "training.steps=24"),
    (r"training\.evaluate_every=\d+", "training.evaluate_every=6"),
    (r"schedule\.warmup_steps=\d+", "schedule.warmup_steps=3"),
    (r"^  warmup_steps: \d+", "  warmup_steps: 12"),
)
SECONDS = 180  # of one command

# `trainyard` of the examples: the real one, with small sizes for recipes whose commands do not choose these sizes.
WRAPPER = """#!/usr/bin/env python3
import os, sys
real, small, words = {real!r}, {small!r}, sys.argv[1:]
if words[:1] == ["launch"] and "--help" not in words:
    added = [] if "--main_process_port" in words else ["--main_process_port", "0"]
    recipes = [word for before, word in zip(words, words[1:])
               if word.endswith(".yaml") and not before.startswith("--")]
    if recipes and os.path.exists(recipes[0]):
        typed, text = " ".join(words), open(recipes[0], encoding="utf-8").read()
        for key, value in small.items():  # a key that the recipe leaves out may contradict it
            if key + "=" not in typed and key.split(".")[1].split("_")[0] in text:
                added += ["--set", key + "=" + value]
    words[1:1] = added
os.execv(real, [real, *words])
"""


class Failure(Exception):
    pass


class Block:
    """A fenced block: the words after its back-ticks, its lines, and the line of the page that it begins at."""

    def __init__(self, words, lines, start):
        self.words, self.lines, self.start = words, lines, start

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def commands(self):
        return [(self.start + number, line[2:]) for number, line in enumerate(self.lines, 1) if line.startswith("$ ")]


def blocks_of(text):
    blocks, words, lines, start = [], None, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if words is None:
                words, lines, start = line[3:].split(), [], number
            else:
                blocks.append(Block(words, lines, start))
                words = None
        elif words is not None:
            lines.append(line)
    if words is not None:
        raise Failure(f"line {start}: the block has no end")
    return blocks


def read_exceptions(path=None):
    """[(page, beginning of the command, reason)]"""
    path, rows = path or EXCEPTIONS, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            parts = line.split("\t")
            if len(parts) != 3 or not all(part.strip() for part in parts):
                raise Failure(
                    f"{path.name}:{number}: a line has page, beginning of the command and reason, with tabs between"
                )
            rows.append(tuple(parts))
    return rows


def reason_not_to_run(page, command, exceptions):
    return next((reason for where, start, reason in exceptions if where == page and command.startswith(start)), None)


def check_exceptions(exceptions, root):
    for page, start, _ in exceptions:
        path = root / page
        if not path.is_file():
            raise Failure(f"{EXCEPTIONS.name} names {page}, which does not exist")
        commands = [command for block in blocks_of(path.read_text(encoding="utf-8")) for _, command in block.commands()]
        if not any(command.startswith(start) for command in commands):
            raise Failure(f"{page} has no command that begins with: {start}: remove the line from {EXCEPTIONS.name}")


def squeezed(lines):
    return [" ".join(line.split()) for line in lines]


def check_excerpt(block, root):
    """A block of C++ or Python is a part of the file that it names."""
    path = root / "resources" / block.words[1]
    if not path.is_file():
        raise Failure(f"line {block.start}: resources/{block.words[1]} does not exist")
    wanted = "\n".join(squeezed(line for line in block.lines if line.strip()))
    present = "\n".join(squeezed(line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()))
    if not wanted or ("\n" + wanted + "\n") not in ("\n" + present + "\n"):
        raise Failure(f"line {block.start}: these lines are not a part of resources/{block.words[1]}")


def check_difference(block, root):
    """Each line of a difference is a line of the sample (+ and unchanged), or of the plain loop (- and unchanged)."""
    lines = {}
    for name in (block.words[1], PLAIN_LOOP):
        path = root / "resources" / name
        if not path.is_file():
            raise Failure(f"line {block.start}: resources/{name} does not exist")
        lines[name] = set(squeezed(path.read_text(encoding="utf-8").splitlines()))
    if not any(line.startswith("+") for line in block.lines):
        raise Failure(f"line {block.start}: the difference adds nothing")
    for number, line in enumerate(block.lines, block.start + 1):
        text = " ".join(line[1:].split())
        for name, signs in ((block.words[1], "+ "), (PLAIN_LOOP, "- ")):
            if line[:1] in signs and text not in lines[name]:
                raise Failure(f"line {number}: resources/{name} has no line: {text}")
        if line[:1] not in ("+", "-", " "):
            raise Failure(f"line {number}: a line of a difference begins with +, - or a space")


def recipe_keys(root):
    """The keys that the program reports: model.n_layer, training.steps ..."""
    path, keys, section = root / "resources/manual/reference/recipe-keys.md", set(), ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("| `"):
            keys.add(f"{section}.{line.split('`')[1]}")
    return keys


def check_entries(text, blocks, root):
    """The keys after "Recipe:" are those of recipes, and the programs that blocks name are built and run by tests."""
    keys = recipe_keys(root)
    for entry in re.finditer(r"Recipe:\s+((?:`[^`]+`[,;.]?\s+)+)", text):
        for key in re.findall(r"`([a-z_]+\.[a-z_0-9]+)", entry.group(1)):
            if key not in keys:
                raise Failure(f"'{key}' is not a key of a recipe: {' '.join(entry.group(0).split())}")
    built = root / "resources/samples/programs/CMakeLists.txt"
    names = set(re.findall(r"\w+", built.read_text(encoding="utf-8"))) if built.is_file() else None
    for block in blocks:
        if names and block.words[:1] in (["diff"], ["cpp"]) and block.words[1].startswith("samples/programs/"):
            name = pathlib.Path(block.words[1]).stem
            if not block.words[1].endswith(".h") and name not in names:
                raise Failure(f"line {block.start}: {name} is not a program of {built.relative_to(root)}")


def check_whole(blocks, script, root):
    """The blocks of a script and of its counterpart in C++ have all lines of both files after the first comment."""
    for name in (script, script.removesuffix(".py") + ".cpp"):
        lines = (root / "resources" / name).read_text(encoding="utf-8").splitlines()
        while lines and lines[0].startswith(("#!", "# ", "//")):
            lines.pop(0)
        shown = [line for block in blocks if block.words[1:2] == [name] for line in squeezed(block.lines) if line]
        missing = [line for line in squeezed(lines) if line]
        for number, line in enumerate(missing):
            if shown[number : number + 1] != [line]:
                raise Failure(f"resources/{name}: the page must show this line at its position: {line}")
        if len(shown) > len(missing):
            raise Failure(f"resources/{name}: the page shows a line twice: {shown[len(missing)]}")


class Page:
    """A page and the folder in which its examples are executed."""

    def __init__(self, page, bin_folder, folder):
        self.page, self.folder = page, folder
        self.bin = pathlib.Path(bin_folder).resolve()
        self.exceptions = read_exceptions()
        self.executed = self.left_out = 0
        self.recipes, self.failures, self.scripts = [], [], set()
        shutil.copytree(ROOT / "resources/samples", folder / "work/samples")
        for sweep in (folder / "work/samples/sweeps").glob("*.yaml"):
            text = sweep.read_text(encoding="utf-8")
            for pattern, small in SMALL_SWEEP:
                text = re.sub(pattern, small, text, flags=re.MULTILINE)
            sweep.write_text(text, encoding="utf-8")
        for name in ("home", "path", "tmp"):
            (folder / name).mkdir()
        wrapper = folder / "path/trainyard"
        wrapper.write_text(WRAPPER.format(real=str(self.bin / "trainyard"), small=SMALL))
        wrapper.chmod(0o755)
        dropped = ("TRAINYARD_", "ACCELERATE_", "SLURM_", "OMPI_", "PMI_", "XDG_", "MASTER_")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        self.environment.update(
            HOME=str(folder / "home"),
            TMPDIR=str(folder / "tmp"),
            LC_ALL="C.UTF-8",
            PATH=f"{folder / 'path'}:{self.bin}:{os.environ['PATH']}",
            TRAINYARD_RUNS=str(folder / "runs"),
            OMP_NUM_THREADS="1",  # other tests have the other cores
        )

    def execute(self, line, command):
        reason = reason_not_to_run(self.page, command, self.exceptions)
        if reason:
            print(f"{self.page}:{line}: not run ({reason}): {command}")
            self.left_out += 1
            return
        print(f"{self.page}:{line}: {command}", flush=True)
        try:
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command],
                cwd=self.folder / "work",
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise Failure(f"line {line}: still running after {SECONDS} s: {command}\n{error.output}") from error
        self.executed += 1
        if done.returncode != 0:
            self.failures.append(f"line {line}: exit code {done.returncode}: {command}\n{done.stdout[-4000:]}")

    def block(self, block):
        kind, name = block.words[0] if block.words else "", block.words[1] if len(block.words) > 1 else ""
        if kind == "console" and not name:
            if not block.commands():
                raise Failure(f"line {block.start}: a console block without a command")
            for line, command in block.commands():
                self.execute(line, command)
        elif kind == "python" and name.startswith("samples/"):
            check_excerpt(block, ROOT)
            compile((ROOT / "resources" / name).read_text(encoding="utf-8"), name, "exec")
            self.scripts.add(name)
        elif kind in ("yaml", "python") and name:
            path = self.folder / "work" / name
            path.write_text(block.text, encoding="utf-8")
            if kind == "python":
                compile(block.text, name, "exec")
            elif re.search(r"^(compute_environment|distributed_type):", block.text, re.M):
                self.execute(block.start, f"trainyard config validate {shlex.quote(name)}")
            else:
                self.recipes.append((block.start, f"trainyard launch --dry-run {shlex.quote(name)}"))
        elif kind == "cpp" and name:
            check_excerpt(block, ROOT)
        elif kind == "diff" and name:
            check_difference(block, ROOT)
        elif kind != "text":
            raise Failure(
                f"line {block.start}: '{' '.join(block.words)}' is not a kind of example: see tests/manual/examples.py"
            )

    def run(self):
        text = (ROOT / self.page).read_text(encoding="utf-8")
        blocks = blocks_of(text)
        check_entries(text, blocks, ROOT)
        for block in blocks:
            self.block(block)
        for script in sorted(self.scripts):
            check_whole(blocks, script, ROOT)
        for line, command in self.recipes:
            self.execute(line, command)
        if self.failures:
            raise Failure("\n".join(self.failures))
        print(f"{self.page}: {self.executed} commands executed, {self.left_out} not run")

    def stop_runs(self):
        """Ends what a page started and did not follow to its end."""
        for state in [*self.folder.glob("runs/*/state.json"), *self.folder.glob("work/**/state.json")]:
            subprocess.run(
                [self.bin / "trainyard", "runs", "stop", "--now", str(state.parent)],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=60,
                check=False,
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="?")
    parser.add_argument("--bin")
    parser.add_argument("--exceptions", action="store_true")
    options = parser.parse_args()
    try:
        if options.exceptions:
            exceptions = read_exceptions()
            check_exceptions(exceptions, ROOT)
            print(f"{len(exceptions)} exceptions, each of a command of its page")
            return 0
        if not options.page or not options.bin:
            parser.error("name a page and --bin")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="trainyard-manual-"))
        page = Page(options.page, options.bin, folder)
        try:
            page.run()
        finally:
            page.stop_runs()
            shutil.rmtree(folder, ignore_errors=True)
    except Failure as failure:
        print(f"{options.page or EXCEPTIONS.name}: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
