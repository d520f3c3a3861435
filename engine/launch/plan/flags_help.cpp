// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "launch/plan/flag_names.h"
#include "launch/plan/flags.h"

namespace trainyard::plan {

using settings::FlagKind;
using settings::Key;

namespace {

constexpr std::size_t kTextColumn = 34;
constexpr std::size_t kWidth = 110;

std::string head(const Key& key) {
    std::string text = key.flag.brief.empty() ? "  " : "  " + std::string(key.flag.brief) + ", ";
    text += key.flag.name;
    if (!takes_value(key))
        return text;
    switch (key.type) {
        case settings::Type::integer:
            return text + " N";
        case settings::Type::number:
            return text + " X";
        case settings::Type::boolean:
            return text + " true|false";
        case settings::Type::booleans:
            return text + " BOOL,BOOL,BOOL";
        case settings::Type::path:
            return text + " FILE";
        default:
            return text + " TEXT";
    }
}

/// The help in lines of the width that is left, after the head.
void append_entry(std::string& out, const std::string& head, const std::string& help) {
    std::string line = head;
    if (line.size() + 2 > kTextColumn) {
        out += line + "\n";
        line.clear();
    }
    line.resize(kTextColumn, ' ');
    std::size_t start = 0;
    while (start < help.size()) {
        std::size_t room = kWidth - kTextColumn;
        std::size_t end = help.size() - start <= room ? help.size() : help.rfind(' ', start + room);
        if (end == std::string::npos || end <= start)
            end = std::min(help.size(), start + room);
        out += line + help.substr(start, end - start) + "\n";
        start = help.find_first_not_of(' ', end);
        line.assign(kTextColumn, ' ');
    }
    if (help.empty())
        out += head + "\n";
}

std::string body(const Key& key) {
    std::string help(key.help);
    if (!key.choices.empty())
        help += fmt::format(": {}", fmt::join(key.choices, ", "));
    const Value& standard = key.standard();
    if (takes_value(key) && !standard.is_null() && !standard.display().empty() && standard != Value(-1))
        help += " [" + standard.display() + "]";
    return help;
}

}  // namespace

std::string flags_help() {
    std::string out =
        "Usage: trainyard launch [flags] RECIPE.yaml [flags]\n"
        "       trainyard launch [flags] SCRIPT.py|-m MODULE|--no_python PROGRAM [its arguments]\n\n"
        "Starts the ranks of a recipe, detached, and follows them; or those of a program of yours, as\n"
        "`accelerate launch` does. A flag overrules the environment, that the settings file, that the default.\n"
        "--num-processes is the same as --num_processes; a switch is turned off again with =false.\n";
    std::vector<std::string_view> groups;
    for (const Key& key : settings::schema())
        if (key.flag.kind != FlagKind::none && std::ranges::find(groups, key.flag.group) == groups.end())
            groups.push_back(key.flag.group);
    for (std::string_view group : groups) {
        out += fmt::format("\n{}:\n", group);
        for (const Key& key : settings::schema())
            if (key.flag.kind != FlagKind::none && key.flag.group == group)
                append_entry(out, head(key), body(key));
    }
    out += "\n";
    append_entry(out, "  -h, --help", "Print this");
    return out;
}

}  // namespace trainyard::plan
