// SPDX-License-Identifier: GPL-3.0-or-later
// SLURM's variables: the allocation, its host list and its tasks.

#include <algorithm>

#include <fmt/format.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/host_name.h"
#include "base/number.h"
#include "launch/plan/probe.h"

namespace trainyard::plan {

namespace {

constexpr std::size_t kMostHosts = 65536;

[[noreturn]] void refuse_host_list(const std::string& list, const Message& why) {
    throw UserError("'{}' is not a list of hosts as SLURM writes it: {}", list, why);
}

int parse(std::string_view text, const std::string& list) {
    const auto number = parse_number<int>(text, 0);
    if (!number)
        refuse_host_list(list, "a number is missing in the brackets");
    return *number;
}

/// `01-03,7` -> 01 02 03 7
std::vector<std::string> expand_brackets(std::string_view inside, const std::string& list) {
    std::vector<std::string> all;
    std::size_t start = 0;
    while (start <= inside.size()) {
        std::size_t end = std::min(inside.find(',', start), inside.size());
        std::string_view part = inside.substr(start, end - start);
        std::size_t dash = part.find('-');
        std::string_view first_text = part.substr(0, dash);
        std::string_view last_text = dash == std::string_view::npos ? first_text : part.substr(dash + 1);
        int first = parse(first_text, list), last = parse(last_text, list);
        if (last < first || static_cast<std::size_t>(last - first) >= kMostHosts)
            refuse_host_list(list, "a range runs backwards or is too long");
        for (int number = first; number <= last; ++number)
            all.push_back(fmt::format("{:0{}}", number, first_text.size()));
        if (all.size() > kMostHosts)
            refuse_host_list(list, "too many hosts");
        start = end + 1;
    }
    return all;
}

/// `gpu[1-2]-ib[0,1]`: every combination.
std::vector<std::string> expand_name(std::string_view name, const std::string& list) {
    std::vector<std::string> all{""};
    while (!name.empty()) {
        std::size_t open = std::min(name.find('['), name.size());
        for (std::string& head : all)
            head += name.substr(0, open);
        name.remove_prefix(open);
        if (name.empty())
            break;
        std::size_t close = name.find(']');
        if (close == std::string_view::npos)
            refuse_host_list(list, "a bracket is not closed");
        std::vector<std::string> combined;
        std::vector<std::string> numbers = expand_brackets(name.substr(1, close - 1), list);
        if (numbers.size() * all.size() > kMostHosts)
            refuse_host_list(list, "too many hosts");
        for (const std::string& head : all)
            for (const std::string& number : numbers)
                combined.push_back(head + number);
        all = std::move(combined);
        name.remove_prefix(close + 1);
    }
    return all;
}

const std::string* find_in(const EnvironmentMap& environment, std::string_view name) {
    auto found = environment.find(name);
    return found == environment.end() || found->second.empty() ? nullptr : &found->second;
}

int number_in(const EnvironmentMap& environment, std::string_view name, int otherwise) {
    const std::string* text = find_in(environment, name);
    if (text == nullptr)
        return otherwise;
    const auto value = parse_number<int>(*text, 0);
    if (!value)
        throw UserError("{}={} is not a number", name, *text);
    return *value;
}

/// `2(x3),1` -> 2 2 2 1
std::vector<int> expand_tasks(const std::string& text) {
    std::vector<int> all;
    std::size_t start = 0;
    while (start < text.size()) {
        std::size_t end = std::min(text.find(',', start), text.size());
        std::string_view part(text.data() + start, end - start);
        int times = 1;
        if (std::size_t open = part.find("(x"); open != std::string_view::npos && part.ends_with(")")) {
            times = parse(part.substr(open + 2, part.size() - open - 3), text);
            part = part.substr(0, open);
        }
        if (static_cast<std::size_t>(times) + all.size() > kMostHosts)
            refuse_host_list(text, "too many hosts");
        all.insert(all.end(), static_cast<std::size_t>(times), parse(part, text));
        start = end + 1;
    }
    return all;
}

}  // namespace

std::vector<std::string> expand_host_list(const std::string& list) {
    std::vector<std::string> all;
    std::size_t start = 0;
    while (start < list.size()) {
        std::size_t end = start;
        for (int depth = 0; end < list.size() && (depth > 0 || list[end] != ','); ++end)
            depth += list[end] == '[' ? 1 : list[end] == ']' ? -1 : 0;
        std::string_view name = std::string_view(list).substr(start, end - start);
        if (!is_valid_host_name(name))
            refuse_host_list(list, "a host's name is missing or has characters that no name has");
        for (std::string& host : expand_name(name, list))
            all.push_back(std::move(host));
        if (all.size() > kMostHosts)
            refuse_host_list(list, "too many hosts");
        start = end + 1;
    }
    if (all.empty())
        refuse_host_list(list, "it is empty");
    return all;
}

std::optional<Slurm> find_slurm(const EnvironmentMap& environment) {
    const std::string* job = find_in(environment, kEnvSlurmJob);
    const std::string* nodes = find_in(environment, kEnvSlurmJobHosts);
    if (nodes == nullptr)
        nodes = find_in(environment, "SLURM_NODELIST");
    if (job == nullptr || nodes == nullptr)
        return std::nullopt;
    Slurm slurm;
    slurm.hosts = expand_host_list(*nodes);
    slurm.machines_of_job = static_cast<int>(slurm.hosts.size());
    if (const std::string* tasks = find_in(environment, "SLURM_TASKS_PER_NODE"))
        slurm.tasks_per_machine = expand_tasks(*tasks);
    if (static_cast<int>(slurm.tasks_per_machine.size()) != slurm.machines_of_job)
        slurm.tasks_per_machine.clear();
    const std::string* of_step = find_in(environment, kEnvSlurmStepHosts);
    if (of_step != nullptr && find_in(environment, "SLURM_STEP_ID") != nullptr) {
        const std::vector<std::string> hosts = expand_host_list(*of_step);
        std::vector<int> tasks;
        for (const std::string& host : hosts) {
            const auto found = std::ranges::find(slurm.hosts, host);
            if (found == slurm.hosts.end())
                throw UserError(
                    "SLURM_STEP_NODELIST={} and SLURM_JOB_NODELIST={} contradict: they are of "
                    "different jobs",
                    *of_step, *nodes);
            if (!slurm.tasks_per_machine.empty())
                tasks.push_back(slurm.tasks_per_machine[static_cast<std::size_t>(found - slurm.hosts.begin())]);
        }
        slurm.hosts = hosts;
        slurm.tasks_per_machine = tasks;
        slurm.task_here = number_in(environment, "SLURM_LOCALID", 0);
    }
    slurm.first_host = slurm.hosts.front();
    slurm.machines = static_cast<int>(slurm.hosts.size());
    slurm.machine_rank = number_in(environment, "SLURM_NODEID", 0);
    if (slurm.machine_rank >= slurm.machines)
        throw UserError("SLURM_NODEID={} is not one of the {} machines of {}", slurm.machine_rank, slurm.machines,
                        of_step != nullptr ? kEnvSlurmStepHosts : kEnvSlurmJobHosts);
    slurm.port = port_of_job(static_cast<unsigned>(number_in(environment, kEnvSlurmJob, 0)));
    return slurm;
}

}  // namespace trainyard::plan
