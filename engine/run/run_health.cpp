// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_health.h"

#include <algorithm>
#include <cstdint>
#include <fstream>

#include <fmt/format.h>
#include <sys/statvfs.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "run/folder_record.h"
#include "run/listing.h"

namespace trainyard::run {

namespace {

constexpr std::uint64_t kRoomForState = 64 << 10;  // bytes, for a new state.json and a record of the journal

/// SIGSTOP, Ctrl-Z or a debugger holds it.
bool is_held(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t end = line.rfind(')');
    return end != std::string::npos && end + 2 < line.size() && (line[end + 2] == 'T' || line[end + 2] == 't');
}

std::string for_shell(const std::string& word) {
    const bool plain = std::ranges::all_of(word, [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.' ||
               c == '_' || c == '-' || c == '=' || c == '+';
    });
    if (plain && !word.empty())
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// `folder`: the run's on the machine where the command is typed.
std::string start_again(const RunPaths& run, const std::string& folder) {
    std::string command = "trainyard launch " + for_shell(folder + "/run.yaml");
    if (has_checkpoint(run))
        command += " --set " + for_shell("checkpoint.resume_from=" + folder);
    return command;
}

Message supervisor_words(const RunPaths& run, const RunState& state) {
    return Message("the supervisor of {} (pid {} on {})", run.id(), state.supervisor.pid, state.supervisor_host);
}

}  // namespace

bool is_disk_full(const RunPaths& run) {
    struct statvfs disk {};
    // f_blocks is 0 where a file system does not report its size.
    return ::statvfs(run.root().c_str(), &disk) == 0 && disk.f_blocks > 0 &&
           static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize < kRoomForState;
}

RunHealth run_health(const RunPaths& run, const RunState& state, double now) {
    RunHealth health;
    health.status = shown_status(state, now);
    health.message = shown_message(state, now);
    const bool copy = state.mirror.has_value();
    health.age_s = std::max(0.0, now - (copy && !is_over(state.status) ? state.mirror->contact : state.heartbeat));
    const std::string age = text::duration(health.age_s);
    if (health.status == "lost") {
        health.current = false;
        health.message = copy ? Message("{} is gone, as that machine says", supervisor_words(run, state))
                              : Message("{} is gone, its last word is {} old", supervisor_words(run, state), age);
        health.way_out = start_again(run, copy ? state.mirror->path : run.root().string());
        health.why_type =
            has_checkpoint(run) ? Message("resumes it from its last checkpoint") : Message("starts it again");
        if (copy)
            health.why_type = Message("{} when it is typed on {}", health.why_type, state.mirror->host);
    } else if (state.status == Status::failed && has_checkpoint(run) && copy) {
        health.way_out = "trainyard runs fetch " + for_shell(run.id());
        health.why_type = Message(
            "copies its last checkpoint to this machine; a launch with --set checkpoint.resume_from={} continues from "
            "it",
            for_shell(run.root().string()));
    } else if (state.status == Status::failed && has_checkpoint(run) && state.machines.size() <= 1) {
        health.way_out = start_again(run, run.root().string());
        health.why_type = Message("resumes it from its last checkpoint");
    } else if (health.status == "abandoned") {
        health.current = false;
        const std::string folder = run.root().string();
        health.way_out =
            fmt::format("trainyard launch --queue --run_dir {} {}", for_shell(folder), for_shell(folder + "/run.yaml"));
        health.why_type = "queues it again";
    } else if (health.status == "unreachable") {
        health.current = false;
        if (state.mirror->source) {
            health.message = Message("nothing was heard of {} for {}", state.mirror->host, age);
            health.way_out = fmt::format("trainyard hosts check {}", for_shell(state.mirror->host));
            health.why_type = "says what is in the way";
        } else {
            health.message = Message(
                "this folder says that it is a copy of a run on {}, but it was not "
                "made by this account: nothing follows it",
                state.mirror->host);
            health.way_out =
                fmt::format("trainyard runs attach {}", for_shell(state.mirror->host + ":" + state.mirror->path));
            health.why_type = "logs in to that host and continues the copy";
        }
    } else if (health.status == "silent") {
        health.current = false;
        if (!copy && is_disk_full(run)) {
            health.status = "disk full";
            health.message = Message(
                "the disk of {} is full: {} has written nothing for {}, and continues once there is "
                "room; ranks may still train",
                run.root().string(), supervisor_words(run, state), age);
            return health;
        }
        const bool held = is_held(state.supervisor.pid);
        const std::string who = supervisor_words(run, state);
        health.message = held ? Message("{} is stopped and has said nothing for {}", who, age)
                              : Message("{} hangs or has no time and has said nothing for {}", who, age);
        // The state.json of a folder from elsewhere could name any process of this machine.
        if (origin_of(run) == RunOrigin::own && is_alive(state.supervisor)) {
            health.way_out = fmt::format("kill {} {}", held ? "-CONT" : "-KILL", state.supervisor.pid);
            health.why_type = held ? Message("lets it continue")
                                   : Message("ends it and its ranks, after which the run can be started again");
        } else {
            health.message =
                Message("{}, as a folder says that was not made by a launch of this account", health.message);
        }
    }
    return health;
}

RunState state_to_show(RunState state, const RunHealth& health) {
    state.message = health.message;
    if (health.status != "lost")
        return state;
    const std::string here = host_name();
    for (RankState& rank : state.ranks) {
        if (rank.exit_code || rank.signal)
            continue;
        rank.state = "lost";
        rank.phase.clear();
        const bool first = !state.machines.empty() && rank.host == state.machines.front().host;
        const bool local = rank.host == here || (first && state.supervisor_host == here);
        if (state.mirror || !local || !is_alive(rank.process))
            rank.process = {};
    }
    return state;
}

}  // namespace trainyard::run
