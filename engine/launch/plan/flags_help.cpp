// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <set>

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
    if (!key.flag.also.empty())
        help += fmt::format(" (also {})", fmt::join(key.flag.also, ", "));
    if (takes_value(key) && !standard.is_null() && !standard.display().empty() && standard != Value(-1))
        help += " [" + standard.display() + "]";
    return help;
}

/// Groups that every launch may use; the others belong to a way of training or a place.
constexpr std::string_view kGeneral[] = {"General",         "Hardware",         "Resources",
                                         "Way of training", "Several machines", "Trainyard"};

/// The group that a flag chooses.
struct ChosenGroup {
    std::string_view flag, group;
};
constexpr ChosenGroup kChosen[] = {{"use_fsdp", "FSDP"},
                                   {"use_deepspeed", "DeepSpeed"},
                                   {"use_megatron_lm", "Megatron-LM"},
                                   {"use_parallelism_config", "Parallelism"},
                                   {"tpu", "TPU"},
                                   {"slurm", "SLURM"}};

/// The groups to show; empty: all.
std::set<std::string_view> shown_groups(const Flags& typed) {
    std::set<std::string_view> groups;
    for (const auto& [name, value] : typed.typed) {
        if (name == "help")
            continue;
        groups.insert(std::begin(kGeneral), std::end(kGeneral));
        if (const Key* key = settings::find_flag(name))
            groups.insert(key->flag.group);
        if (const auto* chosen = std::ranges::find(kChosen, name, &ChosenGroup::flag); chosen != std::end(kChosen))
            groups.insert(chosen->group);
    }
    return groups;
}

}  // namespace

std::string flags_help(const Flags& typed) {
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
    const std::set<std::string_view> shown = shown_groups(typed);
    std::string others;
    for (std::string_view group : groups) {
        if (!shown.empty() && !shown.contains(group)) {
            others += (others.empty() ? "" : ", ") + std::string(group);
            continue;
        }
        out += fmt::format("\n{}:\n", group);
        for (const Key& key : settings::schema())
            if (key.flag.kind != FlagKind::none && key.flag.group == group)
                append_entry(out, head(key), body(key));
    }
    out += "\n";
    append_entry(out, "  -h, --help", "Print this; after other flags, only the groups that these are of");
    if (!others.empty())
        out += fmt::format("\nNot shown, as no flag is of them: {}. trainyard launch --help shows all.\n", others);
    return out;
}

}  // namespace trainyard::plan
