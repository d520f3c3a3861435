// SPDX-License-Identifier: GPL-3.0-or-later
// The text questionnaire on a terminal: arrow keys, digits, Enter, Home/End; Esc, left arrow or `<` go back.

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/asker.h"
#include "cli/raw_terminal.h"
#include "cli/terminal.h"

namespace trainyard::cli {

namespace {

using settings::Option;
using settings::QuestionKind;

/// Lines of the terminal that can be erased and drawn again.
class Canvas {
  public:
    Canvas() : colours_(std::getenv("NO_COLOR") == nullptr) {}
    ~Canvas() { show_cursor(); }
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    void clear() {
        if (lines_ > 0)
            std::printf("\r\033[%dA\033[J", lines_);
        lines_ = 0;
    }
    void line(const std::string& text, const char* colour = "") {
        std::string shown = cut(text, static_cast<std::size_t>(std::max(8, terminal_width() - 1)));
        bool coloured = colours_ && *colour != '\0';
        std::printf("%s%s%s\r\n", coloured ? colour : "", shown.c_str(), coloured ? "\033[0m" : "");
        ++lines_;
    }
    void hide_cursor() { std::fputs("\033[?25l", stdout); }
    void show_cursor() {
        std::fputs("\033[?25h", stdout);
        std::fflush(stdout);
    }
    void flush() { std::fflush(stdout); }

  private:
    bool colours_;
    int lines_ = 0;
};

constexpr const char* kBold = "\033[1m";
constexpr const char* kDim = "\033[2m";
constexpr const char* kGreen = "\033[32m";
constexpr const char* kRed = "\033[31m";

class TerminalAsker : public Asker {
  public:
    Reply ask(const Asked& question) override {
        RawTerminal terminal;
        if (!question.problem.empty())
            take_back_line();  // the answer that was refused
        if (question.kind == QuestionKind::menu || question.kind == QuestionKind::yes_no)
            return choose(question, terminal);
        if (!question.several_lines)
            return type(question, terminal, question.title, question.fallback);
        std::string all;
        for (;;) {
            Reply reply = type(question, terminal, question.title + (all.empty() ? "" : " Another? (nothing: no)"),
                               all.empty() ? question.fallback : "");
            if (reply.kind != Reply::Kind::answer || reply.text.empty())
                return reply.kind == Reply::Kind::answer ? Reply{Reply::Kind::answer, all} : reply;
            all += (all.empty() ? "" : "\n") + reply.text;
        }
    }

    void say(const std::string& line) override {
        std::printf("%s\n", line.c_str());
        std::fflush(stdout);
    }
    bool interactive() const override { return true; }

  private:
    /// Erases the last line of the screen, which shows a rejected answer.
    static void take_back_line() { std::fputs("\033[1A\r\033[J", stdout); }

    static void head(Canvas& canvas, const Asked& question, const std::string& title) {
        canvas.line(title, kBold);
        if (!question.help.empty())
            canvas.line("  " + question.help, kDim);
        if (!question.problem.empty())
            canvas.line("  ! " + question.problem.text(), kRed);
    }

    /// Replaces an answered question by one line with its title and the answer.
    static void settle(Canvas& canvas, const std::string& title, const std::string& answer) {
        canvas.clear();
        canvas.line(title + "  " + (answer.empty() ? "-" : answer), kGreen);
        canvas.show_cursor();
    }

    static bool goes_back(const Asked& question, const Key& key) {
        return question.can_go_back && (key.kind == Key::Kind::escape || key.kind == Key::Kind::left ||
                                        (key.kind == Key::Kind::text && key.text == "<"));
    }

    /// Handles the keys that leave the questionnaire and ends the drawing. Returns nullopt for other keys.
    static std::optional<Reply> leaves(Canvas& canvas, const Key& key) {
        if (key.kind != Key::Kind::interrupt && key.kind != Key::Kind::closed)
            return std::nullopt;
        canvas.show_cursor();
        return Reply{key.kind == Key::Kind::interrupt ? Reply::Kind::interrupted : Reply::Kind::ended, {}};
    }

