// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Converts text from the clipboard to settings: `accelerate launch`, `trainyard launch` and `torchrun` command lines,
// files of Accelerate, DeepSpeed JSON. The kind is detected by content. Nothing is executed and no file is read.

#include <string>
#include <vector>

#include "config/accelerate/settings_file.h"

namespace trainyard::desktop {

struct Pasted {
    enum class Kind { launch_command, torchrun_command, settings_file, deepspeed_json };
    Kind kind = Kind::settings_file;
    /// Keys to set, in the order in which they were written. For a command; the keys of a file are in `loaded`.
    std::vector<std::pair<std::string, Value>> keys;
    settings::Loaded loaded;
    std::string program;  ///< for a command; empty: none
    std::vector<std::string> arguments;
    std::vector<Message> notes;  ///< what was left out and why
};

/// Reads a pasted text. `has_accelerator` decides whether several processes of torchrun become MULTI_GPU or MULTI_CPU.
/// Throws UserError with one sentence if the text has none of the known formats, and InvalidInput with all problems of
/// a command line.
Pasted read_pasted(const std::string& text, bool has_accelerator);

struct ShellCommand {
    std::vector<std::string> words;
    std::vector<std::string> redirections;  ///< `> train.log`, `2>&1`
};

/// Splits command lines into commands and their words as a POSIX shell does: quotes, backslashes, continued lines,
/// comments, `;`, `&`, `&&`, `|`, `||`, redirections. Variables and substitutions are not expanded, and a line break is
/// a blank. Blanks, quotes and dashes that web pages and word processors write are the usual ones. Throws UserError for
/// an unbalanced quote.
std::vector<ShellCommand> split_commands(const std::string& text);

}  // namespace trainyard::desktop
