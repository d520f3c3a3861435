// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter groups of a recipe's optimizer.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fnmatch.h>

#include "base/error.h"
#include "base/text.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/values/value_formats.h"

namespace trainyard::config {

namespace {

constexpr const char* kArguments = "optimizer.arguments";
constexpr const char* kGroups = "optimizer.groups";

/// Keys of the section that are arguments too, and the values that they have when nothing was said.
struct SharedKey {
    const char* name;
    OptimizerValue (*value)(const OptimizerRecipe&);
    void (*set)(OptimizerRecipe&, const OptimizerValue&);
};

const SharedKey kSharedKeys[] = {
    {"betas",
     [](const OptimizerRecipe& r) -> OptimizerValue {
         return std::vector<double>{r.beta1, r.beta2};
     },
     [](OptimizerRecipe& r, const OptimizerValue& v) {
         r.beta1 = std::get<std::vector<double>>(v)[0];
         r.beta2 = std::get<std::vector<double>>(v)[1];
     }},
    {"eps", [](const OptimizerRecipe& r) -> OptimizerValue { return r.eps; },
     [](OptimizerRecipe& r, const OptimizerValue& v) { r.eps = std::get<double>(v); }},
    {"weight_decay", [](const OptimizerRecipe& r) -> OptimizerValue { return r.weight_decay; },
     [](OptimizerRecipe& r, const OptimizerValue& v) { r.weight_decay = std::get<double>(v); }},
};

/// The value that a key of the section has when it was left out: the optimizer's own, or AdamW's where it has none.
OptimizerValue left_out(const OptimizerKind& kind, const SharedKey& key) {
    const OptimizerArgument* argument = kind.find(key.name);
    const OptimizerValue usual = key.value(OptimizerRecipe());
    if (argument == nullptr || argument->value.index() != usual.index())
        return usual;
    OptimizerValue value = argument->value;
    if (auto* numbers = std::get_if<std::vector<double>>(&value))
        numbers->resize(std::get<std::vector<double>>(usual).size());  // AdEMAMix has a third beta
    return value;
}

/// The numbers of a key, and those that only the argument has.
OptimizerValue completed(OptimizerValue value, const OptimizerValue& usual) {
    if (auto* numbers = std::get_if<std::vector<double>>(&value)) {
        const auto& all = std::get<std::vector<double>>(usual);
        numbers->insert(numbers->end(), all.begin() + std::ssize(*numbers), all.end());
    }
    return value;
}

bool takes(const OptimizerKind& kind, const SharedKey& key) {
    const OptimizerArgument* argument = kind.find(key.name);
    return argument != nullptr && argument->value.index() == key.value(OptimizerRecipe()).index();
}

Value table_of(const std::string& yaml, const char* key, std::vector<Problem>& problems) {
    std::vector<Problem> wrong;
    Value table = parse_yaml(yaml, "", wrong);
    for (const Problem& problem : wrong)
        problems.push_back({"", 0, 0, key, problem.message});
    return table;
}

/// With the group's pattern in front; empty: not of a group.
Message in_group(const std::string& pattern, Message message) {
    return pattern.empty() ? std::move(message) : Message("'{}': {}", pattern, message);
}

/// Arguments that a section or group writes; `taken` are those with keys of their own.
void set_arguments(OptimizerSettings& settings, const Value& table, const std::string& pattern, const char* key,
                   const std::vector<std::string>& taken, std::vector<Problem>& problems) {
    const auto complain = [&](Message message) {
        problems.push_back({"", 0, 0, key, in_group(pattern, std::move(message))});
    };
    for (const Entry& entry : table.entries()) {
        if (std::ranges::find(taken, entry.key) != taken.end()) {
            complain(Message("{} has a key of its own: write optimizer.{}", entry.key, entry.key));
            continue;
        }
        if (Message problem = settings.set_written(entry.key, entry.value); !problem.empty())
            complain(std::move(problem));
    }
    if (Message problem = settings.contradiction(); !problem.empty())
        complain(std::move(problem));
}

OptimizerSettings settings_of_section(const OptimizerKind& kind, const OptimizerRecipe& recipe,
                                      std::vector<Problem>& problems) {
    OptimizerSettings settings(kind);
    std::vector<std::string> taken{"lr"};
    (void)settings.set("lr", recipe.lr);
    for (const SharedKey& key : kSharedKeys) {
        const OptimizerValue value = key.value(recipe);
        const std::string dotted = fmt::format("optimizer.{}", key.name);
        if (takes(kind, key)) {
            taken.emplace_back(key.name);
            if (Message problem = settings.set(key.name, completed(value, kind.find(key.name)->value));
                !problem.empty())
                problems.push_back({"", 0, 0, dotted, std::move(problem)});
        } else if (value != key.value(OptimizerRecipe())) {
            const bool other = kind.find(key.name) != nullptr;
            problems.push_back(
                {"", 0, 0, dotted,
                 other ? Message("{} takes several numbers: write optimizer.arguments: {{{}: [...]}}", kind.name,
                                 key.name)
                       : Message("{} has no {}: leave it out, or take another optimizer.name", kind.name, key.name)});
        }
    }
    const Value table = table_of(recipe.arguments, kArguments, problems);
    set_arguments(settings, table, "", kArguments, taken, problems);
    return settings;
}

void add_groups(OptimizerPlan& plan, const OptimizerSettings& rest, const OptimizerRecipe& recipe,
                std::vector<Problem>& problems) {
    const Value groups = table_of(recipe.groups, kGroups, problems);
    for (const Entry& entry : groups.entries()) {
        const auto complain = [&](const Message& message) {
            problems.push_back({"", 0, 0, kGroups, Message("'{}': {}", entry.key, message)});
        };
        if (!entry.value.is_map()) {
            complain("expected a table of settings, e.g. {lr: 1e-4, weight_decay: 0}");
            continue;
        }
        OptimizerPlan::Group group{entry.key, rest};
        Value table = entry.value;
        if (const Value* name = table.find("name")) {
            const OptimizerKind* kind = find_optimizer(name->spelling());
            if (kind == nullptr || !kind->not_in_recipes.empty()) {
                complain(kind == nullptr ? Message("unknown optimizer '{}'{}", name->spelling(),
                                                   text::did_you_mean(name->spelling(), optimizer_names()))
                                         : Message("{} {}", kind->name, kind->not_in_recipes));
                continue;
            }
            if (kind != &rest.kind()) {
                group.settings = OptimizerSettings(*kind);
                (void)group.settings.set("lr", recipe.lr);
            }
            std::erase_if(std::get<Value::Map>(table.data), [](const Entry& one) { return one.key == "name"; });
        }
        group.own_decay = table.find("weight_decay") != nullptr;
        set_arguments(group.settings, table, entry.key, kGroups, {}, problems);
        group.lr_ratio = recipe.lr > 0 ? group.settings.number("lr") / recipe.lr : 1;
        if (group.settings.kind().averages != rest.kind().averages)
            complain(Message("{} and {} do not go together: one of them trains an average", group.settings.kind().name,
                             rest.kind().name));
        plan.groups.push_back(std::move(group));
    }
}

}  // namespace

OptimizerPlan make_optimizer_plan(const OptimizerRecipe& recipe, std::vector<Problem>& problems) {
    OptimizerPlan plan;
    plan.decay_all = recipe.decay_all;
    const OptimizerKind* kind = find_optimizer(recipe.name);
    if (kind == nullptr || !kind->not_in_recipes.empty()) {
        problems.push_back({"", 0, 0, "optimizer.name",
                            kind == nullptr ? Message("unknown value '{}'{}", recipe.name,
                                                      text::did_you_mean(recipe.name, optimizer_names()))
                                            : Message("{} {}", kind->name, kind->not_in_recipes)});
        return plan;
    }
    const OptimizerSettings rest = settings_of_section(*kind, recipe, problems);
    add_groups(plan, rest, recipe, problems);
    if (kind->matrices_only) {
        // Vectors and other parameters that are not matrices are trained with AdamW, as by the method's authors.
        OptimizerPlan::Group others{"", OptimizerSettings(*find_optimizer("adamw"))};
        (void)others.settings.set("lr", recipe.lr);
        (void)others.settings.set("weight_decay", recipe.weight_decay);
        (void)others.settings.set(kStochasticRounding, rest.rounds_stochastically());
        others.for_others = true;
        plan.groups.push_back(std::move(others));
    }
    plan.groups.push_back({"", rest});
    return plan;
}

OptimizerPlan make_optimizer_plan(const OptimizerRecipe& recipe) {
    std::vector<Problem> problems;
    OptimizerPlan plan = make_optimizer_plan(recipe, problems);
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return plan;
}

std::size_t OptimizerPlan::group_of(const std::string& name, const std::vector<std::int64_t>& shape) const {
    const auto fits = [&](const Group& group) {
        if (group.settings.kind().matrices_only && shape.size() != 2)
            return false;
        if (group.for_others)
            return shape.size() != 2;
        return group.pattern.empty() || ::fnmatch(group.pattern.c_str(), name.c_str(), 0) == 0;
    };
    return static_cast<std::size_t>(std::ranges::find_if(groups, fits) - groups.begin());
}

OptimizerSettings OptimizerPlan::settings_of(std::size_t group, const std::vector<std::int64_t>& shape) const {
    OptimizerSettings settings = groups.at(group).settings;
    if (settings.has("weight_decay") && !decay_all && !groups[group].own_decay && shape.size() < 2)
        (void)settings.set("weight_decay", 0.0);
    return settings;
}

bool OptimizerPlan::element_wise() const {
    return std::ranges::all_of(groups, [](const Group& group) { return group.settings.kind().element_wise; });
}

bool OptimizerPlan::in_backward() const {
    return std::ranges::any_of(groups, [](const Group& group) { return group.settings.kind().in_backward; });
}

void follow_optimizer(OptimizerRecipe& recipe, const std::string& before, const std::vector<std::string>& written) {
    const OptimizerKind *kind = find_optimizer(recipe.name), *other = find_optimizer(before);
    if (kind == nullptr || other == nullptr)
        return;
    recipe.name = kind->name;
    for (const SharedKey& key : kSharedKeys) {
        const bool is_written = std::ranges::find(written, key.name) != written.end();
        // Keys that had the previous optimizer's default, or that the new optimizer does not take, get its default.
        if (!is_written && (key.value(recipe) == left_out(*other, key) || (kind != other && !takes(*kind, key))))
            key.set(recipe, left_out(*kind, key));
    }
}

}  // namespace trainyard::config
