#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of the source that need no build, called by packaging/check:

  order      a source of the engine includes headers only of libraries that are before its own in engine/CMakeLists.txt, or that its own links;
             libraries do not link each other in a circle; the table of engine/README.md has the folders in the order of engine/CMakeLists.txt
  names      no two headers of the engine have the same name
  documents  every Markdown file that a source refers to is in the repository
  links      every link of a Markdown file leads to a file of the repository, and to a heading of it where it names one;
             pages of the manual link to what is installed with them
  versions   CMakeLists.txt, the newest section of resources/manual/changes.md, README, citation, metainfo and man pages
             have the same version; metainfo and man pages have the dates of changes.md
  places     the top level has the project's folders and the files that tools expect there, and nothing else
  licence    every source, script, CMake file and style sheet names its licence (SPDX) in its first line
  said       a literal that a test names with says() (tests/support/says.h) is a literal of the program
  debt       the number of lines over 120 columns and of lines with phrases of packaging/plain_english.txt are not above those of
             packaging/style_debt, and that file has no number above that of the commit before

  check_source.py [--lower]    --lower writes the present numbers to packaging/style_debt where they are lower
"""
import pathlib
import posixpath
import re
import subprocess
import sys

import changes
import message_forms
import plain_english

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEBT = ROOT / "packaging/style_debt"
COLUMNS = 120
CODE = re.compile(r"\.(cpp|h)$")
# Sources and scripts; Markdown files refer to each other by links, whose targets a reader sees.
REFERRING = re.compile(r"\.(cpp|h|py|sh|cmake)$|(^|/)CMakeLists\.txt$")
DOCUMENT = re.compile(r"(?<![\w./:-])((?:[\w-]+/)*[\w-]+\.md)\b")
# Links of Markdown, [text](target) or ![text](target), outside of code.
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")
MANUAL, INSTALLED = "resources/manual/", ("resources/manual/", "resources/screenshots/")
LICENCE = "SPDX-License-Identifier: GPL-3.0-or-later"
LICENSED = re.compile(r"\.(cpp|h|py|sh|cmake|qss)$|(^|/)(CMakeLists\.txt|Doxyfile)$")
TOP_LEVEL = {"app", "engine", "widgets", "resources", "tests", "packaging", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md"}
TABLE_ROW = re.compile(r"^\| \[?`([a-z_/]+)`")


def tracked_files():
    return [path for path in plain_english.git("ls-files").splitlines() if (ROOT / path).is_file()]


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def engine_parts():
    """The folders of the engine from the lowest library on."""
    listed = re.search(r"set\(_parts\n(.*?)\n\)", text_of("engine/CMakeLists.txt"), re.S).group(1)
    return [line.split("#")[0].strip() for line in listed.splitlines() if line.split("#")[0].strip()]


def part_of(path, parts):
    """The folder of the list that a path below engine/ is in: the innermost one."""
    holders = [part for part in parts if path.startswith(f"engine/{part}/")]
    return max(holders, key=len, default=posixpath.dirname(path)[len("engine/"):])


def libraries(files):
    """{library: the libraries that it links}, {library: its folder}, {file without ending: its library}, as the CMakeLists.txt below engine say."""
    links, folders, owners = {}, {}, {}
    for path in files:
        if not re.fullmatch(r"engine/.+/CMakeLists\.txt", path):
            continue
        folder = posixpath.dirname(path)[len("engine/"):]
        text = re.sub(r"#.*", "", text_of(path))
        for name, words in re.findall(r"trainyard_library\(\s*(\S+)(.*?)\)", text, re.S):
            folders[name] = folder
            links.setdefault(name, set()).update(re.findall(r"\btrainyard_([a-z_]+)", words))
            for source in re.findall(r"(\S+)\.cpp\b", words):
                owners[posixpath.normpath(f"engine/{folder}/{source}")] = name
        for name, words in re.findall(r"target_link_libraries\(\s*trainyard_([a-z_]+)(.*?)\)", text, re.S):
            links.setdefault(name, set()).update(re.findall(r"\btrainyard_([a-z_]+)", words))
    return links, folders, owners


def reachable(links):
    """Every library that a library links, directly or not, and itself."""
    def collect(name, seen):
        if name not in seen:
            seen.add(name)
            for other in links.get(name, ()):
                collect(other, seen)
        return seen
    return {name: collect(name, set()) for name in links}


def check_order(files):
    parts = engine_parts()
    place = {part: number for number, part in enumerate(parts)}
    links, folders, owners = libraries(files)
    reach = reachable(links)
    for name, linked in sorted(links.items()):
        for other in sorted(linked):
            if name < other and name in reach.get(other, ()):
                yield f"engine: the libraries {name} and {other} link each other"
    known = set(files)
    public = {path[path.index("/trainyard/") + 1:]: path for path in files if re.fullmatch(r"engine/.+/trainyard/[^/]+\.h", path)}
    include = re.compile(r'^\s*#\s*include\s+(?:"((?:[a-z0-9_]+/)+[^"/]+)"|<(trainyard/[^>/]+)>)', re.M)
    for path in files:
        if not CODE.search(path) or not path.startswith("engine/"):
            continue
        own = owners.get(path.rsplit(".", 1)[0], part_of(path, parts))
        text = text_of(path)
        for found in include.finditer(text):
            named = found.group(1) or found.group(2)
            header = public.get(named, "engine/" + named)
            if header not in known and named.split("/")[0] not in ("desktop", "cli", "remote", "widgets"):
                continue
            other = owners.get(header.rsplit(".", 1)[0].replace("/trainyard/", "/"), part_of(header, parts))
            is_before = place.get(folders.get(other, other), len(parts)) <= place.get(folders.get(own, own), len(parts) - 1)
            if not is_before and other not in reach.get(own, ()):
                line = text.count("\n", 0, found.start()) + 1
                yield f"{path}:{line}: includes {named} of {other}, which {own} does not link and which is built after it"
    rows = [row.group(1) for row in map(TABLE_ROW.match, text_of("engine/README.md").splitlines()) if row]
    if rows != parts:
        different = next((i for i, pair in enumerate(zip(rows, parts)) if pair[0] != pair[1]), min(len(rows), len(parts)))
        yield (f"engine/README.md: row {different + 1} of the table is {rows[different] if different < len(rows) else 'missing'}, and "
               f"engine/CMakeLists.txt has {parts[different] if different < len(parts) else 'no more folders'} there")


def check_names(files):
    first = {}
    for path in files:
        # gloo_abi repeats headers of Gloo under their names.
        if path.startswith("engine/") and path.endswith(".h") and "/gloo_abi/" not in path:
            other = first.setdefault(posixpath.basename(path), path)
            if other != path:
                yield f"{path}: {other} has this name, too: give one of them a name that says what it is about"


def check_documents(files):
    documents = {path for path in files if path.endswith(".md")}
    names = {path.rsplit("/", 1)[-1] for path in documents}
    for path in files:
        if not REFERRING.search(path) or path.startswith("tests/golden/"):
            continue
        for number, line in enumerate(text_of(path).splitlines(), 1):
            comment = plain_english.COMMENT.search(line)
            if not comment and not line.lstrip().startswith("*"):
                continue
            for found in DOCUMENT.finditer(comment.group(0) if comment else line):
                name = found.group(1)
                known = name in names if "/" not in name else any(("/" + each).endswith("/" + name) for each in documents)
                if not known:
                    yield f"{path}:{number}: {name} is not in the repository: name a document that is, or say it here"


def without_code(text):
    """The lines of a Markdown text, empty where they are in a fenced block, and without code between back-ticks."""
    fenced = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
            yield ""
        else:
            yield "" if fenced else re.sub(r"`[^`]*`", "", line)


def headings_of(text):
    """The anchors of the headings, as GitHub makes them: small letters, hyphens for spaces, no other signs."""
    anchors, fenced = {}, False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        if not fenced and (heading := re.match(r"#{1,6} +(.*?) *#*$", line)):
            words = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading.group(1)).lower()
            anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            count = anchors[anchor] = anchors.get(anchor, -1) + 1
            if count:
                anchors[f"{anchor}-{count}"] = 0
    return anchors


def check_links(files):
    known = set(files)
    folders = {posixpath.dirname(path) for path in files}
    for path in files:
        if not path.endswith(".md"):
            continue
        for number, line in enumerate(without_code(text_of(path)), 1):
            for found in LINK.finditer(line):
                target, _, anchor = found.group(1).partition("#")
                if re.match(r"[a-z][a-z+.-]*:", target):
                    continue
                place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
                if place not in known and place.rstrip("/") not in folders:
                    yield f"{path}:{number}: the link leads to {place}, which is not in the repository"
                elif path.startswith(MANUAL) and not place.startswith(INSTALLED):
                    yield (f"{path}:{number}: the link leads to {place}, which is not installed with the manual: name it "
                           "as text")
                elif anchor and place.endswith(".md") and anchor not in headings_of(text_of(place)):
                    yield f"{path}:{number}: {place} has no heading for #{anchor}"


def check_versions():
    """Every place that shows the version. packaging/changes.py --apply updates metainfo and man pages."""
    text = text_of(changes.CHANGES)
    newest = changes.sections(text)[0]
    shown = {
        "CMakeLists.txt": r"^project\(Trainyard VERSION (\S+)",
        "README.md": r"^Version (\d+\.\d+\.\d+)",
        "resources/manual/papers.md": r"^  version = \{(\S+)\}",
    }
    for path, pattern in shown.items():
        found = re.search(pattern, text_of(path), re.M)
        if not found or found[1] != newest.version:
            yield f"{path}: the version is {found[1] if found else 'missing'}, and {changes.CHANGES} begins with {newest.version}"
    advice = "run packaging/changes.py --apply"
    if changes.with_releases(text_of(changes.METAINFO), text) != text_of(changes.METAINFO):
        yield f"{changes.METAINFO}: the releases are not those of {changes.CHANGES}: {advice}"
    for page in sorted(ROOT.glob(changes.MAN_PAGES)):
        path = str(page.relative_to(ROOT))
        if changes.with_release(text_of(path), newest) != text_of(path):
            yield f"{path}: the title has another version or date than {changes.CHANGES}: {advice}"


def check_places(files):
    for entry in sorted({path.split("/")[0] for path in files}):
        if not entry.startswith(".") and entry not in TOP_LEVEL:
            yield f"{entry}: the top level has only {', '.join(sorted(TOP_LEVEL))} and files that begin with a dot"


def check_licence(files):
    for path in files:
        if LICENSED.search(path) or ("." not in posixpath.basename(path) and text_of(path).startswith("#!")):
            first, second = (text_of(path).split("\n", 2) + ["", ""])[:2]
            if LICENCE not in (second if first.startswith("#!") else first):
                yield f"{path}:1: the first line (in scripts the second) must be a comment with {LICENCE}"


def check_said(files):
    known = message_forms.program_literals(ROOT)
    for path in files:
        if path.startswith("tests/") and CODE.search(path) and path != "tests/base/says.cpp":  # which tests the matchers
            text = text_of(path)
            for literal, start in message_forms.said_in(text):
                if literal not in known:
                    line = text.count("\n", 0, start) + 1
                    yield f'{path}:{line}: the program does not say "{literal}": name one of its literals'


def present_debt(files):
    columns = sum(len(line) > COLUMNS for path in files if CODE.search(path) for line in text_of(path).splitlines())
    return {"columns": columns, "wording": sum(1 for _ in plain_english.find(plain_english.all_lines([])))}


def read_debt(text):
    return {name: int(number) for name, number in (line.split() for line in text.splitlines() if line and not line.startswith("#"))}


def debt_before():
    """packaging/style_debt of the commit that this one is compared with; None without one."""
    for base in ("origin/main", "HEAD~1"):
        try:
            commit = plain_english.git("merge-base", "HEAD", base).strip()
            if base == "origin/main" and commit == plain_english.git("rev-parse", "HEAD").strip():
                continue
            return read_debt(plain_english.git("show", f"{commit}:packaging/style_debt"))
        except (subprocess.CalledProcessError, ValueError):
            continue
    return None


def check_debt(files, lower):
    allowed, present = read_debt(DEBT.read_text()), present_debt(files)
    if lower:
        allowed = {name: min(number, present[name]) for name, number in allowed.items()}
        head = "".join(line + "\n" for line in DEBT.read_text().splitlines() if line.startswith("#"))
        DEBT.write_text(head + "".join(f"{name} {number}\n" for name, number in allowed.items()))
    before = debt_before() or allowed
    meaning = {"columns": f"lines over {COLUMNS} columns", "wording": "lines with phrases of packaging/plain_english.txt"}
    advice = {"columns": "wrap those that you added", "wording": "packaging/plain_english.py --base origin/main lists those that you added"}
    for name, number in allowed.items():
        if number > before.get(name, number):
            yield f"packaging/style_debt: {name} is {number} and was {before[name]}: it may only be lowered"
        if present[name] > number:
            yield f"there are {present[name]} {meaning[name]}, and packaging/style_debt allows {number}: {advice[name]}"
        elif present[name] < number:
            print(f"There are {present[name]} {meaning[name]}, fewer than the {number} of packaging/style_debt: run packaging/check_source.py --lower")


def main():
    files = tracked_files()
    problems = [*check_order(files), *check_names(files), *check_documents(files), *check_links(files),
                *check_versions(), *check_places(files), *check_licence(files), *check_said(files),
                *check_debt(files, "--lower" in sys.argv[1:])]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
