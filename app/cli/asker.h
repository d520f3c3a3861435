// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One question of the text questionnaire: put to a person with arrow keys, or answered by a line of piped input.

#include <memory>
#include <string>
#include <vector>

#include "config/accelerate/questionnaire.h"

namespace trainyard::cli {

struct Asked {
    std::string id;
    std::string title;
    std::string help;
    settings::QuestionKind kind = settings::QuestionKind::text;
    std::vector<settings::Option> options;  ///< of a menu; yes_no makes its own
    std::string fallback;                   ///< what Enter means
    Message problem;                        ///< why the last answer was refused; empty: asked for the first time
    bool several_lines = false;             ///< the answer is a list, one a line, ended by an empty one
    bool can_go_back = true;
    bool follows_answer = false;  ///< the line above on the screen is the answer before this
};

struct Reply {
    enum class Kind { answer, back, interrupted, ended };  ///< ended: no more input
    Kind kind = Kind::answer;
    std::string text;
};

class Asker {
  public:
    virtual ~Asker() = default;
    virtual Reply ask(const Asked& question) = 0;
    /// A line for the person; not part of any result.
    virtual void say(const std::string& line) = 0;
    /// True when a person can be asked again.
    virtual bool interactive() const = 0;
};

/// Draws on the terminal. Colours unless NO_COLOR is set.
std::unique_ptr<Asker> terminal_asker();
/// Reads lines of standard input; prompts go to standard output, or to standard error when `quiet`. `<` goes back.
/// `echo`: repeat each answer, as nobody typed it.
std::unique_ptr<Asker> line_asker(bool quiet, bool echo);
/// Answers nothing: every question gets its default.
std::unique_ptr<Asker> default_asker();

/// Typed text as the answer it means: the number of a menu's row (from 0, as `accelerate config` counts, also where the values are numbers
/// themselves), or an option's value or label in any case. Anything else stays.
std::string meant(const Asked& question, const std::string& typed);
/// The rows of a menu or of a yes/no question.
std::vector<settings::Option> rows_of(const Asked& question);
/// Rows show their numbers unless their values are these numbers.
bool rows_are_numbered(const Asked& question);

}  // namespace trainyard::cli
