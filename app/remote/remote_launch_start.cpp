// The start of a run on hosts, and how it is taken back.

#include <thread>

#include <fmt/format.h>

#include "base/json.h"
#include "base/text.h"
#include "launch/agent_order.h"
#include "remote/json_field.h"
#include "remote/launch_checks.h"
#include "remote/mirror.h"
#include "remote/remote_launch_host.h"
#include "run/mirror.h"

namespace trainyard::remote {

namespace {

using run::json::Json;

/// Ends a process and takes away folders; its arguments are a number and paths.
constexpr const char* kUndo = R"script(
pid=$1; shift
[ "$pid" -gt 1 ] && kill "$pid" 2>/dev/null
i=0; while [ "$pid" -gt 1 ] && kill -0 "$pid" 2>/dev/null && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
[ "$pid" -gt 1 ] && kill -9 "$pid" 2>/dev/null
for path; do case $path in /*/?*) rm -rf -- "$path";; esac; done
exit 0
)script";

/// An order on its way to a host, overwritten afterwards.
struct WipedText {
    explicit WipedText(std::string order) : text(std::move(order)) {}
    ~WipedText() { launch::wipe(text); }
    WipedText(const WipedText&) = delete;
    WipedText& operator=(const WipedText&) = delete;
    std::string text;
};

}  // namespace

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
    order.queued = launch_.queued;
    {
        std::lock_guard lock(mutex_);
        ordering_ = !cancelled_;
    }
    stop_if_cancelled();
    ExecResult said;
    WipedText text(launch::to_json(order));
    try {
        said = head.shell->exec(head.command({head.program, "supervise"}), text.text, 60);
    } catch (const ConnectionError& error) {
        std::lock_guard lock(mutex_);
        left_behind_.push_back(
            fmt::format("{} was lost while it was told to start ({}): look for the run there with "
                        "`trainyard runs attach {}`.",
                        head.share.host, error.what(), head.share.host));
        throw;
    }
    Json answer = read_json(said.output);
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
                WipedText sent(launch::to_json(agent));
                ExecResult begun = host.shell->exec(host.command({host.program, "agent"}), sent.text, 60);
                Json its = read_json(begun.output);
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
            static const SecretBag kNothingAsked;
            ensure_mirror(started.paths, own_program(), asker_ ? asker_->kept() : kNothingAsked);
            if (asker_)
                asker_->forget();
        }
        for (const auto& host : hosts_)
            host->helper.reset();
        run_dir_ = run_dir;
        run_id_ = run_id;
        return started;
    } catch (...) {
        undo(run_dir, run_id);
        throw;
    }
}

void RemoteLauncher::take_back() {
    if (!run_id_.empty())
        undo(run_dir_, run_id_);
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
        } catch (const UserError& error) {
            std::lock_guard lock(mutex_);
            left_behind_.push_back(
                fmt::format("{} could not be cleaned up ({}): its ranks end by themselves, the folder "
                            "of {} may be left.",
                            host.share.host, error.what(), run_id));
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
