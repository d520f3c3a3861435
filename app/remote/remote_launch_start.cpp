// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a run on hosts, and undoes the start.

#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "launch/supervisor/agent_order.h"
#include "remote/all_hosts.h"
#include "remote/launch_checks.h"
#include "remote/mirror.h"
#include "remote/remote_launch_host.h"
#include "run/mirror.h"

namespace trainyard::remote {

namespace {

using fields::Json;

/// Ends a process, if any, and removes the folder of a run. The arguments are the process id (0: none), the run's id
/// and its folder (empty: the one of that id below the runs root). Id and folder are those of the launching machine:
/// paths reported by a host are never removed. The folder stays if an agent of an earlier run left it.
constexpr const char* kUndo = R"script(
pid=$1 id=$2 folder=$3
[ "$pid" -gt 1 ] && kill "$pid" 2>/dev/null
i=0; while [ "$pid" -gt 1 ] && kill -0 "$pid" 2>/dev/null && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
[ "$pid" -gt 1 ] && kill -9 "$pid" 2>/dev/null
case $XDG_DATA_HOME in /*) data=$XDG_DATA_HOME;; *) data=$HOME/.local/share;; esac
[ -n "$folder" ] || folder=${TRAINYARD_RUNS:-$data/trainyard/runs}/$id
case $folder in /*) ;; *) folder=$PWD/$folder;; esac
if [ "$pid" -gt 1 ]; then
  rm -f -- "${XDG_STATE_HOME:-$HOME/.local/state}/trainyard/agents/$id-"[0-9]*.log
  if [ -f "$folder/agent.json" ] && ! grep -q "\"pid\": *$pid[^0-9]" "$folder/agent.json"; then exit 0; fi
fi
rm -rf -- "$folder"
exit 0
)script";

/// An order for a host, overwritten after use.
struct WipedText {
    explicit WipedText(std::string order) : text(std::move(order)) {}
    ~WipedText() { launch::wipe(text); }
    WipedText(const WipedText&) = delete;
    WipedText& operator=(const WipedText&) = delete;
    std::string text;
};

/// The reply of the first host to the order to start.
struct HeadAnswer {
    HostPath folder;
    int agent_port = 0;
};

/// Throws UserError unless the reply is about the ordered run.
HeadAnswer head_answer(const launch::SuperviseAnswer& answer, const std::string& host, const RunId& id,
                       const std::string& run_dir) {
    const HeadAnswer head{HostPath::require(answer.run_dir, Message("the answer of {}", host)), answer.agent_port};
    const std::filesystem::path folder = head.folder.text();
    std::filesystem::path asked = std::filesystem::path(run_dir).lexically_normal();
    if (!asked.has_filename())
        asked = asked.parent_path();
    const bool same_folder = run_dir.empty()       ? folder.filename() == id.text()
                             : asked.is_absolute() ? folder == asked
                                                   : folder.string().ends_with("/" + asked.string());
    if (answer.run_id != id.text() || !same_folder)
        throw UserError(
            "{} was asked to start the run {} and answered with another one, in {}: the host does "
            "not run this version of Trainyard, or is not to be trusted",
            host, id.text(), head.folder.text());
    return head;
}

/// The id of a run in a folder chosen by the user: the name of the folder.
RunId id_of_folder(const std::string& run_dir) {
    std::filesystem::path folder = std::filesystem::path(run_dir).lexically_normal();
    if (!folder.has_filename())
        folder = folder.parent_path();
    return RunId::require(folder.filename().string(), "--run_dir");
}

}  // namespace

run::RunSpec RemoteLauncher::planned_spec() const {
    run::RunSpec spec = launch_.spec;
    for (std::size_t i = 0; i < hosts_.size(); ++i)
        spec.launch.machines[i].address = hosts_[i]->address;
    spec.launch.main_process_ip = hosts_.size() > 1 ? hosts_.front()->address : "127.0.0.1";
    return spec;
}

std::string RemoteLauncher::program_on(std::size_t host) const {
    return hosts_.at(host)->program;
}

StartedRun RemoteLauncher::start() {
    for (const auto& host : hosts_)
        if (!host->helper)
            throw InvalidInput(problems());
    Host& head = *hosts_.front();
    launch::SuperviseOrder order;
    launch_.spec = planned_spec();
    const run::LaunchSpec& numbers = launch_.spec.launch;
    if (hosts_.size() > 1) {
        order.listen_address = head.address;
        order.listen_port = launch_.agent_port;
        order.secret = launch::Secret::random();
    }
    order.spec = run::to_yaml(launch_.spec);
    // The id is chosen on this machine: the cleanup after a failure must not depend on a reply.
    const RunId id = launch_.run_dir.empty()
                         ? RunId::require(run::new_run_id(launch_.spec.recipe.name), "the name of the recipe")
                         : id_of_folder(launch_.run_dir);
    if (launch_.run_dir.empty())
        order.run_id = id;
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
            Message("The connection to {} was lost while the run was starting ({}): look for it with `trainyard runs "
                    "attach {}`.",
                    head.share.host, message_of(error), head.share.host));
        throw;
    }
    const Json answer = read_json(said.output);
    if (!answer.contains("run_id")) {
        std::vector<Problem> wrong;
        for (const LaunchProblem& problem :
             answer.is_object() ? parse_check_answer(said.output).problems : std::vector<LaunchProblem>{})
            wrong.push_back({"", 0, 0, "", Message("{}: {}", head.share.host, problem.text)});
        if (wrong.empty())
            wrong.push_back(
                {"", 0, 0, "",
                 Message("{} could not start the run: {}", head.share.host,
                         said.error.empty() ? said.exit.text() : Message::verbatim(HostText::first_line(said.error)))});
        throw InvalidInput(std::move(wrong));
    }
    started_id_ = id;
    std::vector<Problem> wrong;
    try {
        const HeadAnswer begun_head = head_answer(
            fields::from_json<launch::SuperviseAnswer>(answer, Message("the answer of {}", head.share.host)),
            head.share.host, id, launch_.run_dir);
        on_all([&](Host& host) {
            if (&host == &head)
                return;
            launch::AgentOrder agent;
            agent.rendezvous = id;
            agent.secret = order.secret;
            agent.head_address = head.address;
            agent.head_port = begun_head.agent_port;
            agent.host = host.share.host;
            agent.machine_rank = static_cast<int>(
                std::ranges::find(hosts_, &host, [](const auto& one) { return one.get(); }) - hosts_.begin());
            agent.ranks = host.share.ranks;
            agent.join_timeout_s = numbers.join_timeout_s;
            try {
                WipedText sent(launch::to_json(agent));
                ExecResult begun = host.shell->exec(host.command({host.program, "agent"}), sent.text, 60);
                const Json its = read_json(begun.output);
                if (its.contains("pid")) {
                    host.agent_pid =
                        fields::from_json<launch::AgentAnswer>(its, Message("the answer of {}", host.share.host)).pid;
                } else if (its.is_object()) {
                    for (const LaunchProblem& problem : parse_check_answer(begun.output).problems)
                        host.start_problems.push_back(problem.text);
                } else {
                    host.start_problems.push_back(Message("could not start its ranks: {}",
                                                          begun.error.empty()
                                                              ? begun.exit.text()
                                                              : Message::verbatim(HostText::first_line(begun.error))));
                }
            } catch (const UserError& error) {
                host.start_problems.push_back(error.message());
            }
        });
        for (const auto& host : hosts_)
            for (const Message& problem : host->start_problems)
                wrong.push_back({"", 0, 0, "", Message("{}: {}", host->share.host, problem)});
        if (!wrong.empty())
            throw InvalidInput(std::move(wrong));
        stop_if_cancelled();
        StartedRun started{run::RunPaths(begun_head.folder.text()), head.share.host, begun_head.folder};
        if (!head.local) {
            const MirrorPlace place{head.share.host, begun_head.folder, head.program};
            std::error_code error;
            made_mirror_ = !std::filesystem::exists(run::runs_root() / id, error);
            started.paths = prepare_mirror(run::runs_root(), place);
            static const SecretBag kNothingAsked;
            ensure_mirror(started.paths, own_program(), asker_ ? asker_->kept() : kNothingAsked);
            if (asker_)
                asker_->forget();
        }
        for (const auto& host : hosts_)
            host->helper.reset();
        return started;
    } catch (...) {
        undo();
        throw;
    }
}

void RemoteLauncher::take_back() {
    undo();
}

/// Reverts a start: ends the run on the first host, then agents that have not noticed its end, then removes their
/// folders.
void RemoteLauncher::undo() {
    if (!started_id_)
        return;
    const RunId id = *std::exchange(started_id_, std::nullopt);
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
                Message("{} could not be cleaned up ({}): its ranks will exit on their own, but the folder of run {} "
                        "may remain.",
                        host.share.host, message_of(error), id.text()));
        }
    };
    const auto undo_command = [&](Host& host, int pid, const std::string& folder) {
        return host.command({"sh", "-s", "--", std::to_string(pid), id.text(), folder});
    };
    run_on(head, [&](HostShell& shell) {
        shell.exec(head.command(
                       {head.program, "runs", "stop", "--now", launch_.run_dir.empty() ? id.text() : launch_.run_dir}),
                   {}, 30);
        shell.exec(undo_command(head, 0, launch_.run_dir), kUndo, 10);
    });
    for_all_hosts(hosts_.size(), [&](std::size_t i) {
        Host& host = *hosts_[i];
        if (&host != &head && host.agent_pid > 1)
            run_on(host, [&](HostShell& shell) { shell.exec(undo_command(host, host.agent_pid, ""), kUndo, 15); });
    });
    const run::RunPaths mirror(run::runs_root() / id);
    const std::optional<run::MirrorSource> source = run::mirror_source(mirror);
    if (made_mirror_ && source && source->host == head.share.host) {
        std::error_code ignored;
        fs::remove_all(mirror.root(), ignored);  // its process notices the removal and ends
    }
}

}  // namespace trainyard::remote
