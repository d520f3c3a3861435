// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/deepspeed_settings.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "launch/plan/deepspeed_file.h"
#include "optim/rule_optimizer.h"

namespace trainyard::accelerator {

namespace {

using DsJson = plan::DeepspeedConfig::Json;
using Part = plan::DeepspeedRun::Part;

Tree tree_of_json(const nlohmann::json& json) {
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number())
        return json.get<double>();
    if (json.is_string())
        return json.get<std::string>();
    Tree tree;
    if (json.is_array()) {
        tree = Tree::list();
        for (const nlohmann::json& item : json)
            tree.append(tree_of_json(item));
    } else if (json.is_object()) {
        tree = Tree::dict();
        for (const auto& [key, item] : json.items())
            tree.set(key, tree_of_json(item));
    }
    return tree;
}

/// The keys of a section of the recipe by their last parts; `name` as it is, other values as JSON.
Tree section_of(const std::vector<config::GivenKey>& keys, std::string_view section) {
    Tree tree = Tree::dict();
    for (const config::GivenKey& key : keys)
        if (key.key.starts_with(section)) {
            const std::string name = key.key.substr(section.size());
            tree.set(name, name == "name" ? Tree(key.value) : tree_of_json(parse_json(key.value)));
        }
    return tree;
}

}  // namespace

DeepspeedSettings::DeepspeedSettings(plan::DeepspeedConfig config, std::string file)
    : config_(plan::DeepspeedPlugin().configure(std::move(config))), file_(std::move(file)) {}

Precision DeepspeedSettings::precision(Precision asked) {
    if (file_.empty())
        return asked;
    config_.set_precision(choice_name(asked));
    for (const Precision format : {Precision::fp16, Precision::bf16})
        if (const DsJson* enabled = config_.find(fmt::format("{}.enabled", choice_name(format)));
            asked == Precision::no && enabled != nullptr && *enabled == DsJson(true))
            return format;
    return asked;
}

plan::DeepspeedConfig DeepspeedSettings::resolved() const {
    DsJson sections = DsJson::object();
    if (const DsJson* optimizer = config_.find("optimizer"))
        sections["optimizer"] = *optimizer;
    // A schedule that is not prepared yet may have an `auto`.
    if (const DsJson* schedule = config_.find("scheduler"); schedule != nullptr && run_.schedule != Part::missing)
        sections["scheduler"] = *schedule;
    return plan::prepared(plan::DeepspeedConfig(std::move(sections)), run_);
}

void DeepspeedSettings::note_own_optimizer(const optim::Optimizer& optimizer) {
    run_.optimizer = Part::own;
    if (optimizer.group_count() > 0)
        run_.lr = optimizer.lr(0);
    (void)resolved();
}

void DeepspeedSettings::note_own_schedule() {
    run_.schedule = Part::own;
    (void)resolved();
}

std::unique_ptr<optim::Optimizer> DeepspeedSettings::make_optimizer(const DummyOptim& dummy) {
    run_.optimizer = Part::of_file;
    run_.lr = dummy.lr;
    run_.weight_decay = dummy.weight_decay;
    const Tree section = section_of(plan::deepspeed_parts(resolved(), file_), "optimizer.");
    Tree options = Tree::dict();
    for (const Tree::Entry& entry : section.entries())
        if (to_string(entry.key) != "arguments")
            options.set(entry.key, entry.value);
    if (const Tree* further = section.find("arguments"))
        for (const Tree::Entry& entry : further->entries())
            options.set(entry.key, entry.value);
    NamedTensors parameters;
    Tree groups = Tree::dict();
    for (std::size_t i = 0; i < dummy.params.size(); ++i)
        parameters.emplace_back(std::to_string(i), dummy.params[i]);
    for (std::size_t g = 0; g < dummy.groups.size(); ++g) {
        const DummyOptim::Group& group = dummy.groups[g];
        for (std::size_t i = 0; i < group.params.size(); ++i)
            parameters.emplace_back(fmt::format("group {}.{}", g, i), group.params[i]);
        Tree own = Tree::dict();
        if (group.lr)
            own.set("lr", *group.lr);
        if (group.weight_decay)
            own.set("weight_decay", *group.weight_decay);
        if (!group.params.empty())
            groups.set(fmt::format("group {}.*", g), std::move(own));
    }
    if (!groups.entries().empty())
        options.set("groups", std::move(groups));
    return optim::make_optimizer(options.at("name").as_text(), parameters, options);
}

std::unique_ptr<optim::Schedule> DeepspeedSettings::make_schedule(const DummyScheduler& dummy,
                                                                  optim::Optimizer& optimizer, std::int64_t ranks) {
    run_.schedule = Part::of_file;
    run_.makes_schedule = dummy.lr_scheduler_callable != nullptr;
    run_.warmup_num_steps = dummy.warmup_num_steps;
    run_.total_num_steps = dummy.total_num_steps;
    run_.ranks = ranks;
    if (run_.makes_schedule)
        return dummy.lr_scheduler_callable(optimizer);
    const Tree section = section_of(plan::deepspeed_parts(resolved(), file_), "schedule.");
    const Tree* arguments = section.find("arguments");
    return optim::make_schedule(section.at("name").as_text(), arguments != nullptr ? *arguments : Tree::dict(),
                                optimizer);
}

}  // namespace trainyard::accelerator
