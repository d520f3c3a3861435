#!/usr/bin/env python3
"""Brings resources/translations/sentences_*.ts up to the sources: the sentences that the engine composes and the desktop shows, which it
translates where they are shown (widgets/sentences.h). Called by packaging/translations.

  sentences.py FOLDER    updates sentences_*.ts of FOLDER: what is new is added as unfinished, what is gone is removed
  sentences.py --list [FILE...]
                         prints each sentence with the place where it comes from; with FILE, those of these files alone

A sentence is a C++ expression with text in it: a literal, a sum of literals and values, or fmt::format() of a literal. Values become the
placeholders %1, %2, ...; a choice (`one ? "is" : "are"`) within a sentence makes a sentence of each, unless they are too many (choices of
the same condition go together). A line end separates sentences. What counts has a word beside another word, a value or a name_with_underscores; a single word counts where
it is a Message (base/message.h). What fmt::join() puts between values is a sentence about two of them. What does not reach a window
is left out by the names below.
"""
import collections
import errno
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as xml
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("engine", "app/remote", "app/desktop")
# For the terminal.
FILES_LEFT_OUT = {
    "engine/launch/plan/flags_help.cpp", "engine/launch/plan/plan_print.cpp", "engine/launch/plan/plan_script.cpp", "engine/config/accelerate/keys_reference.cpp",
    "engine/launch/supervisor/guard.cpp", "engine/launch/supervisor/slurm_script.cpp", "app/desktop/autopilot.cpp"}
TABLES = re.compile(r"engine/config/accelerate/(schema_\w+|presets?)\.cpp|engine/config/recipe/recipe_fields\.cpp|engine/models/spec/.*_rows\.cpp")
# What these are called with is for logs, programmers, files or a shell, or is looked for in another text.
CALLS_LEFT_OUT = {
    "assert", "static_assert", "log_info", "log_warning", "log_error", "log_debug", "spdlog::info", "spdlog::warn", "spdlog::error",
    "spdlog::debug", "std::logic_error", "std::invalid_argument", "std::out_of_range", "std::fprintf", "print", "TORCH_CHECK",
    "starts_with", "ends_with", "contains", "find", "getenv", "memfd_create", "question", "Size", "Product", "Switch",
    "add_optional_text", "add_optional_path", "profile::work_mark",
    # Of the desktop, whose other texts lupdate finds.
    "tr", "translate", "QT_TR_NOOP", "QT_TRANSLATE_NOOP", "QStringLiteral", "QLatin1String"}
# What these put behind their first argument; None: a value.
WRAPPERS = {"throw_file_error": (" ", None, ": ", None)}
# Code and commands, not words.
NOT_WORDS = re.compile("|".join((
    r"\bimport[ _]|^def |^if .*:$|getattr|pathlib|sys\.argv",  # Python
    r"&&|\|\| |\$\(|\becho\b|printf|%\d*[sd]\b|; ?$",  # shell and C
    r"^(?:ssh|ping|getent|kill|cd|sftp|sport|ssh-keygen) [-=\x01'/]|^ssh -v|^trainyard [a-z]+ \x01",  # commands
    r"^\S*[{}<>=]|^\.|^\x01?,? ?\"|\w\|\w",  # JSON, YAML and regular expressions
    r"Authorization|^trainyard (?:head|agent|frames)")))  # protocols
# Of the system: the end of many sentences.
ERRORS = ("ENOENT EACCES EPERM ENOSPC EDQUOT EROFS EIO EISDIR ENOTDIR EEXIST ENOTEMPTY EBUSY ENOEXEC ENOMEM EMFILE ENFILE ELOOP ENAMETOOLONG "
          "EINVAL EFBIG EPIPE ECONNREFUSED ECONNRESET ETIMEDOUT EHOSTUNREACH ENETUNREACH EADDRINUSE ESTALE ENODEV EXDEV").split()
MOST_CHOICES = 12

