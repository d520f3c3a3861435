// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/launch_flags.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/device_kinds.h"
#include "base/error.h"
#include "launch/plan/environment.h"
#include "launch/plan/recipe_settings.h"
#include "launch/supervisor/network_interface.h"
#include "launch/supervisor/rank_output.h"

namespace trainyard::launch {

DeviceChoice typed_device(const plan::Flags& flags) {
    return {flags.is_on("cpu"), flags.text("device"), flags.text("device_library")};
}

DeviceChoice with_file(DeviceChoice typed, const plan::Resolved& resolved) {
    if (resolved.file.empty())
        return typed;
    typed.cpu = typed.cpu || (resolved.settings.boolean("use_cpu") && typed.device.empty());
    const DeviceKind* kind = device_kind_of_type(resolved.settings.text("distributed_type"));
    if (kind != nullptr && typed.device.empty() && !typed.cpu && kind->name != "cpu" && kind->name != "cuda" &&
        kind->name != "xla")
        typed.device = kind->name;
    return typed;
}

std::optional<run::OutputSpec> typed_output(const plan::Flags& flags, bool recipe) {
    run::OutputSpec output;
    bool any = false;
    const auto take = [&](std::string_view name, std::string& target) {
        if (!flags.typed.contains(name) || (recipe && !plan::missing_output_flag(flags, name).empty()))
            return;
        target = flags.text(name);
        any = true;
    };
    take("redirects", output.redirects);
    take("tee", output.tee);
    take("local_ranks_filter", output.local_ranks_filter);
    take("log_dir", output.log_dir);
    if (!any)
        return std::nullopt;
    if (!output.log_dir.empty())
        output.log_dir = std::filesystem::absolute(output.log_dir).lexically_normal().string();
    StreamRules rules(output);  // says what is wrong with them
    return output;
}

std::map<std::string, std::string> carried_variables(const plan::EnvironmentMap& environment,
                                                     const settings::Machine& machine, bool on_cpu) {
    plan::EnvironmentMap carried;
    for (const auto& [name, value] : environment)
        if (name.starts_with("NCCL_"))
            carried[name] = value;
    if (!on_cpu)
        plan::add_peer_workaround(carried, machine, environment);
    return {carried.begin(), carried.end()};
}

std::map<std::string, std::string> words_of_machine_variables(std::size_t machines) {
    std::map<std::string, std::string> words;
    if (machines > 1)
        for (const char* name : interface_variable_names())
            words[name] = "the machine's network interface that reaches the others, unless its environment names one";
    return words;
}

bool is_on_several_machines(const plan::Flags& flags, const plan::Resolved& resolved) {
    return flags.hosts.empty() && resolved.settings.integer("num_machines", 1) > 1;
}

RendezvousSettings rendezvous_settings(const plan::Flags& flags, const plan::Resolved& resolved,
                                       const std::vector<int>& ranks) {
    const settings::Settings& settings = resolved.settings;
    RendezvousArguments words;
    words.backend = settings.text("rdzv_backend", "static");
    words.address = settings.text("main_process_ip");
    words.port = static_cast<int>(settings.integer("main_process_port", words.port));
    auto origin = resolved.origins.find("machine_rank");
    bool numbered = origin != resolved.origins.end() && origin->second != plan::Origin::fallback;
    words.machine_rank = numbered ? static_cast<int>(settings.integer("machine_rank", 0)) : -1;
    words.machines = static_cast<int>(settings.integer("num_machines", 1));
    auto here = static_cast<std::size_t>(std::max(0, words.machine_rank));
    words.ranks = here < ranks.size() ? ranks[here] : 1;
    words.conf = settings.text("rdzv_conf");
    words.id = flags.text("rdzv_id");
    return read_rendezvous(words);
}

void add_rendezvous(run::LaunchSpec& launch, const RendezvousSettings& rendezvous, const std::vector<int>& ranks) {
    launch.num_processes = 0;
    for (std::size_t machine = 0; machine < ranks.size(); ++machine) {
        launch.machines.push_back({fmt::format("machine {}", machine), ranks[machine], ""});
        launch.num_processes += ranks[machine];
    }
    launch.main_process_ip = rendezvous.address;
    // By arrival the machines meet there all the time, so the ranks get another one.
    launch.main_process_port = rendezvous.way == JoinOptions::Way::by_number ? rendezvous.port : 0;
    launch.min_machines = rendezvous.min_machines;
    launch.join_timeout_s = rendezvous.join_timeout_s;
}

SlurmJob slurm_job(const plan::Flags& flags, const std::string& name) {
    SlurmJob job;
    job.name = name;
    job.nodes = flags.number("nodes").value_or(1);
    int all = flags.number("num_processes").value_or(0);
    job.tasks_per_node = flags.number("ntasks_per_node").value_or(all > 0 ? (all + job.nodes - 1) / job.nodes : 1);
    if (all > 0 && all != job.nodes * job.tasks_per_node)
        throw UserError("--num_processes {} is not --nodes {} times --ntasks_per_node {}: leave it out", all, job.nodes,
                        job.tasks_per_node);
    job.cpus_per_task = flags.number("cpus_per_task").value_or(0);
    job.partition = flags.text("partition");
    job.account = flags.text("account");
    job.qos = flags.text("qos");
    job.time = flags.text("time");
    job.gres = flags.text("gres");
    job.constraint = flags.text("constraint");
    job.nodelist = flags.text("nodelist");
    job.requeue = !flags.is_on("no_requeue");
    if (auto found = flags.typed.find("sbatch_arg"); found != flags.typed.end() && found->second.list() != nullptr)
        for (const Value& word : *found->second.list())
            job.more.push_back(word.display());
    job.directory = std::filesystem::current_path();
    return job;
}

}  // namespace trainyard::launch
