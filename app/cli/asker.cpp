// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/asker.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "base/letter_case.h"
#include "base/truth.h"

namespace trainyard::cli {

namespace {

class LineAsker : public Asker {
  public:
    LineAsker(bool quiet, bool echo) : out_(quiet ? stderr : stdout), echo_(echo) {}

    Reply ask(const Asked& question) override {
        if (!question.problem.empty())
            std::fprintf(out_, "  ! %s\n", question.problem.text().c_str());
        else
            print_question(question);
        std::string all;
        for (;;) {
            std::fputs(question.fallback.empty() || !all.empty() ? "> " : ("[" + question.fallback + "] > ").c_str(),
                       out_);
            std::fflush(out_);
            std::string line;
            if (!std::getline(std::cin, line)) {
                std::fputs("\n", out_);
                return {all.empty() ? Reply::Kind::ended : Reply::Kind::answer, all};
            }
            if (!line.empty() && line.back() == '\r')
                line.pop_back();
            if (echo_)
                std::fprintf(out_, "%s\n", line.c_str());
            if (line == "<" && question.can_go_back)
                return {Reply::Kind::back, {}};
            if (!question.several_lines)
                return {Reply::Kind::answer, line};
            if (line.empty())
                return {Reply::Kind::answer, all};
            all += (all.empty() ? "" : "\n") + line;
        }
    }

    void say(const std::string& line) override { std::fprintf(out_, "%s\n", line.c_str()); }
    bool interactive() const override { return !echo_; }

  private:
    static std::string prompt(const Asked& question, bool further) {
        std::string choice = question.kind == settings::QuestionKind::yes_no ? "yes/no " : "";
        return question.fallback.empty() || further ? choice + "> " : choice + "[" + question.fallback + "] > ";
    }

    void print_question(const Asked& question) {
        std::fprintf(out_, "\n%s\n", question.title.c_str());
        if (!question.help.empty())
            std::fprintf(out_, "  %s\n", question.help.c_str());
        if (question.several_lines)
            std::fputs("  one a line, an empty line ends\n", out_);
        bool numbered = rows_are_numbered(question);
        for (std::size_t i = 0; i < question.options.size(); ++i) {
            const settings::Option& row = question.options[i];
            std::string number = numbered ? (i < 10 ? " " : "") + std::to_string(i) + "  " : "";
            std::fprintf(out_, "  %s%s%s%s\n", number.c_str(), row.label.c_str(), row.help.empty() ? "" : " - ",
                         row.help.c_str());
        }
    }

    std::FILE* out_;
    bool echo_;
};

class DefaultAsker : public Asker {
  public:
    Reply ask(const Asked& question) override {
        return question.problem.empty() ? Reply{} : Reply{Reply::Kind::ended, {}};
    }
    void say(const std::string&) override {}
    bool interactive() const override { return false; }
};

}  // namespace

std::vector<settings::Option> rows_of(const Asked& question) {
    if (question.kind == settings::QuestionKind::yes_no)
        return {{"yes", "Yes", ""}, {"no", "No", ""}};
    return question.options;
}

bool rows_are_numbered(const Asked& question) {
    for (std::size_t i = 0; i < question.options.size(); ++i)
        if (question.options[i].value != std::to_string(i))
            return true;
    return false;
}

std::string meant(const Asked& question, const std::string& typed) {
    std::vector<settings::Option> rows = rows_of(question);
    if (question.kind == settings::QuestionKind::menu && !typed.empty() && typed.size() < 5 &&
        std::ranges::all_of(typed, [](char c) { return c >= '0' && c <= '9'; })) {
        std::size_t row = std::stoul(typed);
        if (row < rows.size())
            return rows[row].value;
    }
    std::string word = text::lower(typed);
    for (const settings::Option& row : rows)
        if (word == text::lower(row.value))
            return row.value;
    if (question.kind == settings::QuestionKind::yes_no) {
        Truth truth = truth_of(typed);
        return truth == Truth::neither ? typed : truth == Truth::yes ? "yes" : "no";
    }
    for (const settings::Option& row : rows)
        if (word == text::lower(row.label))
            return row.value;
    return typed;
}

std::unique_ptr<Asker> line_asker(bool quiet, bool echo) {
    return std::make_unique<LineAsker>(quiet, echo);
}

std::unique_ptr<Asker> default_asker() {
    return std::make_unique<DefaultAsker>();
}

}  // namespace trainyard::cli
