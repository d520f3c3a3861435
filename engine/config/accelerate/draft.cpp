// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/draft.h"

#include <algorithm>
#include <set>

#include "config/accelerate/schema.h"

namespace trainyard::settings {

namespace {

bool same(const Value* one, const Value* other) {
    return one == nullptr || other == nullptr ? one == other : *one == *other;
}

bool is_sagemaker(const Settings& settings) {
    return settings.text("compute_environment") == "AMAZON_SAGEMAKER";
}

Format format_of(const std::filesystem::path& file) {
    return file.extension() == ".json" ? Format::json : Format::yaml;
}

/// What a file means where it is silent and Accelerate's default is not the questionnaire's (an old FSDP file has no
/// fsdp_version and means version 1).
Settings as_launched(const Settings& settings) {
    Settings full = settings;
    if (settings.text("distributed_type") == "FSDP")
        for (const Key& key : schema())
            if (key.section == Section::fsdp && !settings.has(key.path()) && !key.standard().is_null() &&
                (key.applies == nullptr || key.applies(full)))
                full.set(key.path(), key.standard());
    if (settings.text("distributed_type") == "FSDP" && !full.has("fsdp_config.fsdp_auto_wrap_policy"))
        full.set("fsdp_config.fsdp_auto_wrap_policy", "NO_WRAP");
    if (settings.integer("num_machines", 1) > 1 && !settings.has("same_network"))
        full.set("same_network", false);
    return full;
}

/// Paths whose value differs between the two.
std::vector<std::string> different_paths(const Settings& one, const Settings& other) {
    std::vector<std::string> paths;
    for (const auto& [path, value] : one.leaves())
        if (!same(&value, other.find(path)))
            paths.push_back(path);
    for (const auto& [path, value] : other.leaves())
        if (!one.has(path))
            paths.push_back(path);
    return paths;
}

}  // namespace

Draft::Draft(Machine machine) : questionnaire_(std::move(machine)) {
    settings_ = written(state_);
}

Settings Draft::written(const State& state) const {
    Settings settings = questionnaire_.settings(state.answers);
    for (const Override& one : state.overrides)
        if (one.removed)
            settings.remove(one.path);
    for (const Override& one : state.overrides)
        if (!one.removed)
            settings.set(one.path, one.value);
    return settings;
}

Draft::State Draft::state_of(const Settings& settings) const {
    State state;
    state.answers = questionnaire_.answers(as_launched(settings));
    Settings base = questionnaire_.settings(state.answers);
    for (const auto& [path, value] : base.leaves())
        if (!settings.has(path))
            state.overrides.push_back({path, Value(), true});
    for (const auto& [path, value] : settings.leaves())
        if (!same(&value, base.find(path)))
            state.overrides.push_back({path, value, false});
    for (const Entry& entry : settings.root())  // empty tables have no leaves
        if (entry.value.map() != nullptr && entry.value.map()->empty())
            state.overrides.push_back({entry.key, entry.value, false});
    return state;
}

void Draft::settle(State& next, const std::vector<std::string>& named) const {
    Settings before = questionnaire_.settings(state_.answers);
    Settings after = questionnaire_.settings(next.answers);
    std::vector<std::string> changed = different_paths(before, after);
    std::set<std::string, std::less<>> contradicted(changed.begin(), changed.end());
    auto is_named = [&named](const std::string& path) { return std::ranges::find(named, path) != named.end(); };
    bool cloud = is_sagemaker(after);
    bool moved = cloud != is_sagemaker(before);
    auto sleeps = [&](const Override& one) {
        auto [table, key] = split_path(one.path);
        if (!table.empty())
            return before.has(table) && !after.has(table);
        return moved && find_key(one.path, cloud) == nullptr && find_key(one.path, !cloud) != nullptr;
    };
    auto wakes = [&](const Override& one) {
        auto [table, key] = split_path(one.path);
        return table.empty() ? find_key(one.path, cloud) != nullptr : after.has(table);
    };
    std::vector<Override> kept, asleep;
    for (const Override& one : next.dormant)
        (wakes(one) ? kept : asleep).push_back(one);
    for (const Override& one : next.overrides) {
        bool stays = is_named(one.path);
        if (!stays && sleeps(one))
            asleep.push_back(one);
        else if (stays || contradicted.find(one.path) == contradicted.end())
            kept.push_back(one);
    }
    next.overrides = std::move(kept);
    next.dormant = std::move(asleep);
}

void Draft::set_state(State state) {
    if (state == state_)
        return;
    state_ = std::move(state);
    settings_ = written(state_);
}

void Draft::answer(const std::string& id, const std::string& value) {
    State next = state_;
    next.answers[id] = value;
    settle(next, {});
    const Question* question = questionnaire_.find(id);
    if (question != nullptr && questionnaire_.shown(*question, next.answers))
        std::erase_if(next.overrides, [question](const Override& one) { return one.path == question->path; });
    set_state(std::move(next));
}

void Draft::set(const std::string& path, const Value& value) {
    set_all({{path, value}});
}

void Draft::set_all(const std::vector<std::pair<std::string, Value>>& keys) {
    Settings wanted = settings_;
    std::vector<std::string> named;
    for (const auto& [path, value] : keys) {
        named.push_back(path);
        if (value.is_null())
            wanted.remove(path);
        else
            wanted.set(path, value);
    }
    State next = state_;
    Answers said = questionnaire_.answers(wanted);
    const Question* machine_type = questionnaire_.find("machine_type");
    std::string now = questionnaire_.answer(*machine_type, next.answers);
    bool sharded = wanted.text("distributed_type") == "DEEPSPEED" || wanted.text("distributed_type") == "FSDP";
    // The file does not say on what a sharded model runs; what was chosen before still holds.
    if (sharded && now.starts_with("MULTI_") && now != "MULTI_CPU")
        said.erase("machine_type");
    for (const Question& question : questionnaire_.questions())
        if (auto found = said.find(question.id); found != said.end())
            if (questionnaire_.answer(question, next.answers) != found->second)
                next.answers[question.id] = found->second;
    std::erase_if(next.overrides,
                  [&named](const Override& one) { return std::ranges::find(named, one.path) != named.end(); });
    settle(next, named);
    Settings base = questionnaire_.settings(next.answers);
    for (const std::string& path : named) {
        const Value* value = wanted.find(path);
        if (!same(value, base.find(path)))
            next.overrides.push_back({path, value == nullptr ? Value() : *value, value == nullptr});
    }
    set_state(std::move(next));
}

void Draft::apply(const Preset& preset) {
    set_all(preset.keys);
}

void Draft::open(Loaded loaded) {
    state_ = state_of(loaded.settings);
    settings_ = written(state_);
    original_ = std::move(loaded);
}

void Draft::set_machine(Machine machine) {
    questionnaire_ = Questionnaire(std::move(machine));
    settings_ = written(state_);
}

void Draft::reset() {
    state_ = {};
    original_.reset();
    settings_ = written(state_);
}

std::vector<Finding> Draft::findings() const {
    std::vector<Finding> all = check(settings_);
    // Settings are often made for another machine than this one: what it lacks is a warning here, and an error when
    // launching.
    for (Finding& one : check(settings_, &questionnaire_.machine())) {
        bool told = std::ranges::any_of(
            all, [&one](const Finding& other) { return other.path == one.path && other.message == one.message; });
        if (told)
            continue;
        one.severity = Finding::Severity::warning;
        all.push_back(std::move(one));
    }
    for (auto& [question, message] : questionnaire_.problems(state_.answers)) {
        const std::string& path = question->path.empty() ? question->id : question->path;
        bool told = std::ranges::any_of(
            all, [&path](const Finding& one) { return one.severity == Finding::Severity::error && one.path == path; });
        bool laid_over =
            std::ranges::any_of(state_.overrides, [&path](const Override& one) { return one.path == path; });
        if (!told && !laid_over)
            all.push_back({Finding::Severity::error, path, message, std::nullopt, 0, 0});
    }
    if (original_)
        for (Finding& one : all)
            if (const Value* value = original_->settings.find(one.path);
                one.line == 0 && value != nullptr && same(value, settings_.find(one.path))) {
                one.line = value->line;
                one.column = value->column;
            }
    return all;
}

std::string Draft::text(Format format) const {
    if (original_ && original_->format == format)
        return rewrite(*original_, settings_);
    return to_text(settings_, format);
}

std::vector<DraftLine> Draft::lines() const {
    Format format = original_ ? original_->format : Format::yaml;
    std::string now = text(format);
    return compare_texts(original_ ? original_->text : now, now);
}

bool Draft::modified() const {
    if (!original_)
        return !(state_ == State());
    return text(original_->format) != original_->text;
}

void Draft::save(const std::filesystem::path& file) {
    Format format = format_of(file);
    std::string now = text(format);
    save_text(file, now);
    original_ = read_settings(std::move(now), file.string(), format);
}

}  // namespace trainyard::settings
