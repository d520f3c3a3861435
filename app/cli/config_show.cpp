// SPDX-License-Identifier: GPL-3.0-or-later
// config show, keys and batch: what is looked up.

#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "base/json_writer.h"
#include "base/letter_case.h"
#include "cli/config_command.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "config/accelerate/schema.h"
#include "launch/plan/probe.h"

namespace trainyard::cli {

namespace {

using settings::FlagKind;
using settings::Type;
using OrderedJson = nlohmann::ordered_json;

plan::EnvironmentMap this_environment() {
    plan::EnvironmentMap all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        std::string_view text(*entry);
        std::size_t equals = text.find('=');
        if (equals != std::string_view::npos)
            all[std::string(text.substr(0, equals))] = text.substr(equals + 1);
    }
    return all;
}

std::string_view type_name(Type type) {
    switch (type) {
        case Type::boolean:
            return "true/false";
        case Type::integer:
            return "integer";
        case Type::number:
            return "number";
        case Type::text:
            return "text";
        case Type::choice:
            return "choice";
        case Type::path:
            return "path";
        case Type::texts:
            return "list of texts";
        case Type::booleans:
            return "three true/false";
        case Type::table:
            return "table";
    }
    return "";
}

bool mentions(const settings::Key& key, const std::string& word) {
    std::string all = key.path() + " " + std::string(key.label) + " " + std::string(key.help) + " " +
                      std::string(key.flag.name) + " " + std::string(key.environment.name);
    for (std::string_view alias : key.aliases)
        all += " " + std::string(alias);
    return text::lower(all).find(word) != std::string::npos;
}

OrderedJson key_json(const settings::Key& key) {
    OrderedJson json{{"key", key.section == settings::Section::launch ? "" : key.path()},
                     {"table", settings::table_name(key.section)},
                     {"type", type_name(key.type)},
                     {"label", key.label},
                     {"help", key.help}};
    if (!key.choices.empty())
        json["choices"] = key.choices;
    if (!key.standard().is_null())
        json["default"] = key.standard().display();
    if (key.flag.kind != FlagKind::none)
        json["flag"] = key.flag.name;
    if (!key.environment.name.empty())
        json["environment"] = key.environment.name;
    if (!key.applies_when.empty())
        json["applies_when"] = key.applies_when;
    if (!key.since.empty())
        json["since"] = key.since;
    return json;
}

void print_schema_key(const settings::Key& key) {
    bool only_flag = key.section == settings::Section::launch;
    std::string name = only_flag ? std::string(key.flag.name) : key.path();
    std::string kind =
        key.choices.empty() ? std::string(type_name(key.type)) : fmt::format("{}", fmt::join(key.choices, " | "));
    say_format(stdout, "%s\n    %s\n    %s", name.c_str(), std::string(key.help).c_str(), kind.c_str());
    if (!key.standard().is_null())
        say_format(stdout, "; default %s", key.standard().display().c_str());
    if (!only_flag && key.flag.kind != FlagKind::none)
        say_format(stdout, "; flag %s", std::string(key.flag.name).c_str());
    if (!key.applies_when.empty())
        say_format(stdout, "; only when %s", std::string(key.applies_when).c_str());
    say_format(stdout, "\n");
}

OrderedJson batch_json(const settings::BatchSetup& setup, const std::string& why) {
    settings::BatchFacts facts = settings::facts(setup);
    OrderedJson json{{"batch_per_rank", setup.batch_per_rank},
                     {"num_processes", setup.ranks},
                     {"gradient_accumulation_steps", setup.accumulation},
                     {"effective_batch", facts.effective_batch}};
    if (setup.learning_rate > 0)
        json["learning_rate"] = setup.learning_rate;
    if (facts.optimizer_steps_per_epoch > 0)
        json["optimizer_steps_per_epoch"] = facts.optimizer_steps_per_epoch;
    if (!why.empty())
        json["why"] = why;
    return json;
}

std::string batch_line(const settings::BatchSetup& setup) {
    settings::BatchFacts facts = settings::facts(setup);
    std::string line = fmt::format("{} per rank × {} ranks × accumulation {} = effective batch {}",
                                   setup.batch_per_rank, setup.ranks, setup.accumulation, facts.effective_batch);
    if (setup.learning_rate > 0)
        line += fmt::format(", learning rate {:g}", setup.learning_rate);
    if (facts.optimizer_steps_per_epoch > 0)
        line += fmt::format(", {} optimizer steps an epoch", facts.optimizer_steps_per_epoch);
    return line;
}

}  // namespace

