# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of the pre-tokenizer UnicodeScripts, asked of the tokenizers library character by character.

    python unicode_scripts.py OUT/script_table.h

Its table is older than those of today's Unicode libraries and joins the Japanese scripts, so none of them gives the same pieces.
"""
import pathlib, sys

import tokenizers
from tokenizers import pre_tokenizers

HEAD = """#pragma once
// Made by tests/golden/generate/unicode_scripts.py from tokenizers {version}: do not edit.
// The scripts that its pre-tokenizer UnicodeScripts tells apart, by numbers: characters that are not here fit any
// script.

#include <array>
#include <cstdint>

namespace trainyard::tokenizers {{

struct ScriptRange {{
    char32_t first, last;
    std::uint8_t script;
}};

// clang-format off
inline constexpr std::array<ScriptRange, {count}> kScriptRanges{{{{
"""
TAIL = """}};
// clang-format on

}  // namespace trainyard::tokenizers
"""


def pieces(text, splitter=pre_tokenizers.UnicodeScripts()):
    return len(splitter.pre_tokenize_str(text))


def ranges():
    """[first, last, script] of all characters that have one."""
    found, first_of_script, before = [], [], None
    for code in (*range(0xD800), *range(0xE000, 0x110000)):
        character = chr(code)
        if pieces(character) == 0:
            before = None
            continue
        if before is not None and found[-1][1] == code - 1 and pieces(before + character) == 1:
            found[-1][1] = code
        else:
            script = next((i for i, first in enumerate(first_of_script) if pieces(first + character) == 1), len(first_of_script))
            if script == len(first_of_script):
                first_of_script.append(character)
            found.append([code, code, script + 1])
        before = character
    return found


def main():
    rows = [f"{{0x{first:04x}, 0x{last:04x}, {script}}}" for first, last, script in ranges()]
    lines = ["    " + ", ".join(rows[i:i + 4]) + ",\n" for i in range(0, len(rows), 4)]
    pathlib.Path(sys.argv[1]).write_text(HEAD.format(version=tokenizers.__version__, count=len(rows)) + "".join(lines) + TAIL)


if __name__ == "__main__":
    main()