TOKEN = re.compile(r'''
    (?P<space>\s+)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<preprocessor>^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<raw>(?:u8|u|U|L)?R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)")
  | (?P<text>(?:u8|u|U|L)?"(?:[^"\\\n]|\\.)*")
  | (?P<letter>'(?:[^'\\\n]|\\.)+')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=[0-9a-fA-F])|[\w.])*)
  | (?P<name>[A-Za-z_]\w*(?:::[A-Za-z_~]\w*)*)
  | (?P<sign>::|->|<<=|>>=|<=>|<<|==|!=|<=|>=|&&|\|\||\+=|-=|\+\+|--|.)
''', re.X | re.S | re.M)
Token = collections.namedtuple("Token", "kind text at")
# What an expression can be: text, and objects that stand for values; taken: {condition: whether it holds} of the choices on the way.
Choice = collections.namedtuple("Choice", "pieces taken")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def unescaped(literal):
    def one(found):
        escaped = found.group(1)
        return chr(int(escaped[1:], 16)) if escaped[0] == "x" else ESCAPES.get(escaped, escaped)
    return re.sub(r"\\(x[0-9a-fA-F]+|.)", one, literal, flags=re.S)


class Group:
    """What stands between brackets."""
    def __init__(self, bracket):
        self.bracket, self.items = bracket, []


def tree_of(source):
    """Tokens without blanks and comments, bracketed; adjacent literals are one."""
    root = Group("")
    stack = [root]
    for found in TOKEN.finditer(source):
        kind, text = found.lastgroup, found.group()
        if kind in ("space", "comment", "preprocessor"):
            continue
        items = stack[-1].items
        if kind == "text":
            text = unescaped(text[text.index('"') + 1:-1])
            if items and items[-1].kind == "text":
                text = items[-1].text + text
                items[-1] = Token("text", text, items[-1].at)
            else:
                items.append(Token("text", text, found.start()))
        elif kind == "sign" and text in "([{":
            items.append(Token("group", Group(text), found.start()))
            stack.append(items[-1].text)
        elif kind == "sign" and text in ")]}":
            if len(stack) > 1:
                stack.pop()
        else:
            items.append(Token(kind, text, found.start()))
    return root


def is_sign(item, *signs):
    return item.kind == "sign" and item.text in signs


def divided(items, ends):
    part = []
    for item in items:
        if ends(item):
            yield part
            part = []
        else:
            part.append(item)
    yield part


def ends_expression(item):
    return is_sign(item, ",", ";", "=", "<<", "&&", "||", "+=", "!", "<", ">", "<=", ">=") or (
        item.kind == "name" and item.text in ("return", "throw", "case", "else", "co_return"))


def pieces_of_format(text, arguments):
    """fmt's format string with its arguments, which are lists of pieces."""
    pieces, literal, following, at = [], "", 0, 0
    while at < len(text):
        if text[at:at + 2] in ("{{", "}}"):
            literal, at = literal + text[at], at + 2
        elif text[at] == "{":
            end, depth = at + 1, 1
            while end < len(text) and depth:
                depth += (text[end] == "{") - (text[end] == "}")
                end += 1
            number = re.match(r"\d*", text[at + 1:end - 1]).group()
            place = int(number) if number else following
            following += not number
            pieces += [literal] + (arguments[place] if place < len(arguments) else [object()])
            literal, at = "", end
        else:
            literal, at = literal + text[at], at + 1
    return pieces + [literal]


def value():
    return Choice([object()], {})


def words_of(items):
    return " ".join(words_of(item.text.items) if item.kind == "group" else str(item.text) for item in items)


def product(lists):
    """All ways to take one of each list that agree on every condition: ([choice, ...], taken)."""
    ways = [([], {})]
    for choices in lists:
        ways = [(done + [one], {**taken, **one.taken}) for done, taken in ways for one in choices
                if all(taken.get(condition, holds) == holds for condition, holds in one.taken.items())]
    return ways


def takes_format(call):
    return call.split("::")[-1] in ("format", "Message", "emplace_back") or call.endswith("Error")