int config_show(const fs::path& file, bool json) {
    std::error_code error;
    std::optional<settings::Loaded> loaded;
    if (fs::exists(file, error))
        loaded = settings::load_settings(file);
    plan::Flags flags;
    if (loaded)
        flags.config_file = file.string();
    plan::Resolved resolved = plan::resolve(flags, loaded, plan::probe_machine(), this_environment());
    auto origin_of = [&resolved](const std::string& path) {
        auto found = resolved.origins.find(path);
        return std::string(plan::origin_name(found == resolved.origins.end() ? plan::Origin::fallback : found->second));
    };
    if (json) {
        OrderedJson settings = OrderedJson::object();
        for (const auto& [path, value] : resolved.settings.leaves())
            settings[path] = {{"value", value.is_null() ? OrderedJson(nullptr) : OrderedJson(value.display())},
                              {"origin", origin_of(path)}};
        OrderedJson result{{"file", loaded ? OrderedJson(file.string()) : OrderedJson(nullptr)},
                           {"settings", settings},
                           {"warnings", resolved.warnings}};
        print_json(result);
        return kExitDone;
    }
    if (loaded)
        say_format(stdout, "%s\n", file.c_str());
    else
        say_format(stdout, "%s does not exist: detected values and defaults\n", file.c_str());
    std::vector<std::array<std::string, 3>> lines;
    std::size_t widest = 0;
    for (const auto& [path, value] : resolved.settings.leaves()) {
        const settings::Key* flag = settings::find_flag(path);
        bool not_in_files = flag != nullptr && flag->section == settings::Section::launch;
        std::string origin = origin_of(path);
        if (value.is_null() || (not_in_files && origin == plan::origin_name(plan::Origin::fallback)))
            continue;
        widest = std::max(widest, path.size());
        lines.push_back({path, value.boolean() != nullptr ? text::lower(value.display()) : value.display(), origin});
    }
    for (const auto& [path, value, origin] : lines)
        say_format(stdout, "  %-*s  %-24s %s\n", static_cast<int>(widest), path.c_str(), value.c_str(), origin.c_str());
    for (const auto& warning : resolved.warnings)
        say_format(stdout, "warning: %s\n", warning.text().c_str());
    return kExitDone;
}

int config_keys(const std::string& search, bool json, bool markdown) {
    if (markdown) {
        std::fputs(settings::keys_markdown().c_str(), stdout);
        return kExitDone;
    }
    std::string word = text::lower(search);
    OrderedJson list = OrderedJson::array();
    std::size_t found = 0;
    for (const settings::Key& key : settings::schema()) {
        if (!word.empty() && !mentions(key, word))
            continue;
        ++found;
        if (json)
            list.push_back(key_json(key));
        else
            print_schema_key(key);
    }
    if (json)
        say_format(stdout, "%s\n", json_text(list, {.indent = 2}).c_str());
    else if (found == 0)
        say_format(stdout, "no key has '%s' in its name or explanation\n", search.c_str());
    return found == 0 ? kExitFailed : kExitDone;
}

int config_batch(const settings::BatchSetup& setup, std::int64_t ranks, settings::LearningRateRule rule, bool json) {
    std::vector<settings::BatchChoice> choices;
    if (ranks > 0)
        choices = settings::choices_on(setup, ranks, rule);
    if (json) {
        OrderedJson list = OrderedJson::array();
        for (const settings::BatchChoice& choice : choices)
            list.push_back(batch_json(choice.setup, choice.why));
        say_format(stdout, "%s\n",
                   json_text(OrderedJson{{"now", batch_json(setup, "")}, {"choices", list}}, {.indent = 2}).c_str());
        return kExitDone;
    }
    say_format(stdout, "%s\n", batch_line(setup).c_str());
    if (ranks > 0)
        say_format(stdout, "on %lld ranks:\n", static_cast<long long>(ranks));
    for (const settings::BatchChoice& choice : choices)
        say_format(stdout, "  %s\n      %s\n", batch_line(choice.setup).c_str(), choice.why.text().c_str());
    return kExitDone;
}

}  // namespace trainyard::cli
