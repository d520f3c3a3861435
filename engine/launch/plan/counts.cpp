// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/counts.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/number.h"
#include "base/process.h"
#include "launch/plan/mpi.h"

namespace trainyard::plan {

namespace {

/// A number in the environment; 0 when there is none.
int number_in_variable(const EnvironmentMap& environment, std::string_view name) {
    auto found = environment.find(name);
    if (found == environment.end())
        return 0;
    return parse_number<int>(found->second, 1).value_or(0);
}

std::string text_of(const EnvironmentMap& environment, std::string_view name) {
    auto found = environment.find(name);
    return found == environment.end() ? "" : found->second;
}

/// Ranks of each machine of the allocation: its tasks; or where SLURM starts one task each (a launcher), its devices.
std::vector<int> slurm_ranks(const Slurm& slurm, const EnvironmentMap& environment, int devices_here) {
    std::vector<int> ranks = slurm.tasks_per_machine;
    bool launchers = std::ranges::all_of(ranks, [](int tasks) { return tasks == 1; });
    if (ranks.empty() || launchers) {
        int devices = number_in_variable(environment, "SLURM_GPUS_ON_NODE");
        ranks.assign(static_cast<std::size_t>(slurm.machines), std::max({1, devices, devices_here}));
    }
    return ranks;
}

/// `gpu-a.cluster.net` and `gpu-a` are one machine.
bool same_host(std::string_view one, std::string_view other) {
    return one.substr(0, one.find('.')) == other.substr(0, other.find('.'));
}

/// Throws InvalidInput for numbers with which a plan, which lists every machine and every rank of this one, would not
/// fit in memory.
void check_counts(std::int64_t processes, std::int64_t machines) {
    constexpr std::int64_t kMostMachines = 65'536, kMostOfMachine = 4096;
    if (machines > kMostMachines)
        throw InvalidInput(std::vector<Problem>{
            {"", 0, 0, "num_machines", Message("{} machines are too many: give at most {}", machines, kMostMachines)}});
    if (const std::int64_t most = std::max<std::int64_t>(1, machines) * kMostOfMachine; processes > most)
        throw InvalidInput(std::vector<Problem>{
            {"", 0, 0, "num_processes",
             machines > 1
                 ? Message("{} processes are too many for {} machines: give at most {}", processes, machines, most)
                 : Message("{} processes are too many for one machine: give at most {}", processes, most)}});
}

}  // namespace

std::vector<int> spread(std::int64_t processes, std::int64_t machines) {
    if (machines < 1 || processes < machines)
        return {};
    std::vector<int> ranks(static_cast<std::size_t>(machines), static_cast<int>(processes / machines));
    for (std::int64_t i = 0; i < processes % machines; ++i)
        ++ranks[static_cast<std::size_t>(i)];
    return ranks;
}

std::vector<HostRanks> host_shares(const Flags& flags) {
    std::vector<HostRanks> hosts = flags.hosts;
    auto typed = flags.typed.find("num_processes");
    if (hosts.empty() || typed == flags.typed.end() || typed->second.integer() == nullptr)
        return hosts;
    int named = 0, open = 0;
    for (const HostRanks& one : hosts) {
        named += one.ranks;
        open += one.ranks == 0 ? 1 : 0;
    }
    const int all = static_cast<int>(*typed->second.integer()), left = all - named;
    if (open == 0 && left != 0)
        throw UserError("--num_processes {} contradicts --hosts, which names {} ranks: leave it out", all, named);
    if (open > 0 && (left < open || left % open != 0))
        throw UserError("--num_processes {} cannot be shared evenly by {} hosts: name the ranks of each, as in {}:2",
                        all, open, hosts.front().host);
    for (HostRanks& host : hosts)
        if (host.ranks == 0)
            host.ranks = left / open;
    return hosts;
}

Flags as_one_machine(const Flags& flags) {
    Flags one = flags;
    one.hosts.clear();
    std::int64_t ranks = 0;
    for (const HostRanks& host : host_shares(flags))
        ranks += std::max(1, host.ranks);
    one.typed.insert_or_assign("num_processes", Value(ranks));
    for (const char* several : {"num_machines", "machine_rank", "hosts", "hostfile"})
        if (auto typed = one.typed.find(several); typed != one.typed.end())
            one.typed.erase(typed);
    return one;
}

std::vector<int> ranks_per_machine(const Flags& flags, const Resolved& resolved, const EnvironmentMap& environment) {
    std::int64_t processes = resolved.settings.integer("num_processes", 1);
    std::int64_t machines = resolved.settings.integer("num_machines", 1);
    check_counts(processes, machines);
    auto total = [](const std::vector<int>& ranks) { return std::accumulate(ranks.begin(), ranks.end(), 0); };
    if (!flags.hosts.empty()) {
        std::vector<int> ranks;
        int open = 0;
        for (const HostRanks& host : flags.hosts) {
            ranks.push_back(host.ranks);
            open += host.ranks == 0;
        }
        std::vector<int> rest = spread(processes - total(ranks), open);
        for (std::size_t i = 0, next = 0; i < ranks.size() && !rest.empty(); ++i)
            if (ranks[i] == 0)
                ranks[i] = rest[next++];
        bool whole = std::ranges::all_of(ranks, [](int count) { return count > 0; });
        return whole && total(ranks) == processes ? ranks : std::vector<int>();
    }
    auto is_detected = [&](const char* path) {
        auto origin = resolved.origins.find(path);
        return origin != resolved.origins.end() && origin->second == Origin::detected;
    };
    if (is_detected("num_machines") && is_detected("num_processes"))
        if (std::optional<Slurm> slurm = find_slurm(environment))
            if (static_cast<std::int64_t>(slurm->tasks_per_machine.size()) == machines &&
                total(slurm->tasks_per_machine) == processes)
                return slurm->tasks_per_machine;
    return spread(processes, machines);
}

CountResolver::CountResolver(const Flags& flags, bool has_file, const settings::Machine& machine,
                             const EnvironmentMap& environment, Resolved& resolved, std::vector<Problem>& problems)
    : flags_(flags),
      has_file_(has_file),
      machine_(machine),
      environment_(environment),
      resolved_(resolved),
      problems_(problems) {}

bool CountResolver::said(const char* path) const {
    auto origin = resolved_.origins.find(path);
    return origin != resolved_.origins.end() && origin->second != Origin::fallback;
}

void CountResolver::set(const char* path, Value value, Origin origin) {
    resolved_.settings.set(path, std::move(value));
    resolved_.origins[path] = origin;
}

void CountResolver::complain(const char* key, Message message) {
    problems_.push_back({"", 0, 0, key, std::move(message)});
}

void CountResolver::fill(bool on_cpu) {
    if (!flags_.hosts.empty())
        fill_from_hosts();
    else if (find_mpi_place(environment_))
        fill_from_mpi();
    else
        fill_from_slurm();
    fill_rest(on_cpu);
}

void CountResolver::fill_from_hosts() {
    auto machines = static_cast<std::int64_t>(flags_.hosts.size());
    if (flags_.has("num_machines") && resolved_.settings.integer("num_machines", 1) != machines)
        complain("--num_machines", Message("{} machines, but --hosts names {}: leave --num_machines out",
                                           resolved_.settings.integer("num_machines", 1), machines));
    set("num_machines", machines, Origin::flag);
    int given = 0, open = 0;
    for (const HostRanks& host : flags_.hosts) {
        given += host.ranks;
        open += host.ranks == 0;
    }
    if (open == 0) {
        if (flags_.has("num_processes") && resolved_.settings.integer("num_processes", 0) != given)
            complain("--num_processes", Message("{} processes, but --hosts names {}: leave --num_processes "
                                                "out",
                                                resolved_.settings.integer("num_processes", 0), given));
        set("num_processes", given, Origin::flag);
    } else if (!flags_.has("num_processes")) {
        int each = std::max(1, machine_.device_count);
        set("num_processes", given + open * each, Origin::detected);
        resolved_.warnings.push_back(
            Message("--hosts gives no number of processes for {} of its machines: "
                    "{} each is assumed, as this machine has devices; write "
                    "host:number to say another",
                    open, each));
    }
    if (!said("main_process_ip") && machines > 1)
        set("main_process_ip", flags_.hosts[0].host, Origin::flag);
    if (!flags_.has("machine_rank") && machines > 1) {
        std::string here = host_name();
        for (std::size_t i = 0; i < flags_.hosts.size(); ++i)
            if (same_host(flags_.hosts[i].host, here))
                set("machine_rank", static_cast<std::int64_t>(i), Origin::detected);
    }
}

/// Under mpirun each of us is a launcher: of one rank, or of its share where the number of processes is said.
void CountResolver::fill_from_mpi() {
    // A settings file of one machine, as `config` writes it, names all processes, also those that mpirun starts.
    const auto origin = resolved_.origins.find("num_machines");
    const bool of_file = origin != resolved_.origins.end() && origin->second == Origin::file &&
                         resolved_.settings.integer("num_machines", 1) == 1;
    if (said("num_machines") && !of_file)
        return;
    std::optional<MpiPlace> place = find_mpi_place(environment_);
    const std::string words =
        fmt::format("{}={} and {}={}", place->size_variable, place->size, place->rank_variable, place->rank);
    if (const std::int64_t all = resolved_.settings.integer("num_processes", place->size);
        said("num_processes") && all < place->size) {
        complain("num_processes",
                 Message("num_processes is {}, but {} in the environment say that an MPI launcher started "
                         "this command {} times, and each starts at least one process: give --num_processes "
                         "{} or more; if no MPI launcher did, give --num_machines 1, or unset {}",
                         all, words, place->size, place->size, place->size_variable));
        return;
    }
    note_launcher(
        Message("{} in the environment say that an MPI launcher started this command {} times: "
                "this is machine {} of {}; if none did, give --num_machines 1, or unset {}",
                words, place->size, place->rank, place->size, place->size_variable));
    set("num_machines", place->size, Origin::detected);
    if (!said("num_processes"))
        set("num_processes", place->size, Origin::detected);
    if (!said("machine_rank") || of_file)
        set("machine_rank", place->rank, Origin::detected);
    if (!said("main_process_ip") && place->local_size == place->size)
        set("main_process_ip", "127.0.0.1", Origin::detected);
    if (!said("main_process_ip"))
        complain("main_process_ip",
                 Message("main_process_ip is missing: {} in the environment say that an MPI launcher started "
                         "this command {} times, which meet at the address of the first one: give its "
                         "address; if no MPI launcher did, give --num_machines 1, or unset {}",
                         words, place->size, place->size_variable));
    if (!said("main_process_port"))
        set("main_process_port", place->port, Origin::detected);
    resolved_.settings.set("mpirun_config.mpirun_hostfile", "");  // mpirun has started us already
}

void CountResolver::fill_from_slurm() {
    // Part of the numbers from the user and part from SLURM would fit nobody's intention.
    if (said("num_machines"))
        return;
    std::optional<Slurm> slurm;
    try {
        slurm = find_slurm(environment_);
    } catch (const UserError& error) {
        note_launcher(Message("SLURM's variables are not used: {}", message_of(error)));
    }
    if (!slurm)
        return;
    const std::string job = text_of(environment_, kEnvSlurmJob);
    // Such variables stay in shells and containers after their job, and salloc sets them on the login node.
    if (slurm->machines > 1 && !machine_.host_name.empty() &&
        std::ranges::none_of(slurm->hosts, [&](const std::string& host) {
            return same_host(host, machine_.host_name) || host == text_of(environment_, "SLURMD_NODENAME");
        })) {
        note_launcher(
            Message("SLURM's variables are not used: this machine, {}, is not one of the machines "
                    "of job {} (SLURM_JOB_NODELIST={}); start the command there with srun, or "
                    "unset SLURM_JOB_ID if the job is over",
                    machine_.host_name, job, text_of(environment_, kEnvSlurmJobHosts)));
        return;
    }
    if (slurm->task_here > 0) {
        complain("num_machines",
                 Message("srun starts this command more than once on this machine (SLURM_LOCALID={}), and the "
                         "first one starts all ranks of the machine: give srun --ntasks-per-node=1, or "
                         "--num_machines if each is a launch of its own",
                         slurm->task_here));
        return;
    }
    if (slurm->machines < slurm->machines_of_job)
        note_launcher(
            Message("this step of SLURM job {} has {} of its {} machines (SLURM_STEP_NODELIST={}): "
                    "the others take no part; start the command with srun --nodes={} to use all",
                    job, slurm->machines, slurm->machines_of_job, text_of(environment_, kEnvSlurmStepHosts),
                    slurm->machines_of_job));
    if (slurm->machines < 2)
        return;
    set("num_machines", slurm->machines, Origin::detected);
    if (!said("machine_rank"))
        set("machine_rank", slurm->machine_rank, Origin::detected);
    if (!said("main_process_ip"))
        set("main_process_ip", slurm->first_host, Origin::detected);
    if (!said("main_process_port"))
        set("main_process_port", slurm->port, Origin::detected);
    if (!said("num_processes")) {
        std::vector<int> ranks = slurm_ranks(*slurm, environment_, machine_.device_count);
        set("num_processes", std::accumulate(ranks.begin(), ranks.end(), 0), Origin::detected);
    }
    note_launcher(
        Message("SLURM allocation of {} machines found (SLURM_JOB_ID={}): this is machine {} of them, the "
                "main one is {}; start the same command on each of them with srun, or give --num_machines 1",
                slurm->machines, job, resolved_.settings.integer("machine_rank", 0),
                resolved_.settings.text("main_process_ip")));
}

void CountResolver::note_launcher(Message text) {
    resolved_.launcher_notes.push_back(text);
    resolved_.warnings.push_back(std::move(text));
}

void CountResolver::fill_rest(bool on_cpu) {
    if (!resolved_.origins.contains("num_processes") || resolved_.settings.integer("num_processes", -1) == -1) {
        if (has_file_) {
            complain("num_processes", Message("{} does not say how many processes there are: give "
                                              "--num_processes",
                                              resolved_.file.empty() ? "the settings file" : resolved_.file));
            set("num_processes", 1, Origin::fallback);
        } else {
            std::string ids = resolved_.settings.text("gpu_ids", "all");
            std::int64_t devices = ids == "all" ? machine_.device_count : 1 + std::ranges::count(ids, ',');
            std::int64_t processes = on_cpu ? 1 : std::max<std::int64_t>(1, devices);
            bool detected = !on_cpu && devices > 0;
            set("num_processes", processes, detected ? Origin::detected : Origin::fallback);
            assumed_.push_back(fmt::format("--num_processes {}", processes));
        }
    }
    if (!resolved_.origins.contains("num_machines")) {
        set("num_machines", 1, Origin::fallback);
        assumed_.emplace_back("--num_machines 1");
    }
}

}  // namespace trainyard::plan
