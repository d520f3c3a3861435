#pragma once
// Text from the clipboard as settings: `accelerate launch`, `trainyard launch` and `torchrun` command lines, files of Accelerate, DeepSpeed
// JSON. Told apart by content. Nothing is run, no file is read.

#include <string>
#include <vector>

#include "config/accelerate/settings_file.h"

namespace trainyard::desktop {

struct Pasted {
    enum class Kind { launch_command, torchrun_command, settings_file, deepspeed_json };
    Kind kind = Kind::settings_file;
    /// Keys to set, in the order they were written. Of a command; a file's are in `loaded`.
    std::vector<std::pair<std::string, Value>> keys;
    settings::Loaded loaded;
    std::string program;  ///< of a command; empty: none
    std::vector<std::string> arguments;
    std::vector<Message> notes;  ///< sentences: what was left out and why
};

/// `has_accelerator` decides what torchrun's processes are. Throws UserError in one sentence when the text is none of these, InvalidInput with
/// all problems of a command line.
Pasted read_pasted(const std::string& text, bool has_accelerator);

/// Words of a command line as a POSIX shell splits them: quotes, backslashes, continued lines, comments. Variables and
/// substitutions stay as they are written. Throws UserError for an open quote.
std::vector<std::string> split_command(const std::string& text);

}  // namespace trainyard::desktop
