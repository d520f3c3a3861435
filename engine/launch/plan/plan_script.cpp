// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as a script of its own.

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "launch/plan/plan.h"

namespace trainyard::plan {

namespace {

/// No line of its own: a comment must not end early.
std::string one_line(std::string text) {
    for (char& c : text)
        if (c == '\n' || c == '\r')
            c = ' ';
    return text;
}

}  // namespace

std::string plan_script(const Plan& plan, const std::vector<std::string>& command) {
    if (plan.starter != Starter::process && plan.starter != Starter::ranks)
        throw UserError(
            "--export writes scripts that start processes themselves, and {} is started by a program of its own: "
            "--dry-run prints its command",
            starter_name(plan.starter));
    std::string text = "#!/usr/bin/env bash\n";
    text += fmt::format("# {}\n", one_line(text::shell_words(command)));
    text += fmt::format(
        "# starts {} without Trainyard{}. In a notebook: !bash FILE\n",
        plan.starter == Starter::process ? "one process"
                                         : fmt::format("{} of {} ranks", plan.ranks.size(), plan.world_size),
        plan.ranks_per_machine.size() > 1 ? " (this machine's part; the others need a script each)" : "");
    text += "set -u\n\n";
    for (const auto& [name, value] : plan.environment)
        text += fmt::format("export {}={}\n", name, text::shell_word(value));
    if (plan.starter == Starter::process)
        return text + fmt::format("\nexec {}\n", text::shell_words(plan.command));
    text += fmt::format(
        "\nranks=()\n"
        "start() {{\n"
        "    env \"$@\" {} &\n"
        "    ranks+=($!)\n"
        "}}\n"
        "trap 'kill \"${{ranks[@]}}\" 2>/dev/null; wait; exit 130' INT TERM HUP\n\n",
        text::shell_words(plan.command));
    for (const RankPlan& rank : plan.ranks) {
        text += "start";
        for (const auto& [name, value] : rank.environment)
            text += ' ' + text::shell_word(name + "=" + value);
        text += '\n';
    }
    return text +
           "\n# The first that fails ends the others, which would wait for it.\n"
           "code=0\n"
           "for _ in \"${ranks[@]}\"; do\n"
           "    wait -n || { code=$?; kill \"${ranks[@]}\" 2>/dev/null; break; }\n"
           "done\n"
           "wait\n"
           "exit \"$code\"\n";
}

}  // namespace trainyard::plan
