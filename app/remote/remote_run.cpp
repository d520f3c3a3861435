#include "remote/remote_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/text.h"
#include "launch/agent_order.h"
#include "remote/host_helper.h"
#include "remote/json_field.h"
#include "remote/mirror.h"
#include "remote/probe.h"
#include "run/mirror.h"

namespace trainyard::remote {

namespace {

using run::json::Json;
using State = CheckResult::State;

constexpr double kClockWarning = 2;  ///< seconds between two clocks that are worth a word: stamps of logs and events

std::string own_program() {
    std::error_code error;
    return (fs::read_symlink("/proc/self/exe", error).parent_path() / "trainyard").string();
}

/// Ends a process and takes away folders; its arguments are a number and paths.
constexpr const char* kUndo = R"script(
pid=$1; shift
[ "$pid" -gt 1 ] && kill "$pid" 2>/dev/null
i=0; while [ "$pid" -gt 1 ] && kill -0 "$pid" 2>/dev/null && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
[ "$pid" -gt 1 ] && kill -9 "$pid" 2>/dev/null
for path; do case $path in /*/?*) rm -rf -- "$path";; esac; done
exit 0
)script";

}  // namespace

const char* name_of(CheckResult::State state) {
    constexpr std::array names{"waiting", "running", "passed", "warning", "failed", "skipped"};
    return names.at(static_cast<std::size_t>(state));
}

const std::vector<std::pair<std::string, std::string>>& host_checks() {
    static const std::vector<std::pair<std::string, std::string>> checks{{"reach", "Reach and log in"},
                                                                         {"host_key", "Host key"},
                                                                         {"clock", "Clock"},
                                                                         {"engine", "Engine"},
                                                                         {"gpus", "GPUs free"},
                                                                         {"disk", "Disk for checkpoints"},
                                                                         {"data", "Data readable"},
                                                                         {"output", "Output folder"},
                                                                         {"settings", "Settings"},
                                                                         {"network", "Network between hosts"}};
    return checks;
}

struct RemoteLauncher::Host {
    HostShare share;
    StoredHost stored;
    bool local = false;
    std::unique_ptr<HostShell> shell;
    std::optional<HostFacts> facts;
    std::string program;  ///< empty: the engine is not there
    std::unique_ptr<HostHelper> helper;
    ReachTarget target;
    std::string address;
    std::vector<CheckResult> results;
    int agent_pid = 0;
    std::string agent_log;
    std::vector<std::string> start_problems;

    bool failed() const {
        return std::ranges::any_of(results, [](const CheckResult& one) { return one.state == State::failed; });
    }
    /// What its commands are given: the host's folder for runs and what the user set for it.
    RemoteCommand command(std::vector<std::string> argv) const {
        RemoteCommand all{std::move(argv), stored.environment, {}};
        if (!stored.runs_folder.empty())
            all.environment["TRAINYARD_RUNS"] = stored.runs_folder;
        return all;
    }
};

RemoteLauncher::RemoteLauncher(RemoteLaunch launch, ConnectOptions options)
    : launch_(std::move(launch)), options_(std::move(options)) {
    if (!options_.cancel)
        options_.cancel = std::make_shared<Cancel>();
    HostStore store = HostStore::load();
    for (const HostShare& share : launch_.hosts) {
        auto host = std::make_unique<Host>();
        host->share = share;
        host->local = share.host == "localhost";
        if (const StoredHost* stored = store.find(share.host))
            host->stored = *stored;
        for (const auto& [check, name] : host_checks())
            host->results.push_back({check, share.host, State::waiting, "", "", 0});
        hosts_.push_back(std::move(host));
    }
}

RemoteLauncher::~RemoteLauncher() = default;

void RemoteLauncher::cancel() {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (!ordering_)
        options_.cancel->set();
}

void RemoteLauncher::stop_if_cancelled() const {
    std::lock_guard lock(mutex_);
    if (cancelled_)
        throw ConnectionError(Cause::cancelled, hosts_.front()->share.host,
                              "the launch was cancelled: nothing was started");
}

void RemoteLauncher::report(Host& host, const std::string& check, State state, const std::string& text,
                            const std::string& mend, double seconds) {
    std::lock_guard lock(mutex_);
    auto found = std::ranges::find(host.results, check, &CheckResult::check);
    if (found == host.results.end())
        return;
    if (found->state == State::failed && state == State::failed)
        found->text += "\n" + text;  // a check may find several things wrong
    else
        *found = {check, host.share.host, state, text, mend, seconds};
    if (on_check)
        on_check(*found);
}

std::vector<CheckResult> RemoteLauncher::results() const {
    std::lock_guard lock(mutex_);
    std::vector<CheckResult> all;
    for (const auto& host : hosts_)
        all.insert(all.end(), host->results.begin(), host->results.end());
    return all;
}

std::vector<Problem> RemoteLauncher::problems() const {
    std::vector<Problem> all;
    for (const CheckResult& one : results()) {
        if (one.state != State::failed)
            continue;
        for (std::size_t start = 0; start <= one.text.size();) {
            std::size_t end = std::min(one.text.find('\n', start), one.text.size());
            std::string sentence = one.text.substr(start, end - start);
            bool named = sentence.find(one.host) != std::string::npos;
            all.push_back({"", 0, 0, "", (named ? "" : one.host + ": ") + sentence});
            start = end + 1;
        }
    }
    return all;
}

/// A thread for each host: sessions wait for the network, not for each other.
void RemoteLauncher::on_all(const std::function<void(Host&)>& work) {
    std::vector<std::thread> threads;
    for (const auto& host : hosts_)
        threads.emplace_back([&work, &host] { work(*host); });
    for (std::thread& thread : threads)
        thread.join();
    stop_if_cancelled();
}

void RemoteLauncher::connect(Host& host) {
    if (host.shell)
        return look_at(host);
    double begun = monotonic_seconds();
    report(host, "reach", State::running, "connecting");
    if (host.local) {
        host.shell = local_shell(options_.cancel);
        report(host, "reach", State::passed, "this machine");
        report(host, "host_key", State::skipped, "this machine");
        return look_at(host);
    }
    try {
        Session session = Session::connect(host.share.host, options_);
        double seconds = monotonic_seconds() - begun;
        report(host, "reach", State::passed, fmt::format("{:.2f} s, {}", seconds, session.authenticated_by()), "",
               seconds);
        report(host, "host_key", State::passed, session.host_key().fingerprint());
        host.shell = shell_of(std::move(session));
    } catch (const ConnectionError& error) {
        bool key = error.cause() == Cause::host_key_unknown || error.cause() == Cause::host_key_changed ||
                   error.cause() == Cause::host_key_revoked;
        if (key)
            report(host, "reach", State::passed, "it answers");
        report(host, key ? "host_key" : "reach", State::failed, error.what(), error.command_to_try(),
               monotonic_seconds() - begun);
    } catch (const UserError& error) {
        report(host, "reach", State::failed, error.what());
    }
    if (host.shell)
        look_at(host);
}

/// Only where GPUs may be wanted: the answer costs several programs on the host.
void RemoteLauncher::look_at(Host& host) {
    if (host.facts || !(launch_.find_device || launch_.spec.launch.device == "cuda"))
        return;
    host.facts = host.local ? local_facts() : probe(*host.shell->session(), host.stored);
}

namespace {
int nvidia_gpus(const HostFacts& facts) {
    return static_cast<int>(std::ranges::count(facts.gpus, "nvidia", &GpuFacts::vendor));
}
}  // namespace

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

void RemoteLauncher::check_gpus(Host& host) {
    if (launch_.spec.launch.device != "cuda") {
        report(host, "gpus", State::skipped, "the run is on the processor");
        return;
    }
    int free = 0;
    std::string busy;
    for (const GpuFacts& gpu : host.facts->gpus) {
        if (gpu.vendor != "nvidia")
            continue;
        if (gpu.processes.empty())
            ++free;
        else
            busy += fmt::format("{}GPU {} is in use by {} (pid {}, {})", busy.empty() ? "" : ", ", gpu.index,
                                gpu.processes.front().name, gpu.processes.front().pid, gpu.processes.front().user);
    }
    int all = nvidia_gpus(*host.facts);
    if (!host.facts->gpu_problem.empty() && all == 0)
        report(host, "gpus", State::failed, host.facts->gpu_problem, "nvidia-smi");
    else if (all < host.share.ranks)
        report(host, "gpus", State::failed,
               fmt::format("has {} GPUs for {} ranks: give it fewer ranks", all, host.share.ranks));
    else if (free < host.share.ranks)
        report(host, "gpus", State::warning, busy, "nvidia-smi");
    else
        report(host, "gpus", State::passed, fmt::format("{} of {}", free, all));
}

void RemoteLauncher::bring_engine(Host& host) {
    double begun = monotonic_seconds();
    report(host, "engine", State::running, "looking for the engine");
    if (host.local || !host.stored.engine.empty()) {
        host.program = host.local ? own_program() : host.stored.engine;
        return;  // whether it is the right one its own answer tells
    }
    const Bundle* bundle = nullptr;
    {
        std::lock_guard lock(mutex_);
        if (!bundle_)
            bundle_ = this_bundle({}, launch_.spec.launch.device == "cuda");
        bundle = &*bundle_;
    }
    InstalledBundle installed = install(*host.shell->session(), *bundle, [&](const CopyProgress& progress) {
        std::lock_guard lock(mutex_);
        if (on_copy)
            on_copy(host.share.host, progress);
        return !options_.cancel->is_set();
    });
    host.program = installed.program;
    double seconds = monotonic_seconds() - begun;
    report(host, "engine", State::running,
           installed.copied == 0 ? "it is there" : fmt::format("{} copied", text::file_size(installed.copied)), "",
           seconds);
}

void RemoteLauncher::ask(Host& host) {
    if (!host.shell || host.failed())
        return;
    check_gpus(host);
    bring_engine(host);
    double begun = monotonic_seconds(), sent = wall_seconds();
    host.helper = std::make_unique<HostHelper>(*host.shell, host.command({host.program}), host.share.host);
    bool head = &host == hosts_.front().get();
    HostHelper::Answer answer = host.helper->check(check_order(launch_.spec, head ? launch_.run_dir : ""));
    double received = wall_seconds();
    host.target = answer.target;
    for (const LaunchProblem& problem : answer.problems)
        report(host, problem.check, State::failed, problem.text);
    for (const char* check : {"engine", "disk", "data", "output", "settings"})
        if (std::ranges::none_of(answer.problems, [&](const LaunchProblem& one) { return one.check == check; }))
            report(host, check, State::passed, "", "", monotonic_seconds() - begun);
    double offset = answer.time - (sent + received) / 2, error = (received - sent) / 2;
    bool off = std::abs(offset) > kClockWarning + error;
    report(host, "clock", off ? State::warning : State::passed,
           off ? fmt::format("is {:.0f} s {} this machine's: times in its logs and events are off by so much",
                             std::abs(offset), offset > 0 ? "ahead of" : "behind")
               : fmt::format("within {:.3f} s", std::max(error, std::abs(offset))),
           off ? "timedatectl" : "");
}

/// The first host's address is one that all others reach; each other host's is the one it reaches the first host from.
void RemoteLauncher::choose_addresses(const std::vector<Reach>& matrix) {
    Host& head = *hosts_.front();
    std::map<std::string, int> votes;
    for (const Reach& reach : matrix) {
        Host& from = **std::ranges::find(hosts_, reach.from, [](const auto& host) { return host->share.host; });
        if (!reach.ok)
            report(
                from, "network", State::failed,
                fmt::format("{} does not reach {} ({}): open the ports between the hosts, or run without one of them",
                            reach.from, reach.to, reach.problem));
        else if (reach.to == head.share.host) {
            from.address = reach.local_address;
            ++votes[reach.address];
        }
    }
    if (!votes.empty())
        head.address = std::ranges::max_element(votes, {}, &std::pair<const std::string, int>::second)->first;
    if (votes.size() > 1)
        report(
            head, "network", State::failed,
            fmt::format("{} is reached at different addresses ({}): name the one that all reach", head.share.host, [&] {
                std::string all;
                for (const auto& [address, count] : votes)
                    all += (all.empty() ? "" : ", ") + address;
                return all;
            }()));
    for (const auto& host : hosts_) {
        if (auto given = launch_.addresses.find(host->share.host); given != launch_.addresses.end())
            host->address = given->second;
        auto found = std::ranges::find(host->results, "network", &CheckResult::check);
        if (found->state != State::failed)
            report(*host, "network", State::passed, host->address);
    }
}

void RemoteLauncher::look_at_network() {
    std::vector<HostHelper*> helpers;
    std::vector<ReachTarget> targets;
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

bool RemoteLauncher::check() {
    for (const auto& host : hosts_) {
        if (host->shell && !host->failed())
            continue;
        host->helper.reset();
        for (CheckResult& one : host->results)
            one = {one.check, one.host, State::waiting, "", "", 0};
    }
    auto with = [this](const char* check, void (RemoteLauncher::*work)(Host&)) {
        on_all([&](Host& host) {
            if (host.helper || (host.failed() && !host.shell))
                return;
            try {
                (this->*work)(host);
            } catch (const UserError& error) {
                report(host, check, State::failed, error.what());
                auto* lost = dynamic_cast<const ConnectionError*>(&error);
                if (lost != nullptr && lost->cause() == Cause::connection_lost)
                    host.shell.reset();
            }
        });
    };
    with("reach", &RemoteLauncher::connect);
    choose_device();
    with("engine", &RemoteLauncher::ask);
    look_at_network();
    for (const auto& host : hosts_)
        for (const CheckResult& one : std::vector<CheckResult>(host->results))
            if (one.state == State::waiting || one.state == State::running)
                report(*host, one.check, State::skipped, "waits for what failed before it");
    stop_if_cancelled();
    return std::ranges::none_of(hosts_, [](const auto& host) { return host->failed(); });
}

StartedRun RemoteLauncher::start() {
    for (const auto& host : hosts_)
        if (!host->helper)
            throw InvalidInput(problems());
    Host& head = *hosts_.front();
    launch::SuperviseOrder order;
    run::LaunchSpec& numbers = launch_.spec.launch;
    for (std::size_t i = 0; i < hosts_.size(); ++i)
        numbers.machines[i].address = hosts_[i]->address;
    if (hosts_.size() > 1) {
        numbers.main_process_ip = head.address;
        order.listen_address = head.address;
        order.listen_port = launch_.agent_port;
        order.secret = launch::Secret::random();
    } else {
        numbers.main_process_ip = "127.0.0.1";
    }
    order.spec = run::to_yaml(launch_.spec);
    order.run_dir = launch_.run_dir;
    stop_if_cancelled();
    {
        std::lock_guard lock(mutex_);
        ordering_ = true;
    }
    ExecResult said = head.shell->exec(head.command({head.program, "supervise"}), launch::to_json(order), 60);
    Json answer = Json::parse(said.output, nullptr, false);
    if (!answer.is_object() || !answer.contains("run_id")) {
        std::vector<Problem> wrong;
        for (const LaunchProblem& problem :
             answer.is_object() ? parse_check_answer(said.output) : std::vector<LaunchProblem>{})
            wrong.push_back({"", 0, 0, "", head.share.host + ": " + problem.text});
        if (wrong.empty())
            wrong.push_back(
                {"", 0, 0, "",
                 fmt::format("{} could not start the run: {}", head.share.host,
                             said.error.empty() ? said.exit.text() : said.error.substr(0, said.error.find('\n')))});
        throw InvalidInput(std::move(wrong));
    }
    std::string run_dir = text_field(answer, "run_dir"), run_id = text_field(answer, "run_id");
    int port = field(answer, "agent_port", 0);

    std::vector<Problem> wrong;
    try {
        on_all([&](Host& host) {
            if (&host == &head)
                return;
            launch::AgentOrder agent;
            agent.rendezvous = run_id;
            agent.secret = order.secret;
            agent.head_address = head.address;
            agent.head_port = port;
            agent.host = host.share.host;
            agent.machine_rank = static_cast<int>(
                std::ranges::find(hosts_, &host, [](const auto& one) { return one.get(); }) - hosts_.begin());
            agent.ranks = host.share.ranks;
            agent.join_timeout_s = numbers.join_timeout_s;
            try {
                ExecResult begun = host.shell->exec(host.command({host.program, "agent"}), launch::to_json(agent), 60);
                Json its = Json::parse(begun.output, nullptr, false);
                if (its.is_object() && its.contains("pid")) {
                    host.agent_pid = field(its, "pid", 0);
                    host.agent_log = text_field(its, "log");
                } else if (its.is_object()) {
                    for (const LaunchProblem& problem : parse_check_answer(begun.output))
                        host.start_problems.push_back(problem.text);
                } else {
                    host.start_problems.push_back(
                        "could not start its ranks: " +
                        (begun.error.empty() ? begun.exit.text() : begun.error.substr(0, begun.error.find('\n'))));
                }
            } catch (const UserError& error) {
                host.start_problems.push_back(error.what());
            }
        });
        for (const auto& host : hosts_)
            for (const std::string& problem : host->start_problems)
                wrong.push_back({"", 0, 0, "", host->share.host + ": " + problem});
        if (!wrong.empty())
            throw InvalidInput(std::move(wrong));
        stop_if_cancelled();
        StartedRun started{run::RunPaths(run_dir), head.share.host, run_dir};
        if (!head.local) {
            started.paths = prepare_mirror(run::runs_root(), {head.share.host, run_dir, head.program});
            ensure_mirror(started.paths, own_program());
        }
        for (const auto& host : hosts_)
            host->helper.reset();
        return started;
    } catch (...) {
        undo(run_dir, run_id);
        throw;
    }
}

/// Ends what start() has begun: the run on the first host, then agents that have not heard of its end, then their folders.
void RemoteLauncher::undo(const std::string& run_dir, const std::string& run_id) {
    Host& head = *hosts_.front();
    for (const auto& host : hosts_)
        host->helper.reset();
    auto run_on = [&](Host& host, const std::function<void(HostShell&)>& work) {
        try {
            if (host.shell)
                work(*host.shell);
        } catch (const UserError&) {
            // A host that is gone ends its ranks by itself when its lease is over.
        }
    };
    run_on(head, [&](HostShell& shell) {
        shell.exec(head.command({head.program, "runs", "stop", "--now", run_dir}), {}, 30);
        shell.exec({{"sh", "-s", "--", "0", run_dir}, {}, {}}, kUndo, 10);
    });
    std::vector<std::thread> threads;
    for (const auto& host : hosts_)
        if (host.get() != &head)
            threads.emplace_back([&, host = host.get()] {
                run_on(*host, [&](HostShell& shell) {
                    std::string runs = host->local ? run::runs_root().string() : host->stored.runs_folder;
                    if (runs.empty()) {
                        ExecResult where =
                            shell.exec({{"sh", "-s"}, {}, {}},
                                       "printf %s \"${TRAINYARD_RUNS:-${XDG_DATA_HOME:-$HOME/.local/share}/"
                                       "trainyard/runs}\"",
                                       10);
                        runs = where.output;
                    }
                    shell.exec(
                        {{"sh", "-s", "--", std::to_string(host->agent_pid), runs + '/' + run_id, host->agent_log},
                         {},
                         {}},
                        kUndo, 15);
                });
            });
    for (std::thread& thread : threads)
        thread.join();
    std::error_code ignored;
    run::RunPaths mirror(run::runs_root() / run_id);
    if (!head.local && run::read_mirror(mirror))
        fs::remove_all(mirror.root(), ignored);  // its process sees that and ends
}

}  // namespace trainyard::remote
