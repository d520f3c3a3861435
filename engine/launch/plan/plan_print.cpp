// SPDX-License-Identifier: GPL-3.0-or-later
// A plan for people and for programs.

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "config/accelerate/schema.h"
#include "config/values/value_formats.h"
#include "launch/plan/plan.h"

namespace trainyard::plan {

using Json = nlohmann::json;

namespace {

constexpr std::string_view kSecret = "AWS_SECRET_ACCESS_KEY";
constexpr std::string_view kHidden = "(not shown)";

EnvironmentMap shown(EnvironmentMap environment) {
    if (auto secret = environment.find(kSecret); secret != environment.end())
        secret->second = kHidden;
    return environment;
}

void append_environment(std::string& out, const EnvironmentMap& environment, const char* indent) {
    for (const auto& [name, value] : shown(environment))
        out += fmt::format("{}{}={}\n", indent, name, text::shell_word(value));
}

bool is_shown(const std::string& path) {
    return path != "aws_access_key_id" && path != "aws_secret_access_key";
}

Json to_json(const Rendezvous& rendezvous) {
    return {{"nnodes", rendezvous.nnodes},
            {"nproc_per_node", rendezvous.nproc_per_node},
            {"node_rank", rendezvous.node_rank},
            {"master_addr", rendezvous.master_addr},
            {"master_port", rendezvous.master_port},
            {"rdzv_backend", rendezvous.rdzv_backend},
            {"rdzv_endpoint", rendezvous.rdzv_endpoint},
            {"rdzv_conf", rendezvous.rdzv_conf},
            {"standalone", rendezvous.standalone},
            {"max_restarts", rendezvous.max_restarts},
            {"monitor_interval", rendezvous.monitor_interval},
            {"role", rendezvous.role},
            {"tee", rendezvous.tee},
            {"log_dir", rendezvous.log_dir}};
}

Json texts_of(const std::vector<Message>& messages) {
    Json texts = Json::array();
    for (const Message& message : messages)
        texts.push_back(message.text());
    return texts;
}

std::string headline(const Plan& plan) {
    switch (plan.starter) {
        case Starter::process:
            return "One process is started.";
        case Starter::ranks: {
            std::string text = plan.world_size == 1 ? "The only rank runs on this machine"
                                                    : fmt::format("{} of {} ranks run on this machine",
                                                                  plan.ranks.size(), plan.world_size);
            if (plan.ranks_per_machine.size() > 1)
                text += fmt::format(" ({} on the {} machines)", fmt::join(plan.ranks_per_machine, ", "),
                                    plan.ranks_per_machine.size());
            return text + ".";
        }
        case Starter::deepspeed:
            return "DeepSpeed starts the ranks on its machines.";
        case Starter::tpu:
            return "torch_xla starts the function on every core of the TPU.";
        case Starter::tpu_pod:
            return "torch_xla starts the launch on every worker of the pod.";
        case Starter::sagemaker:
            return "A job is handed to Amazon SageMaker.";
    }
    return "";
}

}  // namespace

std::string plan_text(const Plan& plan, const Resolved& resolved) {
    std::string out = headline(plan) + "\n";
    if (!resolved.file.empty())
        out += fmt::format("Settings from {}.\n", resolved.file);
    for (const Message& warning : plan.warnings)
        out += fmt::format("Note: {}\n", warning);
    out += "\nSettings\n";
    auto leaves = resolved.settings.leaves();
    std::erase_if(leaves, [&](const auto& leaf) {
        // A switch that nobody typed says nothing.
        auto origin = resolved.origins.find(leaf.first);
        bool idle = settings::find_key(leaf.first, resolved.sagemaker) == nullptr &&
                    (origin == resolved.origins.end() || origin->second == Origin::fallback);
        return leaf.second.is_null() || leaf.second.display().empty() || idle || !is_shown(leaf.first);
    });
    std::size_t width = 0, value_width = 0;
    for (const auto& [path, value] : leaves) {
        width = std::max(width, path.size());
        value_width = std::min<std::size_t>(40, std::max(value_width, value.display().size()));
    }
    for (const auto& [path, value] : leaves) {
        auto origin = resolved.origins.find(path);
        out += fmt::format("  {:<{}}  {:<{}}  {}\n", path, width, value.display(), value_width,
                           origin_name(origin == resolved.origins.end() ? Origin::fallback : origin->second));
    }
    if (plan.sagemaker) {
        out += "\nEstimator\n  " + json_text(parse_json(plan.sagemaker->request), {.indent = 2}) + "\n";
        if (!plan.sagemaker->inputs.empty())
            out += "\nInputs\n  " + plan.sagemaker->inputs + "\n";
    }
    if (!plan.command.empty())
        out += fmt::format("\nCommand{}\n  {}\n", plan.starter == Starter::ranks ? " of each rank" : "",
                           text::shell_words(plan.command));
    out += fmt::format("\nEnvironment{}\n", plan.starter == Starter::ranks ? " of all ranks" : "");
    append_environment(out, plan.environment, "  ");
    if (!plan.machine_environment.empty())
        out += "\nAdded by each machine\n";
    for (const auto& [name, words] : plan.machine_environment)
        out += fmt::format("  {}: {}\n", name, words);
    for (const RankPlan& rank : plan.ranks) {
        out += fmt::format("\nRank {}\n", rank.rank);
        append_environment(out, rank.environment, "  ");
    }
    if (!plan.state.empty())
        out += fmt::format("\nState of the first rank (Accelerator().state)\n{}", plan.state);
    if (!plan.deepspeed_env_file.empty())
        out += fmt::format("\nLines for .deepspeed_env\n  {}\n", fmt::join(plan.deepspeed_env_file, "\n  "));
    return out;
}

std::string plan_json(const Plan& plan, const Resolved& resolved) {
    Json settings = Json::object();
    for (const auto& [path, value] : resolved.settings.leaves()) {
        if (!is_shown(path))
            continue;
        auto origin = resolved.origins.find(path);
        settings[path] = {
            {"value", json_of(value)},
            {"origin", origin_name(origin == resolved.origins.end() ? Origin::fallback : origin->second)}};
        if (const auto ignored = plan.ignored.find(path); ignored != plan.ignored.end()) {
            settings[path]["effect"] = "ignored";
            settings[path]["reason"] = ignored->second.text();
        }
    }
    Json ranks = Json::array();
    for (const RankPlan& rank : plan.ranks)
        ranks.push_back(
            {{"rank", rank.rank}, {"local_rank", rank.local_rank}, {"environment", shown(rank.environment)}});
    Json out{{"starter", starter_name(plan.starter)},  {"command", plan.command},
             {"environment", shown(plan.environment)}, {"ranks", ranks},
             {"world_size", plan.world_size},          {"ranks_per_machine", plan.ranks_per_machine},
             {"settings_file", resolved.file},         {"settings", settings},
             {"warnings", texts_of(plan.warnings)}};
    if (!plan.machine_environment.empty())
        out["machine_environment"] = plan.machine_environment;
    if (!plan.state.empty())
        out["state"] = plan.state;
    if (plan.rendezvous)
        out["rendezvous"] = to_json(*plan.rendezvous);
    if (!plan.deepspeed_env_file.empty())
        out["deepspeed_env_file"] = plan.deepspeed_env_file;
    if (plan.sagemaker)
        out["sagemaker"] = {{"request", parse_json(plan.sagemaker->request)},
                            {"inputs", plan.sagemaker->inputs.empty() ? Json() : parse_json(plan.sagemaker->inputs)}};
    return json_text(out) + "\n";
}

}  // namespace trainyard::plan
