// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/engine_texts.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "config/accelerate/draft.h"
#include "config/accelerate/questions.h"
#include "config/accelerate/schema.h"
#include "config/recipe/recipe.h"
#include "estimate/training_memory.h"
#include "remote/preflight.h"
#include "remote/remote_run.h"

namespace trainyard::test {

namespace {

/// Returns whether a text has words to translate, unlike numbers, values of files and empty texts.
bool has_words(std::string_view text) {
    for (std::size_t i = 2; i < text.size(); ++i)
        if (std::islower(text[i]) != 0 && std::islower(text[i - 1]) != 0 && std::isalpha(text[i - 2]) != 0)
            return text.find('_') == std::string_view::npos || text.find(' ') != std::string_view::npos;
    return false;
}

void add(std::set<std::string>& all, std::string_view text) {
    if (has_words(text))
        all.emplace(text);
}

void add_option(std::set<std::string>& all, const settings::Option& option) {
    // A label that equals the value of the configuration file is not a text to translate.
    if (!std::ranges::equal(option.label, option.value,
                            [](char a, char b) { return std::tolower(a) == std::tolower(b); }))
        add(all, option.label);
    add(all, option.help);
}

void add_questions(std::set<std::string>& all, const settings::Answers& answers) {
    const settings::Questionnaire tree(settings::Machine{});
    for (const settings::Question& question : tree.questions()) {
        add(all, tree.label(question, answers));
        for (const settings::Option& option : tree.options(question, answers)) {
            add_option(all, option);
        }
    }
}

}  // namespace

std::set<std::string> engine_texts() {
    std::set<std::string> all;
    for (const settings::questions::Row& row : settings::questions::rows()) {
        add(all, row.question.label);
        add(all, row.question.help);
        add(all, row.hidden);
        add(all, row.required);
        for (const settings::Option& option : row.question.options) {
            add_option(all, option);
        }
    }
    add_questions(all, {});
    const settings::Questionnaire tree(settings::Machine{});
    // Labels and options that depend on other answers.
    for (const settings::Option& machine : tree.find("machine_type")->options)
        add_questions(all, {{"machine_type", machine.value}, {"num_machines", "3"}});
    for (const char* device : {"npu", "mlu", "sdaa", "musa", "xpu", "hpu", "neuron", "cuda"}) {
        settings::Machine machine;
        machine.device = device;
        machine.device_count = 2;
        const settings::Questionnaire other(machine);
        for (const settings::Question& question : other.questions())
            add(all, other.label(question, {}));
    }
    for (const char* version : {"1", "2"})
        add_questions(all, {{"machine_type", "MULTI_GPU"}, {"fsdp", "yes"}, {"fsdp_version", version}});
    for (const settings::Answers& answers : {settings::Answers{}, settings::Answers{{"env", "AMAZON_SAGEMAKER"}}}) {
        add_questions(all, answers);
        for (const settings::Question& question : tree.questions())
            add(all, tree.hidden_because(question, answers));
    }
    for (const settings::Key& key : settings::schema()) {
        add(all, key.label);
        add(all, key.help);
        add(all, key.applies_when);
    }
    for (const settings::Preset& preset : settings::Draft::presets()) {
        add(all, preset.name);
        add(all, preset.help);
    }
    for (const config::RecipeKey& key : config::recipe_keys())
        add(all, key.help);
    for (std::size_t part = 0; part < estimate::kParts; ++part)
        add(all, estimate::part_words(static_cast<estimate::Part>(part)));
    for (const auto place : {estimate::Place::device, estimate::Place::host, estimate::Place::disk})
        add(all, estimate::place_words(place));
    remote::LocalTask script, program;
    script.program = {"python3", "train.py"};
    script.is_script = true;
    program.program = {"./train"};
    for (const auto& checks : {remote::host_checks(true), remote::host_checks(false), remote::local_checks({}),
                               remote::local_checks(script), remote::local_checks(program)})
        for (const auto& [check, title] : checks)
            add(all, title);
    return all;
}

}  // namespace trainyard::test