    static Reply choose(const Asked& question, RawTerminal& terminal) {
        std::vector<Option> rows = rows_of(question);
        std::size_t at = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].value == meant(question, question.fallback))
                at = i;
        auto visible = static_cast<std::size_t>(std::clamp(terminal_height() - 5, 3, 40));
        std::size_t first = 0;
        Canvas canvas;
        canvas.hide_cursor();
        for (;;) {
            first = std::clamp(first, at + 1 > visible ? at + 1 - visible : 0, at);
            draw_rows(canvas, question, rows, at, first, std::min(rows.size(), first + visible));
            Key key = terminal.read();
            if (auto reply = leaves(canvas, key))
                return *reply;
            if (goes_back(question, key)) {
                canvas.clear();
                if (question.follows_answer)
                    take_back_line();
                return {Reply::Kind::back, {}};
            }
            switch (key.kind) {
                case Key::Kind::up:
                    at = at == 0 ? rows.size() - 1 : at - 1;
                    break;
                case Key::Kind::down:
                    at = at + 1 == rows.size() ? 0 : at + 1;
                    break;
                case Key::Kind::home:
                    at = 0;
                    break;
                case Key::Kind::end:
                    at = rows.size() - 1;
                    break;
                case Key::Kind::page_up:
                    at -= std::min(at, visible);
                    break;
                case Key::Kind::page_down:
                    at = std::min(at + visible, rows.size() - 1);
                    break;
                case Key::Kind::enter:
                case Key::Kind::right:
                    settle(canvas, question.title, rows[at].label);
                    return {Reply::Kind::answer, rows[at].value};
                case Key::Kind::text:
                    jump(question, rows, key.text, at);
                    break;
                default:
                    break;
            }
        }
    }

    /// A digit is the number of a row, or the row's value; y and n answer yes and no.
    static void jump(const Asked& question, const std::vector<Option>& rows, const std::string& typed,
                     std::size_t& at) {
        if (question.kind == QuestionKind::yes_no) {
            if (typed == "y" || typed == "Y" || typed == "n" || typed == "N")
                at = typed == "y" || typed == "Y" ? 0 : 1;
            return;
        }
        std::string value = meant(question, typed);
        auto row = static_cast<std::size_t>(std::ranges::find(rows, value, &Option::value) - rows.begin());
        if (row < rows.size())
            at = row;
    }

    static void draw_rows(Canvas& canvas, const Asked& question, const std::vector<Option>& rows, std::size_t at,
                          std::size_t first, std::size_t last) {
        canvas.clear();
        head(canvas, question, question.title);
        std::size_t widest = 0;
        for (const Option& row : rows)
            widest = std::max(widest, width_of(row.label));
        for (std::size_t i = first; i < last; ++i) {
            std::string text = i == at ? "  > " : "    ";
            if (question.kind == QuestionKind::menu && rows_are_numbered(question))
                text += (i < 10 && rows.size() > 10 ? " " : "") + std::to_string(i) + "  ";
            text += rows[i].label;
            if (!rows[i].help.empty())
                text += std::string(widest - width_of(rows[i].label) + 2, ' ') + rows[i].help;
            canvas.line(text, i == at ? kGreen : "");
        }
        if (last - first < rows.size())
            canvas.line("    " + std::to_string(at + 1) + " of " + std::to_string(rows.size()), kDim);
        canvas.flush();
    }

    static Reply type(const Asked& question, RawTerminal& terminal, const std::string& title,
                      const std::string& fallback) {
        std::vector<std::string> typed;  // characters
        std::size_t cursor = 0;
        Canvas canvas;
        canvas.hide_cursor();
        for (;;) {
            std::string before, after;
            for (std::size_t i = 0; i < typed.size(); ++i)
                (i < cursor ? before : after) += typed[i];
            canvas.clear();
            head(canvas, question, title);
            bool hint = typed.empty() && !fallback.empty();
            canvas.line("  > " + before + "_" + after + (hint ? "  [" + fallback + "]" : ""));
            canvas.flush();
            Key key = terminal.read();
            if (auto reply = leaves(canvas, key))
                return *reply;
            if (typed.empty() && goes_back(question, key)) {
                canvas.clear();
                if (question.follows_answer)
                    take_back_line();
                return {Reply::Kind::back, {}};
            }
            switch (key.kind) {
                case Key::Kind::enter: {
                    std::string text = before + after;
                    settle(canvas, title, text.empty() ? fallback : text);
                    return {Reply::Kind::answer, text};
                }
                case Key::Kind::escape:
                    typed.clear();
                    cursor = 0;
                    break;
                case Key::Kind::left:
                    cursor -= cursor > 0 ? 1 : 0;
                    break;
                case Key::Kind::right:
                    cursor += cursor < typed.size() ? 1 : 0;
                    break;
                case Key::Kind::home:
                    cursor = 0;
                    break;
                case Key::Kind::end:
                    cursor = typed.size();
                    break;
                case Key::Kind::backspace:
                    if (cursor > 0)
                        typed.erase(typed.begin() + static_cast<std::ptrdiff_t>(--cursor));
                    break;
                case Key::Kind::remove:
                    if (cursor < typed.size())
                        typed.erase(typed.begin() + static_cast<std::ptrdiff_t>(cursor));
                    break;
                case Key::Kind::text:
                    typed.insert(typed.begin() + static_cast<std::ptrdiff_t>(cursor++), key.text);
                    break;
                default:
                    break;
            }
        }
    }
};

}  // namespace

std::unique_ptr<Asker> terminal_asker() {
    return std::make_unique<TerminalAsker>();
}

}  // namespace trainyard::cli
