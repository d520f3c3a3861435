// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of a launch on hosts: each host on its own thread, with dependent checks in sequence.

#include <cmath>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "estimate/training_memory.h"
#include "launch/supervisor/prepare.h"
#include "remote/checkpoint_copy.h"
#include "remote/probe.h"
#include "remote/quoting.h"
#include "remote/remote_launch_host.h"

namespace trainyard::remote {

namespace {

using State = CheckResult::State;

constexpr double kClockWarning = 2;    ///< seconds between two clocks: time stamps of logs and events are off
constexpr double kClockFailure = 300;  ///< certificates, leases and time stamps of files cannot be trusted any more

int nvidia_gpus(const HostFacts& facts) {
    return static_cast<int>(std::ranges::count(facts.gpus, "nvidia", &GpuFacts::vendor));
}

}  // namespace

void RemoteLauncher::connect(Host& host) {
    if (host.shell)
        return look_at(host);
    double begun = monotonic_seconds();
    report(host, "reach", State::running, Message("connecting"));
    if (host.local) {
        host.shell = local_shell(host.cancel);
        report(host, "reach", State::passed, "this machine");
        report(host, "host_key", State::skipped, "this machine");
        return look_at(host);
    }
    try {
        ConnectOptions options = options_;
        options.cancel = host.cancel;
        Session session = Session::connect(host.share.host, options);
        double seconds = monotonic_seconds() - begun;
        report(host, "reach", State::passed, Message("{:.2f} s, {}", seconds, session.authenticated_by()), "", seconds,
               "ssh " + shell_quote(host.share.host));
        report(host, "host_key", State::passed, Message::verbatim(session.host_key().fingerprint()));
        host.shell = shell_of(std::move(session));
    } catch (const ConnectionError& error) {
        bool key = error.cause() == Cause::host_key_unknown || error.cause() == Cause::host_key_changed ||
                   error.cause() == Cause::host_key_revoked;
        if (key)
            report(host, "reach", State::skipped, "it answers, but its key is not trusted");
        report(host, key ? "host_key" : "reach", State::failed, error.message(),
               Message::verbatim(error.command_to_try()), monotonic_seconds() - begun, error.command_to_try());
    } catch (const UserError& error) {
        report(host, "reach", State::failed, error.message());
    }
    if (host.shell)
        look_at(host);
}

/// Only if GPUs may be requested: the query starts several programs on the host.
void RemoteLauncher::look_at(Host& host) {
    if (host.facts || !(launch_.find_device || launch_.spec.launch.device == "cuda"))
        return;
    host.facts = host.local ? local_facts() : probe(*host.shell->session(), host.stored);
}

void RemoteLauncher::choose_device() {
    run::LaunchSpec& numbers = launch_.spec.launch;
    bool known = std::ranges::all_of(hosts_, [](const auto& host) { return host->facts.has_value(); });
    if (launch_.find_device && known)
        numbers.device = std::ranges::all_of(hosts_, [](const auto& host) { return nvidia_gpus(*host->facts) > 0; })
                             ? "cuda"
                             : "cpu";
    numbers.num_processes = 0;
    numbers.machines.clear();
    for (const auto& host : hosts_) {
        if (host->share.ranks == 0)
            host->share.ranks = numbers.device == "cuda" && host->facts ? nvidia_gpus(*host->facts) : 1;
        numbers.machines.push_back({host->share.host, host->share.ranks, host->address});
        numbers.num_processes += host->share.ranks;
    }
}

void RemoteLauncher::check_driver(Host& host) {
    if (launch_.spec.launch.device != "cuda")
        return report(host, "driver", State::skipped, "the run is on the processor");
    const HostFacts& facts = *host.facts;
    if (facts.driver.empty())
        return report(host, "driver", State::failed,
                      facts.gpu_problem.empty()
                          ? Message("{} has no NVIDIA driver", host.share.host)
                          : Message("{} has no NVIDIA driver: {}", host.share.host, facts.gpu_problem),
                      "install one of series 580 or newer, or run on the processor", 0, "nvidia-smi");
    if (!facts.cuda.empty() && version_less(facts.cuda, kCudaVersion))
        return report(host, "driver", State::failed,
                      Message("the driver {} of {} knows CUDA up to {}, the engine needs {}", facts.driver,
                              host.share.host, facts.cuda, kCudaVersion),
                      Message("install a driver of series {} or newer", kOldestDriver), 0, "nvidia-smi");
    report(host, "driver", State::passed, Message("{}, CUDA {}", facts.driver, facts.cuda), "", 0, "nvidia-smi");
}

void RemoteLauncher::check_gpus(Host& host) {
    if (launch_.spec.launch.device != "cuda")
        return report(host, "gpus", State::skipped, "the run is on the processor");
    int free = 0;
    std::vector<Message> busy;
    for (const GpuFacts& gpu : host.facts->gpus) {
        if (gpu.vendor != "nvidia")
            continue;
        if (gpu.processes.empty()) {
            ++free;
            continue;
        }
        const GpuProcess& user = gpu.processes.front();
        const std::string memory = text::memory_size(user.memory_bytes);
        busy.push_back(user.age_s ? Message("GPU {} is in use by {} (pid {}, {}, {}, for {})", gpu.index, user.name,
                                            user.pid, user.user, memory, text::duration(*user.age_s))
                                  : Message("GPU {} is in use by {} (pid {}, {}, {})", gpu.index, user.name, user.pid,
                                            user.user, memory));
    }
    const int all = nvidia_gpus(*host.facts);
    if (all < host.share.ranks)
        report(host, "gpus", State::failed,
               all == 1 ? Message("{} has 1 GPU for {} ranks", host.share.host, host.share.ranks)
                        : Message("{} has {} GPUs for {} ranks", host.share.host, all, host.share.ranks),
               "give it fewer ranks", 0, "nvidia-smi");
    else if (free < host.share.ranks)
        report(host, "gpus", launch_.queued ? State::warning : State::failed,
               Message("{} of {} GPUs of {} are free: {}", free, all, host.share.host, Message::joined(busy)),
               launch_.queued ? Message("the queue only waits for runs of Trainyard, not for other programs")
                              : Message("queue the run, end the program, or give the host fewer ranks"),
               0, "nvidia-smi");
    else
        report(host, "gpus", State::passed, Message("{} of {}", free, all), "", 0, "nvidia-smi");
}

/// Checks the memory of the GPUs. On hosts that train on the CPU, the host checks its own memory.
void RemoteLauncher::check_gpu_memory(Host& host) {
    if (launch_.spec.launch.device != "cuda" || launch_.spec.program)
        return;
    const auto needed = static_cast<std::uint64_t>(
        estimate::estimate_memory(launch_.spec.recipe, launch_.spec.launch.num_processes).total());
    std::uint64_t least = 0;
    int ranks = host.share.ranks;
    for (const GpuFacts& gpu : host.facts->gpus)
        if (gpu.vendor == "nvidia" && ranks-- > 0)
            least = least == 0 ? gpu.memory_bytes : std::min(least, gpu.memory_bytes);
    if (least == 0)
        return report(host, "memory", State::skipped, "the memory of its GPUs is not known");
    const bool fits = needed <= least;
    report(host, "memory", fits ? State::passed : State::failed,
           fits ? Message("{} of {}", text::memory_size(needed), text::memory_size(least))
                : Message("a rank needs about {}, a GPU of {} has {}", text::memory_size(needed), host.share.host,
                          text::memory_size(least)),
           fits ? Message() : Message("use a smaller micro-batch with more accumulation"), 0, "nvidia-smi");
}

void RemoteLauncher::bring_engine(Host& host) {
    double begun = monotonic_seconds();
    report(host, "engine", State::running, "looking for the engine");
    if (host.local || !host.stored.engine.empty()) {
        host.program = host.local ? own_program() : host.stored.engine;
        report(host, "engine", State::running, Message::verbatim(host.program));
        return;  // its answer will show whether it is the right one
    }
    const Bundle* bundle = nullptr;
    {
        std::lock_guard lock(mutex_);
        if (!bundle_)
            bundle_ =
                this_bundle(std::filesystem::path(own_program()).parent_path(), launch_.spec.launch.device == "cuda");
        bundle = &*bundle_;
        host.copying = !cancelled_;
    }
    stop_if_cancelled();
    Session& session = *host.shell->session();
    InstalledBundle installed;
    try {
        installed = install(session, *bundle, [&](const CopyProgress& progress) {
            std::lock_guard lock(mutex_);
            if (on_copy)
                on_copy(host.share.host, progress);
            return !cancelled_;
        });
    } catch (const ConnectionError& error) {
        if (error.cause() == Cause::cancelled)
            take_back_copy(host);
        throw;
    }
    {
        std::lock_guard lock(mutex_);
        host.copying = false;
        if (installed.copied > 0)
            left_behind_.push_back(
                Message("The engine that was copied to {} stays there for the next start "
                        "({}).",
                        host.share.host, installed.folder));
    }
    host.program = installed.program;
    double seconds = monotonic_seconds() - begun;
    report(host, "engine", State::running,
           installed.copied == 0 ? Message("it is there") : Message("{} copied", text::file_size(installed.copied)), "",
           seconds);
}

/// Removes the partial copy of the engine after the launch was cancelled.
void RemoteLauncher::take_back_copy(Host& host) {
    try {
        discard_copy(*host.shell->session());
    } catch (const UserError& error) {
        std::lock_guard lock(mutex_);
        left_behind_.push_back(Message("Parts of the engine may be left in the cache folder of {} ({}).",
                                       host.share.host, message_of(error)));
    }
}

/// Resolves a local checkpoint to its own folder, so that hosts do not need the run that it belongs to.
void RemoteLauncher::settle_checkpoint() {
    std::string& from = launch_.spec.recipe.checkpoint.resume_from;
    if (launch_.spec.program || from.empty())
        return;
    checkpoint_ = checkpoint_here(from);
    if (!checkpoint_.empty())
        from = checkpoint_.string();
}

void RemoteLauncher::bring_checkpoint(Host& host) {
    if (host.local || checkpoint_.empty())
        return;
    const std::uint64_t copied =
        copy_checkpoint(*host.shell->session(), checkpoint_, [&](const CopyProgress& progress) {
            std::lock_guard lock(mutex_);
            if (on_copy)
                on_copy(host.share.host, progress);
            return !cancelled_;
        });
    std::lock_guard lock(mutex_);
    if (copied > 0)
        left_behind_.push_back(
            Message("The checkpoint that was copied to {} stays there for the next start "
                    "({}).",
                    host.share.host, checkpoint_.string()));
}

void RemoteLauncher::ask(Host& host) {
    if (!host.shell || host.failed())
        return;
    check_driver(host);
    check_gpus(host);
    check_gpu_memory(host);
    bring_engine(host);
    try {
        bring_checkpoint(host);
    } catch (const ConnectionError&) {
        throw;
    } catch (const UserError& error) {
        return report(host, "data", State::failed, error.message());
    }
    double begun = monotonic_seconds(), sent = wall_seconds();
    auto helper = std::make_unique<HostHelper>(*host.shell, host.command({host.program}), host.share.host);
    bool head = &host == hosts_.front().get();
    HostPart part{host.share.ranks, {}};
    if (head)
        part.ports = {launch_.spec.launch.main_process_port, launch_.agent_port};
    CheckAnswer answer;
    try {
        answer = helper->check(check_order(launch_.spec, head ? launch_.run_dir : "", part));
    } catch (const ConnectionError&) {
        throw;
    } catch (const UserError& error) {
        if (host.local || host.stored.engine.empty())
            throw;
        return report(host, "engine", State::failed, bad_engine(host.stored, error.message()),
                      Message::verbatim("trainyard hosts set " + shell_quote(host.share.host) + " engine="));
    }
    double received = wall_seconds(), seconds = monotonic_seconds() - begun;
    host.target = answer.target;
    host.helper = std::move(helper);  // a helper that has answered
    const Message engine = host.local || !host.stored.engine.empty()
                               ? Message("Trainyard {}", launch::build_versions()["trainyard"])
                               : found_text(host, "engine");
    for (const LaunchProblem& problem : answer.problems)
        report(host, problem.check, State::failed, problem.text, "", seconds);
    auto has_problem = [&](const std::string& check) {
        return std::ranges::any_of(answer.problems, [&](const LaunchProblem& one) { return one.check == check; });
    };
    for (CheckResult& one : answer.found) {
        if (one.check == "interpreter")
            one.check = "program";
        if (!has_problem(one.check))
            report(host, one.check, one.state, one.text, one.mend, one.seconds, one.command);
    }
    for (const char* check : {"engine", "disk", "data", "formats", "output", "settings", "program"})
        if (!has_problem(check) && !is_told(host, check))
            report(host, check, State::passed, check == std::string("engine") ? engine : Message(), "", seconds);
    if (launch_.spec.program)
        for (const char* check : {"torch", "script"})
            if (!is_told(host, check))
                report(host, check, State::skipped, "no Python script");
    double offset = answer.time - (sent + received) / 2, error = (received - sent) / 2;
    bool off = std::abs(offset) > kClockWarning + error;
    report(
        host, "clock",
        !off                               ? State::passed
        : std::abs(offset) > kClockFailure ? State::failed
                                           : State::warning,
        off && offset > 0 ? Message("the clock of {} is {:.0f} s ahead of this machine's: times in its logs and "
                                    "events are off by that much",
                                    host.share.host, offset)
        : off
            ? Message(
                  "the clock of {} lags this machine's by {:.0f} s: times in its logs and events are off by that much",
                  host.share.host, -offset)
            : Message("within {:.3f} s", std::max(error, std::abs(offset))),
        off ? Message("synchronize it with a time server (timedatectl set-ntp true)") : Message(), 0, "timedatectl");
}

Message RemoteLauncher::found_text(const Host& host, const std::string& check) const {
    std::lock_guard lock(mutex_);
    auto found = std::ranges::find(host.results, check, &CheckResult::check);
    return found == host.results.end() ? Message() : found->text;
}

bool RemoteLauncher::is_told(const Host& host, const std::string& check) const {
    std::lock_guard lock(mutex_);
    auto found = std::ranges::find(host.results, check, &CheckResult::check);
    return found != host.results.end() && found->state != State::waiting && found->state != State::running;
}

/// Chooses an address of the first host that all other hosts reach; each other host gets the address from which it
/// reaches the first host.
void RemoteLauncher::choose_addresses(const std::vector<ConnectionTest>& matrix) {
    Host& head = *hosts_.front();
    std::map<std::string, int> votes;
    for (const ConnectionTest& reach : matrix) {
        Host& from = **std::ranges::find(hosts_, reach.from, [](const auto& host) { return host->share.host; });
        if (!reach.ok)
            report(from, "network", State::failed,
                   Message("{} does not reach {} ({})", reach.from, reach.to, reach.problem),
                   "open the ports between the hosts, or run without one of them");
        else if (reach.to == head.share.host) {
            // Do not trust the hosts' claims: ranks only connect to addresses that the first host itself reported.
            if (std::ranges::none_of(head.target.addresses,
                                     [&](const auto& own) { return own.address == reach.address; })) {
                report(from, "network", State::failed,
                       Message("{} reached {} at {}, which is not one of its addresses", reach.from, reach.to,
                               reach.address),
                       "look for address translation (NAT) between the hosts");
                continue;
            }
            from.address = reach.local_address;
            ++votes[reach.address];
        }
    }
    if (!votes.empty())
        head.address = std::ranges::max_element(votes, {}, &std::pair<const std::string, int>::second)->first;
    if (votes.size() > 1)
        report(head, "network", State::failed,
               Message("{} is reached at different addresses ({})", head.share.host,
                       [&] {
                           std::string all;
                           for (const auto& [address, count] : votes)
                               all += (all.empty() ? "" : ", ") + address;
                           return all;
                       }()),
               "specify the address that all hosts can reach");
    for (const auto& host : hosts_) {
        if (auto given = launch_.addresses.find(host->share.host); given != launch_.addresses.end())
            host->address = given->second;
        auto found = std::ranges::find(host->results, "network", &CheckResult::check);
        if (found->state != State::failed)
            report(*host, "network", State::passed, Message("at {}", host->address));
    }
}

void RemoteLauncher::look_at_network() {
    std::vector<HostHelper*> helpers;
    std::vector<ConnectionTarget> targets;
    for (const auto& host : hosts_)
        if (host->helper) {
            helpers.push_back(host->helper.get());
            targets.push_back(host->target);
        }
    if (hosts_.size() == 1) {
        report(*hosts_.front(), "network", State::skipped, "one host");
        return;
    }
    if (helpers.size() != hosts_.size()) {
        for (const auto& host : hosts_)
            report(*host, "network", State::skipped, "waits until every host has been reached");
        return;
    }
    choose_addresses(reach_matrix(helpers, targets));
}

}  // namespace trainyard::remote
