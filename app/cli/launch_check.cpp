// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/launch_check.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/run_program.h"
#include "base/text.h"
#include "cli/launch_hosts.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "launch/plan/hostfile.h"
#include "launch/plan/mpi.h"
#include "remote/all_hosts.h"

namespace trainyard::cli {

namespace {

using remote::CheckResult;
using State = CheckResult::State;

constexpr std::size_t kNarrowest = 10, kWidest = 24;  ///< columns of a host

struct Row {
    std::string check, name;
    std::vector<CheckResult> cells;  ///< a host each
};

/// Checks in the order in which they are made, without those that apply to none of the hosts.
std::vector<Row> table_rows(const std::vector<CheckResult>& results, bool program) {
    std::vector<Row> rows;
    for (const auto& [check, name] : remote::host_checks(program)) {
        Row row{check, name, {}};
        for (const CheckResult& one : results)
            if (one.check == check)
                row.cells.push_back(one);
        if (std::ranges::any_of(row.cells, [](const CheckResult& one) { return one.state != State::skipped; }))
            rows.push_back(std::move(row));
    }
    return rows;
}

const char* word(State state) {
    switch (state) {
        case State::passed:
            return "ok";
        case State::warning:
            return "warning";
        case State::failed:
            return "FAILED";
        default:
            return "-";
    }
}

std::string shortened(const std::string& text, std::size_t width) {
    return text.size() <= width ? text : text.substr(0, width - 1) + "~";
}

void print_table(const std::vector<Row>& rows) {
    if (rows.empty())
        return;
    std::size_t first = 5;
    for (const Row& row : rows)
        first = std::max(first, row.name.size());
    std::string line = fmt::format("{:{}}", "check", first);
    std::vector<std::size_t> widths;
    for (const CheckResult& one : rows.front().cells) {
        widths.push_back(std::clamp(one.host.size(), kNarrowest, kWidest));
        line += fmt::format("  {:{}}", shortened(one.host, widths.back()), widths.back());
    }
    say_format(stdout, "%s\n", line.c_str());
    bool alone = widths.size() == 1;  // then there is room for what was found
    for (const Row& row : rows) {
        line = fmt::format("{:{}}", row.name, first);
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            line += fmt::format("  {:{}}", word(row.cells[i].state), widths[i]);
        if (alone && row.cells.front().state == State::passed && !row.cells.front().text.empty())
            line += "  " + row.cells.front().text.text();
        line.erase(line.find_last_not_of(' ') + 1);
        say_format(stdout, "%s\n", line.c_str());
    }
}

/// Prints each problem, followed by the way to solve it.
void print_findings(const std::vector<Row>& rows, State state, const char* title) {
    bool any = false;
    for (const Row& row : rows)
        for (const CheckResult& one : row.cells) {
            if (one.state != state)
                continue;
            if (!any)
                say_format(stdout, "\n%s\n", title);
            any = true;
            std::istringstream lines(one.text.text());
            for (std::string line; std::getline(lines, line);)
                say_format(stdout, "  %s%s\n", line.starts_with(one.host) ? "" : (one.host + ": ").c_str(),
                           line.c_str());
            if (!one.mend.empty())
                say_format(stdout, "    try: %s\n", one.mend.text().c_str());
        }
}

void print_checks_json(const std::vector<Row>& rows, bool ready) {
    nlohmann::ordered_json json{{"ready", ready}, {"checks", nlohmann::ordered_json::array()}};
    for (const Row& row : rows)
        for (const CheckResult& one : row.cells)
            json["checks"].push_back({{"check", one.check},
                                      {"name", row.name},
                                      {"host", one.host},
                                      {"state", remote::name_of(one.state)},
                                      {"text", one.text},
                                      {"mend", one.mend},
                                      {"seconds", one.seconds},
                                      {"command", one.command}});
    print_json(json);
}

constexpr double kMpiSeconds = 15;  ///< for one process on one host

CheckResult check_mpi_host(const settings::Machine& machine, const std::string& host) {
    const bool open_mpi = *machine.mpi == "openmpi";
    const std::vector<std::string> words{machine.mpi_program, open_mpi ? "--host" : "-hosts", host, "-n", "1", "true"};
    CheckResult result{"mpi", host, State::failed, {}, {}};
    result.command = text::shell_words(words);
    const double start = monotonic_seconds();
    const ProgramResult ran = run_program(words, "", kMpiSeconds);
    result.seconds = monotonic_seconds() - start;
    const std::string said = text::printable(std::string(text::trimmed(ran.error + ran.output)), 300);
    const bool asks = said.find("assword") != std::string::npos || said.find("assphrase") != std::string::npos ||
                      said.find("Permission denied") != std::string::npos;
    if (ran.ok()) {
        result.state = State::passed;
        result.text = Message("{:.2f} s", result.seconds);
    } else if (asks) {
        result.text = Message("asks for a password: {}", said);
        result.mend = Message("ssh-copy-id {}, or another way to log in without a password", host);
    } else if (ran.timed_out) {
        result.text = Message("no answer within {} s", kMpiSeconds);
        result.mend = Message("ssh {} true, to see whether the host is up and mpirun can log in", host);
    } else {
        result.text = Message("mpirun could not start a process: {}", said);
        result.mend = Message::verbatim(result.command);
    }
    return result;
}

}  // namespace

std::optional<int> check_mpi_hosts(const plan::Flags& flags, const launch::LaunchSettings& settings) {
    const std::string file = settings.resolved.settings.text("mpirun_config.mpirun_hostfile");
    if (file.empty())
        return std::nullopt;
    (void)plan::mpirun_words(settings.machine, file, 1, 1);  // refuses where mpirun is missing
    const std::vector<std::string> hosts = plan::read_mpi_hosts(file);
    // ssh and its kind must not ask at the terminal.
    for (const char* name : {"OMPI_MCA_plm_rsh_args", "PRTE_MCA_plm_ssh_args", "HYDRA_LAUNCHER_EXTRA_ARGS",
                             "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS"})
        ::setenv(name, "-o BatchMode=yes -o ConnectTimeout=10", 0);
    Row row{"mpi", "mpirun starts a process", std::vector<CheckResult>(hosts.size())};
    remote::for_all_hosts(hosts.size(),
                          [&](std::size_t i) { row.cells[i] = check_mpi_host(settings.machine, hosts[i]); });
    const bool ready = std::ranges::all_of(row.cells, [](const auto& one) { return one.state == State::passed; });
    if (flags.is_on("json")) {
        print_checks_json({row}, ready);
    } else {
        print_table({row});
        print_findings({row}, State::failed, "Problems:");
        say_format(stdout, "\n%s\n", ready ? "Ready: nothing was started." : "Not ready: nothing was started.");
    }
    return ready ? kExitDone : kExitUsage;
}

int check_launch(const plan::Flags& flags, run::RunSpec spec) {
    bool program = spec.program.has_value();
    HostsLaunch hosts(flags, std::move(spec));
    bool ready = false;
    try {
        ready = hosts.launcher().check();
    } catch (const remote::ConnectionError& error) {
        if (error.cause() != remote::Cause::cancelled)
            throw;
        say_format(stderr, "trainyard: cancelled\n");
        return kExitInterrupted;
    }
    hosts.end_line();
    std::vector<Row> rows = table_rows(hosts.launcher().results(), program);
    if (flags.is_on("json")) {
        print_checks_json(rows, ready);
    } else {
        print_table(rows);
        print_findings(rows, State::warning, "Warnings:");
        print_findings(rows, State::failed, "Problems:");
        say_format(stdout, "\n%s\n", ready ? "Ready: nothing was started." : "Not ready: nothing was started.");
    }
    return ready ? kExitDone : kExitUsage;
}

}  // namespace trainyard::cli
