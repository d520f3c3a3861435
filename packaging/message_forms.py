#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the literals of messages (engine/base/message.h) as a C++ file that lupdate reads, for packaging/translations.

  message_forms.py [FILE...]    of all sources, or of these files

The first literal in a call of Message or of an error is the form of a message. Elsewhere a literal may become a message
implicitly: it counts if the file has messages and the literal has a word next to another word, a value or a name with
underscores, unless it is part of a sum or a comparison, or in a call of LEFT_OUT.
"""
import errno
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("engine/**/*", "app/remote/*", "app/report/*", "app/alarms/*", "app/desktop/**/*", "app/cli/launch_*", "app/cli/slurm_*", "app/cli/order_*")
# The folders of the program.
PROGRAM = ("engine", "app", "widgets")
# No literal counts implicitly in tables, whose texts list_engine_texts prints, and in what is for the terminal.
NAMED_ONLY = re.compile(
    r"app/cli/|engine/(config/accelerate/(schema_|presets?|keys_reference)|config/recipe/recipe_fields\."
    r"|models/spec/.*_rows\.|launch/plan/(flags_help|plan_print|plan_script)\."
    r"|launch/supervisor/(guard|slurm_script)\.)")
# What these are called with is for a log, a programmer, a file, a shell or a terminal, or is a value of a message.
LEFT_OUT = set("""assert static_assert log_info log_warning log_error log_debug spdlog::info spdlog::warn spdlog::error
    spdlog::debug logic_error invalid_argument out_of_range runtime_error fprintf fputs puts printf print TORCH_CHECK
    starts_with ends_with contains find find_first_of find_first_not_of find_last_not_of getenv memfd_create format
    format_to join verbatim string string_view tr translate QT_TR_NOOP QT_TR_N_NOOP QT_TRANSLATE_NOOP QStringLiteral
    QLatin1String add_option add_flag add_subcommand footer description question Size add_optional_text
    add_optional_path work_mark""".split())
# The path follows these literals.
OF_FILES = {"throw_file_error"}
HAS_MESSAGES = re.compile(r"\bMessage\b|Error\(|Problem\b|Fault\b|\b(refuse|fail|complain)\(")
# Of the C library.
ERRORS = """ENOENT EACCES EPERM ENOSPC EDQUOT EROFS EIO EISDIR ENOTDIR EEXIST ENOTEMPTY EBUSY ENOEXEC ENOMEM EMFILE
    ENFILE ELOOP ENAMETOOLONG EINVAL EFBIG EPIPE ECONNREFUSED ECONNRESET ETIMEDOUT EHOSTUNREACH ENETUNREACH EADDRINUSE
    ESTALE ENODEV EXDEV""".split()
TOKEN = re.compile(r'''//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*|R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"
  | '(?:[^'\\\n]|\\.)+' | "(?P<text>(?:[^"\\\n]|\\.)*)" | (?P<number>\d(?:'(?=\w)|[\w.])*)
  | (?P<name>[A-Za-z_]\w*(?:::~?\w+)*) | (?P<sign>==|!=|<<|\S)''', re.X | re.S | re.M)
PLACEHOLDER = re.compile(r"\{\d*(?::[^}]*)?\}")
WORD = re.compile(r"(?<![\w/.\-=$<:])(?:[A-Za-z][a-z'’]+|a)(?![\w/=_(<]|\.\w|::)")
CODE = re.compile(r"&&|\|\||\$\(|%\d*[sd]\b|^\S*[<>=]|^\.|\w\|\w|^trainyard |^import |^SELECT |\\n.*\\n")


def has_words(form):
    """Or quotation marks, which differ between languages, too."""
    return re.fullmatch("[A-Za-z]+|.* .*", form, re.S) and re.search("[A-Za-z]{2}|“", PLACEHOLDER.sub("", form))


def is_sentence(form):
    words = WORD.findall(PLACEHOLDER.sub("\x01", form))
    fewest = 1 if "{" in form or re.search("[a-z]_[a-z]", form) else 2
    return " " in form.strip() and not CODE.search(form) and len(words) >= fewest


def literals_of(source):
    """(literal, start, end, called) of each literal; adjacent ones are one. called(LITERAL, ...) has it first."""
    tokens = [found for found in TOKEN.finditer(source) if found.lastgroup in ("text", "name", "sign", "number")]
    at = 0
    while at < len(tokens):
        if tokens[at].lastgroup == "text":
            first = at
            while at + 1 < len(tokens) and tokens[at + 1].lastgroup == "text":
                at += 1
            called = first > 1 and tokens[first - 1].group() == "(" and tokens[first - 2].group("name")
            literal = "".join(token.group("text") for token in tokens[first:at + 1])
            yield literal, tokens[first].start(), tokens[at].end(), called.split("::")[-1] if called else None
        at += 1


def said_in(source):
    """(literal, start) of each literal that a test gives to a matcher of tests/support/says.h."""
    if '"support/says.h"' not in source:
        return ()
    return ((literal, start) for literal, start, _, called in literals_of(source) if called in ("says", "says_only"))


def program_literals(root):
    """Every literal of the program, and the forms that are put together from one."""
    known = set()
    for folder in PROGRAM:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".cpp", ".h"):
                source = file.read_text(encoding="utf-8", errors="replace")
                known.update(literal for literal, *_ in literals_of(source))
                known.update(forms_of(source))
    return known


class Call:
    def __init__(self, name, left_out):
        self.name, self.left_out, self.has_form = name, left_out, False


def forms_of(source, named_only=False):
    """The forms in a source file, in order."""
    tokens = [found for found in TOKEN.finditer(source) if found.lastgroup in ("text", "name", "sign", "number")]
    has_messages = HAS_MESSAGES.search(source) is not None
    calls = [Call("", False)]
    at = 0
    while at < len(tokens):
        token, before = tokens[at], tokens[at - 1] if at else tokens[0]
        sign = token.group("sign") or ""
        if sign and sign in "([{":
            name = before.group("name") or ""
            if name and at > 1 and tokens[at - 2].group().split("::")[-1] == "Message":
                name = "Message"  # a variable
            last = name.split("::")[-1]
            calls.append(Call(last, calls[-1].left_out or bool({name, last} & LEFT_OUT) or sign == "["))
        elif sign and sign in ")]}":
            if len(calls) > 1:
                calls.pop()
        elif token.lastgroup == "text":
            literal = token.group("text")
            while at + 1 < len(tokens) and tokens[at + 1].lastgroup == "text":
                at += 1
                literal += tokens[at].group("text")
            call, around = calls[-1], {before.group(), tokens[at + 1].group() if at + 1 < len(tokens) else ""}
            if call.name in OF_FILES and not call.has_form:
                call.has_form = True
                yield literal + " {}"
            elif not call.left_out and not around & {"+", "==", "!=", "<<"}:
                named = call.name == "Message" or re.match("[A-Z].*Error$", call.name)
                chosen = around & {"?", ":"}  # of a value that is a message
                if named and (not call.has_form or not chosen):
                    counts = has_words(literal) and (" " in literal or call.name == "Message")
                else:
                    counts = has_messages and (named or not named_only) and is_sentence(literal)
                if counts and (chosen or not call.has_form or not (named or call.name == "emplace_back")):
                    yield literal
                call.has_form = call.has_form or counts
        at += 1


def main():
    forms = {os.strerror(getattr(errno, number)): None for number in ERRORS if not sys.argv[1:]}
    for file in sys.argv[1:] or [file for files in SOURCES for file in sorted(ROOT.glob(files))]:
        if str(file).endswith((".cpp", ".h")):
            named_only = not sys.argv[1:] and NAMED_ONLY.match(str(file.relative_to(ROOT)))
            forms |= dict.fromkeys(forms_of(pathlib.Path(file).read_text(), named_only))
    for form in forms:
        print(f'QT_TRANSLATE_NOOP("trainyard::engine", "{form}")')


if __name__ == "__main__":
    main()