class Reader:
    """Finds the sentences of one file."""
    def __init__(self, found):
        self.found = found  # called with pieces, the place and whether they are a marked word

    def group(self, group, call):
        if call in CALLS_LEFT_OUT or call.split("::")[-1] in CALLS_LEFT_OUT or group.bracket == "[":
            return
        parts = list(divided(group.items, ends_expression))
        if call in WRAPPERS and len(parts) > 1:
            for first in self.choices(parts[0]):
                self.emit(first.pieces + [piece or object() for piece in WRAPPERS[call]], self.at(parts[0]))
            parts = parts[1:]
        for part in parts:
            self.statement(part)

    @staticmethod
    def at(part):
        return part[0].at if part else 0

    def statement(self, part):
        for choice in self.choices(part):
            self.emit(choice.pieces, self.at(part))

    def emit(self, pieces, at):
        if any(isinstance(piece, str) for piece in pieces):
            self.found(pieces, at)

    def choices(self, part):
        """What an expression can be. Sentences that are no part of it are reported."""
        for start, item in enumerate(part):
            if is_sign(item, "?"):
                depth = 0
                for end in range(start + 1, len(part)):
                    depth += is_sign(part[end], "?")
                    if is_sign(part[end], ":"):
                        if depth == 0:
                            self.statement(part[:start])
                            condition = words_of(part[:start])
                            return [Choice(one.pieces, {**one.taken, condition: holds})
                                    for holds, branch in ((True, part[start + 1:end]), (False, part[end + 1:]))
                                    for one in self.choices(branch)]
                        depth -= 1
        if any(is_sign(item, ":") for item in part):  # a label, or the parts of a loop over a range
            *others, last = divided(part, lambda item: is_sign(item, ":"))
            for other in others:
                self.statement(other)
            return self.choices(last)
        if any(is_sign(item, "==", "!=") for item in part):  # what a value is compared with
            self.insides(part)
            return [value()]
        operands = [operand for operand in divided(part, lambda item: is_sign(item, "+")) if operand]
        return [Choice(sum((one.pieces for one in chosen), []), taken)
                for chosen, taken in self.limited([self.operand(operand) for operand in operands], part)]

    def limited(self, lists, part):
        """The product of the lists; where it is too large, the longest ones count as values, and what they hold is reported alone."""
        lists = list(lists)
        while len(ways := product(lists)) > MOST_CHOICES:
            longest = max(range(len(lists)), key=lambda i: len(lists[i]))
            for choice in lists[longest]:
                self.emit(choice.pieces, self.at(part))
            lists[longest] = [value()]
        return ways

    def operand(self, items):
        if len(items) == 1 and items[0].kind == "text":
            return [Choice([items[0].text], {})]
        if len(items) == 1 and items[0].kind == "group" and items[0].text.bracket == "(":
            parts = list(divided(items[0].text.items, ends_expression))
            if len(parts) == 1:
                return self.choices(parts[0])
        if len(items) > 1 and items[-2].kind == "name" and items[-1].kind == "group":
            parts = list(divided(items[-1].text.items, lambda item: is_sign(item, ",")))
            is_declared = len(items) > 2 and items[-3].kind == "name" and items[-3].text.split("::")[-1] == "Message"
            if (takes_format(items[-2].text) or is_declared) and len(parts[0]) == 1 and parts[0][0].kind == "text":
                if len(parts) == 1 and parts[0][0].text[:1] != "-" and (is_declared or items[-2].text.split("::")[-1] == "Message"):
                    self.found([parts[0][0].text], parts[0][0].at, True)  # a single word, too
                arguments = [self.argument(part) for part in parts[1:]]
                return [Choice(pieces_of_format(parts[0][0].text, [one.pieces for one in chosen]), taken)
                        for chosen, taken in self.limited(arguments, items)]
        if len(items) == 2 and items[0].kind == "name" and items[1].kind == "group":
            if items[0].text in ("std::string", "std::string_view") and len(parts) == 1:
                return self.choices(parts[0])
            if items[0].text.endswith("fmt::join") and len(parts) == 2 and len(parts[1]) == 1 and parts[1][0].kind == "text":
                self.emit([object(), parts[1][0].text, object()], parts[1][0].at)
        self.insides(items)
        for item in items:
            if item.kind == "text":
                self.found([item.text], item.at)
        return [value()]

    def insides(self, items):
        """What stands between brackets, behind the names that are called with it."""
        for before, item in zip([None] + items, items):
            if item.kind == "group":
                self.group(item.text, before.text if before and before.kind == "name" else "")

    def argument(self, part):
        if any(ends_expression(item) for item in part) and not any(is_sign(item, "?") for item in part):
            for inner in divided(part, ends_expression):
                self.statement(inner)
            return [value()]
        return self.choices(part)


def joined(pieces):
    """Texts side by side as one, and values likewise, which cannot be told apart."""
    together = []
    for piece in pieces:
        if isinstance(piece, str):
            if together and isinstance(together[-1], str):
                together[-1] += piece
            elif piece:
                together.append(piece)
        elif not together or isinstance(together[-1], str):
            together.append(piece)
    return together


def lines_of(pieces):
    line = []
    for piece in pieces:
        if not isinstance(piece, str):
            line.append(piece)
            continue
        first, *others = piece.split("\n")
        line.append(first)
        for other in others:
            yield line
            line = [other]
    yield line


