#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads resources/manual/changes.md, and writes its versions and dates to the metainfo file of the desktop and to the
man pages.

  changes.py                 the sections: version and date, or "unreleased", of each
  changes.py --text VERSION  the text of a section, as the message of a tag
  changes.py --stamp DATE    dates the newest section (YYYY-MM-DD), then writes as --apply does
  changes.py --apply         writes releases to the metainfo file, and the newest version and date to the man pages

A section is "## VERSION", followed by a line with its date once it is released. "(unreleased)" may follow VERSION.
"""
import datetime
import pathlib
import re
import sys
import textwrap
import typing
import xml.sax.saxutils

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHANGES = "resources/manual/changes.md"
METAINFO = "packaging/org.trainyard.Trainyard.metainfo.xml"
MAN_PAGES = "resources/manual/man/*.1"
TITLE = re.compile(r'^(\.TH \S+ 1) "[^"]*" "Trainyard [^"]*"', re.M)
SECTION = re.compile(r"^## (\d+\.\d+\.\d+)( \(unreleased\))?\n(?:\n(\d{4}-\d{2}-\d{2})\n)?", re.M)
RELEASES = re.compile(r"  <releases>\n.*?  </releases>\n", re.S)


class Section(typing.NamedTuple):
    version: str
    date: str  # YYYY-MM-DD, or empty if the section has none
    text: str  # Markdown below heading and date


def sections(text):
    """The sections of changes.md in the order of the file, which is from the newest to the oldest."""
    found = list(SECTION.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [Section(match[1], match[3] or "", text[match.end():end].strip()) for match, end in zip(found, ends)]


def plain(text):
    """The text of the document without links and code marks."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "")


def description(text):
    """The blocks of a section as AppStream's markup: headings and paragraphs as <p>, lists as <ul>."""
    lines, is_list = [], False
    for block in re.split(r"\n(?=- |\n)", text):
        words = " ".join(plain(block).split())
        if not words:
            continue
        if words.startswith("- ") != is_list:
            is_list = not is_list
            lines.append("<ul>" if is_list else "</ul>")
        tag, words = ("li", words[2:]) if is_list else ("p", words.lstrip("# "))
        lines += textwrap.wrap(f"<{tag}>{xml.sax.saxutils.escape(words)}</{tag}>", 104, subsequent_indent="  ",
                               break_on_hyphens=False)
    return lines + (["</ul>"] if is_list else [])


def releases(text):
    """The element <releases> for the text of changes.md. Sections without a date are left out."""
    lines = ["  <releases>"]
    for section in sections(text):
        if section.date:
            lines += [f'    <release version="{section.version}" date="{section.date}">', "      <description>"]
            lines += ["        " + line for line in description(section.text)]
            lines += ["      </description>", "    </release>"]
    return "\n".join([*lines, "  </releases>"]) + "\n"


def with_releases(metainfo, changes):
    """The text of the metainfo file, with the releases of changes.md."""
    return RELEASES.sub(lambda _: releases(changes), metainfo, count=1)


def with_release(page, section):
    """The text of a man page, with version and date of the section in its title."""
    return TITLE.sub(lambda match: f'{match[1]} "{section.date}" "Trainyard {section.version}"', page, count=1)


def apply(root, text):
    """Writes what follows from the text of changes.md."""
    metainfo = root / METAINFO
    metainfo.write_text(with_releases(metainfo.read_text(encoding="utf-8"), text), encoding="utf-8")
    for page in root.glob(MAN_PAGES):
        page.write_text(with_release(page.read_text(encoding="utf-8"), sections(text)[0]), encoding="utf-8")


def stamped(text, date):
    """changes.md with `date` in its newest section, which is then released."""
    return SECTION.sub(lambda match: f"## {match[1]}\n\n{date}\n", text, count=1)


def main(words):
    path = ROOT / CHANGES
    text = path.read_text(encoding="utf-8")
    if not words:
        for section in sections(text):
            print(section.version, section.date or "unreleased")
    elif words[0] == "--text" and len(words) == 2:
        found = [section for section in sections(text) if section.version == words[1]]
        if not found:
            sys.exit(f"packaging/changes.py: {CHANGES} has no section {words[1]}")
        print(found[0].text)
    elif words[0] == "--stamp" and len(words) == 2:
        text = stamped(text, datetime.date.fromisoformat(words[1]).isoformat())
        path.write_text(text, encoding="utf-8")
        apply(ROOT, text)
    elif words == ["--apply"]:
        apply(ROOT, text)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
