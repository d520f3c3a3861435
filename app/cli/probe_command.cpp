// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard probe: what hosts have; and, on a host, the parts of it that another machine asks for.

#include <algorithm>
#include <cstdio>
#include <future>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "remote/host_helper.h"
#include "remote/probe.h"

namespace trainyard::cli {

namespace {

struct ProbeFlags {
    std::vector<std::string> hosts;
    bool json = false;
    bool launch = false;
};

/// "native fp32 bf16; emulated fp16": what ranks there compute with.
std::string formats_line(const remote::HostFacts& facts) {
    DeviceFacts device = remote::device_facts(facts, "cuda");
    if (device.name.empty())
        device = remote::device_facts(facts, "cpu");
    std::string line;
    for (const Ability ability : {Ability::native, Ability::emulated, Ability::missing, Ability::unknown}) {
        std::string formats;
        for (std::size_t i = 0; i < kChoiceNames<DeviceFormat>.size(); ++i)
            if (availability(static_cast<DeviceFormat>(i), device).ability == ability)
                formats += std::string(" ") + kChoiceNames<DeviceFormat>[i];
        if (!formats.empty())
            line += (line.empty() ? "" : "; ") + std::string(choice_name(ability)) + formats;
    }
    return line;
}

void print_probe(const remote::ProbeResult& result) {
    auto line = [](const char* name, const std::string& value) {
        if (!value.empty())
            say_format(stdout, "  %-10s %s\n", name, value.c_str());
    };
    say_format(stdout, "%s\n", result.host.c_str());
    if (!result.facts) {
        line("problem", result.problem);
        line("try", result.command_to_try);
        return;
    }
    const remote::HostFacts& facts = *result.facts;
    line("system", facts.system + ", " + facts.kernel + ", " + facts.machine + ", " + facts.c_library);
    line("cpu", fmt::format("{}, {} cores", facts.cpu, facts.cores) +
                    (facts.load_1m ? fmt::format(", load {:.1f}", *facts.load_1m) : ""));
    line("formats", formats_line(facts));
    line("memory",
         text::memory_size(facts.memory_bytes) + ", " + text::memory_size(facts.memory_available_bytes) + " available");
    line("gpus", remote::gpu_line(facts));
    line("driver", facts.driver.empty() ? "" : facts.driver + ", CUDA " + facts.cuda);
    line("gpus", facts.gpu_problem);
    for (const remote::GpuFacts& gpu : facts.gpus)
        for (const remote::GpuProcess& process : gpu.processes)
            line("",
                 fmt::format("GPU {} is used by {} (pid {}, {})", gpu.index, process.name, process.pid, process.user));
    line("runs", fmt::format("{} ({} free)", facts.runs_folder, text::file_size(facts.disk_free_bytes)));
    line("python", facts.python + (facts.python_torch.empty() ? "" : ", torch " + facts.python_torch));
    line("engine", facts.engine);
    std::string addresses;
    for (const remote::InterfaceFacts& one : facts.interfaces)
        if (!one.is_loopback())
            addresses += fmt::format("{}{} {}", addresses.empty() ? "" : ", ", one.name, one.address);
    line("network", addresses);
    if (facts.clock_offset_s)
        line("clock", fmt::format("{:+.3f} s (to within {:.3f} s)", *facts.clock_offset_s, facts.clock_error_s));
}

/// Rows reach columns: over which of their interfaces, and how fast an answer came.
void print_reaches(const std::vector<std::string>& hosts, const std::vector<launch::ConnectionTest>& reaches) {
    if (reaches.empty())
        return;
    std::size_t first = 11, width = 16;
    for (const std::string& host : hosts)
        first = std::max(first, host.size());
    std::string line = fmt::format("\n{:{}}", "from \\ to", first);
    for (const std::string& host : hosts)
        line += fmt::format("  {:{}}", host.substr(0, width), width);
    say_format(stdout, "%s\n", line.c_str());
    std::size_t next = 0;
    for (const std::string& from : hosts) {
        line = fmt::format("{:{}}", from, first);
        for (const std::string& to : hosts) {
            std::string cell = "-";
            if (to != from && next < reaches.size()) {
                const launch::ConnectionTest& one = reaches[next++];
                cell = one.ok ? fmt::format("{} {:.1f} ms", one.interface, one.round_trip_s * 1e3) : "NO";
            }
            line += fmt::format("  {:{}}", cell, width);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        say_format(stdout, "%s\n", line.c_str());
    }
    for (const launch::ConnectionTest& one : reaches)
        if (!one.ok)
            say_format(stdout, "%s does not reach %s: %s\n", one.from.c_str(), one.to.c_str(),
                       one.problem.text().c_str());
}

int probe(const ProbeFlags& flags) {
    if (flags.launch)
        return remote::serve_helper();
    if (flags.hosts.empty()) {
        remote::ProbeResult here;
        here.host = "this machine";
        here.facts = remote::local_facts();
        if (flags.json)
            say_format(stdout, "%s\n", remote::to_json(*here.facts).c_str());
        else
            print_probe(here);
        return kExitDone;
    }
    // Each takes seconds and needs connections of its own: side by side.
    auto matrix = std::async(std::launch::async, [&] {
        return flags.hosts.size() > 1 ? remote::test_connections(flags.hosts) : std::vector<launch::ConnectionTest>{};
    });
    std::vector<remote::ProbeResult> results = remote::probe_hosts(flags.hosts);
    std::vector<launch::ConnectionTest> reaches = matrix.get();
    bool all = std::ranges::all_of(results, [](const remote::ProbeResult& one) { return one.facts.has_value(); });
    if (flags.json) {
        nlohmann::json hosts = nlohmann::json::array();
        for (const remote::ProbeResult& result : results)
            hosts.push_back(parse_json(remote::to_json(result)));
        nlohmann::json out{{"hosts", hosts}, {"reach", parse_json(launch::to_json(reaches))}};
        say_format(stdout, "%s\n", json_text(out, {.indent = 2}).c_str());
    } else {
        for (const remote::ProbeResult& result : results)
            print_probe(result);
        print_reaches(flags.hosts, reaches);
    }
    return all ? kExitDone : kExitFailed;
}

}  // namespace

void add_probe(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<ProbeFlags>();
    CLI::App* command = app.add_subcommand("probe", "What this machine, or hosts reached by SSH, have");
    command->add_option("host", flags->hosts, "Aliases of ~/.ssh/config, names or addresses [this machine]");
    command->add_flag("--json", flags->json, "For programs");
    command->add_flag("--launch", flags->launch, "Answer the questions of a launch on standard input")->group("");
    command->callback([flags, &chosen] { chosen = [flags] { return probe(*flags); }; });
}

}  // namespace trainyard::cli