def text_of(pieces):
    numbers = {}
    text = ""
    for piece in joined(pieces):
        if isinstance(piece, str):
            if numbers and text and re.match(r"\d", piece) and re.search(r"%\d+$", text):
                return ""  # a digit behind a placeholder
            text += piece
        else:
            text += f"%{numbers.setdefault(id(piece), len(numbers) + 1)}"
    return text.strip().rstrip(":;,")  # which begin the next part of a sentence


def is_sentence(text):
    """Has a word beside another word, a value or a name of keys, and is no code."""
    plain = re.sub(r"%\d+", "\x01", text)
    if any(letter < " " and letter != "\x01" for letter in plain) or NOT_WORDS.search(plain) or " " not in plain.strip():
        return False
    words = re.findall(r"(?<![\w/.\-=$<:\x01])(?:[A-Za-z][a-z'’]+|a)(?![\w/=_(<\x01]|\.\w|::)", plain)
    return len(words) >= 2 or (len(words) == 1 and ("\x01" in plain or re.search(r"[a-z]_[a-z]", plain) is not None))


def table_texts(folder):
    """Those of the engine's tables, which have translations of their own: packaging/translations has brought them into the catalogues."""
    document = xml.parse(folder / "trainyard_de.ts").getroot()
    return {message.findtext("source") for context in document.iter("context") if context.findtext("name") == "trainyard::engine"
            for message in context.iter("message")}


def sentences_of_file(name, source):
    """(sentence, line of the file), in order."""
    in_tables = TABLES.fullmatch(name)
    all_of_them = []

    def found(pieces, at, is_word=False):
        for line in lines_of(pieces):
            text = text_of(line)
            # Help in the tables has no values, sentences about mistakes have.
            if (is_word or is_sentence(text)) and not (in_tables and "%1" not in text):
                all_of_them.append((text, source.count("\n", 0, at) + 1))
    Reader(found).group(tree_of(source), "")
    return all_of_them


def sentences(folder):
    """{sentence: place} of all sources, in order of the places; those in the tables of the catalogues of FOLDER are left out."""
    tables = table_texts(folder)
    all_of_them = {os.strerror(getattr(errno, number)): "errno:0" for number in ERRORS}
    for top in SOURCES:
        for file in sorted((ROOT / top).rglob("*")):
            name = str(file.relative_to(ROOT))
            if file.suffix in (".cpp", ".h") and name not in FILES_LEFT_OUT:
                for text, line in sentences_of_file(name, file.read_text()):
                    if text not in tables or " " not in text:  # a marked word
                        all_of_them.setdefault(text, f"{name}:{line}")
    return all_of_them


def context_of(place):
    parts = place.split(":")[0].split("/")
    return parts[0] if len(parts) == 1 else "/".join(parts[:2])


def update(catalogue, wanted):
    document = xml.parse(catalogue).getroot()
    kept = {message.findtext("source"): message.find("translation") for message in document.iter("message")}
    contexts = collections.defaultdict(list)
    for text, place in wanted.items():
        contexts[context_of(place)].append(text)
    out = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>", f'<TS version="2.1" language="{document.get("language")}">']
    for context, texts in sorted(contexts.items()):
        out += ["<context>", f"    <name>{context}</name>"]
        for text in texts:
            translation = kept.get(text)
            words = "" if translation is None else translation.text or ""
            unfinished = not words or translation.get("type") == "unfinished"
            kind = ' type="unfinished"' if unfinished else ""
            out += ["    <message>", f"        <source>{escape(text)}</source>",
                    f"        <translation{kind}>{escape(words)}</translation>", "    </message>"]
        out.append("</context>")
    pathlib.Path(catalogue).write_text("\n".join(out + ["</TS>"]) + "\n")


def main():
    if len(sys.argv) < 2 or (len(sys.argv) > 2 and sys.argv[1] != "--list"):
        sys.exit(__doc__)
    if len(sys.argv) > 2:
        for name in sys.argv[2:]:
            for text, line in sentences_of_file(name, pathlib.Path(name).read_text()):
                print(f"{name}:{line}\t{text}")
        return
    listing = sys.argv[1] == "--list"
    wanted = sentences(ROOT / "resources/translations" if listing else pathlib.Path(sys.argv[1]))
    if listing:
        for text, place in wanted.items():
            print(f"{place}\t{text}")
        return
    for catalogue in sorted(pathlib.Path(sys.argv[1]).glob("sentences_*.ts")):
        update(catalogue, wanted)


if __name__ == "__main__":
    main()
