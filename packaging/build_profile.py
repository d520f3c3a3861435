#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the files and headers that take most time to compile. Called by packaging/build --profile.

  build_profile.py BUILD

Files: the wall-clock seconds of each file's last build in ninja's log; they are most meaningful if each job had its own core.
Headers: the headers that most files include are compiled alone, with the flags of a file that includes them. Their
cost is the CPU time of one inclusion, with everything that the header itself includes, times the number of files that
include it (from ninja's dependency records).
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile

MOST = 20
CANDIDATES = 60  # headers that are measured


def dearest_files(build):
    seconds = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        seconds[output] = (int(end) - int(start)) / 1000  # the last line of an output is valid
    return sorted(((s, name) for name, s in seconds.items() if (build / name).exists()), reverse=True)


def files_by_header(build, root):
    """{header: [outputs]}: our headers, and external ones that our files include directly."""
    named = set()
    for folder in ("engine", "app", "widgets", "tests", "resources"):
        for source in (root / folder).rglob("*"):
            if source.suffix in (".h", ".cpp"):
                for line in source.read_text(errors="replace").splitlines():
                    if line.startswith("#include <"):
                        named.add("/" + line[len("#include <"):line.find(">")])
    text = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True).stdout
    users, output = collections.defaultdict(set), None
    for line in text.splitlines():
        if line.startswith("    "):
            header = os.path.normpath(os.path.join(build, line.strip()))
            ours = header.startswith(str(root)) and not header.startswith(str(build))
            if (ours and header.endswith(".h")) or any(header.endswith(name) for name in (
                    "/" + "/".join(header.split("/")[-n:]) for n in (1, 2, 3, 4, 5)) if name in named):
                users[header].add(output)
        elif ": #deps" in line:
            output = line.split(": #deps")[0]
    return users


def flags_by_output(build):
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        output = words[words.index("-o") + 1]
        kept, skip = [], 0
        compiler = next(i for i, word in enumerate(words) if word.endswith("++"))  # preceded by ccache
        for word in words[compiler:]:
            if skip:
                skip -= 1
            elif word in ("-o", "-c", "-MF", "-MT"):
                skip = 1
            elif word not in ("-MD", "-Werror"):
                kept.append(word)
        flags[os.path.normpath(output)] = kept
    return flags


def seconds_of(header, flags, folder):
    source = pathlib.Path(folder) / (str(abs(hash(header))) + ".cpp")
    source.write_text(f'#include "{header}"\n')
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*flags, "-fsyntax-only", str(source)], capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds if done.returncode == 0 else None  # some headers cannot be compiled alone


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(__file__).resolve().parent.parent
    files = dearest_files(build)
    print(f"{len(files)} files, {sum(s for s, _ in files):.0f} s of all jobs together; the dearest:")
    for seconds, name in files[:MOST]:
        print(f"{seconds:8.1f} s  {name}")

    users, flags = files_by_header(build, root), flags_by_output(build)
    candidates = sorted(users, key=lambda h: -len(users[h]))[:CANDIDATES]
    compiled_with = {}
    for header in candidates:
        output = next((o for o in sorted(users[header]) if os.path.normpath(o) in flags), None)
        if output:
            compiled_with[header] = flags[os.path.normpath(output)]
    # Processes instead of threads: the CPU time of a process's children is then that of one compilation.
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        costs = pool.map(seconds_of, compiled_with, compiled_with.values(), [folder] * len(compiled_with))
        rows = sorted(((one * len(users[header]), one, header) for header, one in zip(compiled_with, costs) if one), reverse=True)
    print(f"\nHeaders that most files include; the dearest of {len(rows)}:")
    for total, one, header in rows[:MOST]:
        print(f"{total:8.1f} s  {one:6.2f} s x {len(users[header]):4d} files  {os.path.relpath(header, root) if header.startswith(str(root)) else header}")


if __name__ == "__main__":
    main()
