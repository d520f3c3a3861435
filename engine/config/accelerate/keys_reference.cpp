// SPDX-License-Identifier: GPL-3.0-or-later
// KEYS.md, made from the schema.

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/number.h"
#include "config/accelerate/schema.h"

namespace trainyard::settings {

namespace {

struct Heading {
    Section section;
    std::string_view title;
};

constexpr std::array kHeadings = {
    Heading{Section::local, "Top level"},
    Heading{Section::fsdp, "fsdp_config"},
    Heading{Section::deepspeed, "deepspeed_config"},
    Heading{Section::parallelism, "parallelism_config"},
    Heading{Section::megatron, "megatron_lm_config"},
    Heading{Section::dynamo, "dynamo_config"},
    Heading{Section::fp8, "fp8_config"},
    Heading{Section::mpirun, "mpirun_config"},
    Heading{Section::sagemaker, "Top level with compute_environment AMAZON_SAGEMAKER"},
    Heading{Section::launch, "Flags of launch that no file holds"},
};

std::string number(double value) {
    return value == std::floor(value) ? std::to_string(static_cast<std::int64_t>(value)) : python_float(value);
}

std::string type_of(const Key& key) {
    switch (key.type) {
        case Type::boolean:
            return "true or false";
        case Type::integer:
        case Type::number: {
            std::string name = key.type == Type::integer ? "whole number" : "number";
            bool below = std::isfinite(key.range.least);
            bool above = std::isfinite(key.range.most);
            if (below && above)
                name += fmt::format(", {} to {}", number(key.range.least), number(key.range.most));
            else if (below)
                name += fmt::format(", {} or more", number(key.range.least));
            return key.effective.text() == nullptr ? name : name + fmt::format(", or `{}`", *key.effective.text());
        }
        case Type::text:
            return "text";
        case Type::choice: {
            std::string words;
            for (std::string_view choice : key.choices)
                words += fmt::format("{}`{}`", words.empty() ? "" : " ", choice);
            return words;
        }
        case Type::path:
            return "path";
        case Type::texts:
            return "list of texts";
        case Type::booleans:
            return "three truth values";
        case Type::table:
            return "table";
    }
    return {};
}

std::string shown(const Value& value) {
    if (value.is_null())
        return "";
    if (const bool* truth = value.boolean())
        return *truth ? "`true`" : "`false`";
    std::string text = value.display();
    return text.empty() ? "empty" : fmt::format("`{}`", text);
}

std::string flag_of(const Key& key) {
    if (key.flag.kind == FlagKind::none)
        return "";
    std::string name = fmt::format("`{}`", key.flag.name);
    if (!key.flag.brief.empty())
        name = fmt::format("`{}` {}", key.flag.brief, name);
    return key.flag.kind == FlagKind::repeated ? name + " (repeatable)" : name;
}

std::string help_of(const Key& key) {
    std::string help(key.help);
    if (!key.applies_when.empty())
        help += fmt::format("; when {}", key.applies_when);
    if (!key.aliases.empty())
        help += fmt::format("; also read as `{}`", fmt::join(key.aliases, "`, `"));
    if (!key.until.empty())
        help += fmt::format("; up to {}", key.until);
    for (std::size_t at = 0; (at = help.find('|', at)) != std::string::npos; at += 2)
        help.insert(at, "\\");
    return help;
}

}  // namespace

std::string keys_markdown() {
    std::string text =
        "# Settings: every key and flag\n\n"
        "Made from the schema (schema_*.cpp) by `keys_markdown()`; a test compares. *Default* is what counts when "
        "neither "
        "file nor\nflag says anything; *since* is the version of Accelerate, where it is known. In flags, `-` may "
        "stand for "
        "`_`.\n";
    for (const Heading& heading : kHeadings) {
        text += fmt::format("\n## {}\n\n", heading.title);
        text +=
            "| Key | Type | Default | Flag | Variable of a rank | Since | Meaning |\n|---|---|---|---|---|---|---|\n";
        for (const Key& key : schema()) {
            if (key.section != heading.section)
                continue;
            std::string variable =
                key.environment.name.empty() ? std::string() : fmt::format("`{}`", key.environment.name);
            bool open = key.path() == "num_processes";
            text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", key.name, type_of(key),
                                open ? "given at the launch" : shown(key.standard()), flag_of(key), variable, key.since,
                                help_of(key));
        }
    }
    return text;
}

}  // namespace trainyard::settings
