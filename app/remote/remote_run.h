// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Starts one run on several hosts over SSH: parallel connections, checks, installation of the bundle, the order to the
// first host, agents on the others, and a local mirror. All problems are found before anything starts and are reported
// together. A launch that fails or is cancelled leaves nothing on any host.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/untrusted.h"
#include "launch/supervisor/connection_test.h"
#include "remote/bundle.h"
#include "remote/host_facts.h"
#include "remote/secret_bag.h"
#include "remote/session.h"
#include "run/spec.h"

namespace trainyard::remote {

/// A host and its number of ranks. `localhost` is this machine, without SSH.
struct HostShare {
    std::string host;
    int ranks = 1;  ///< 0: one per GPU of the host, or one on the processor
    bool operator==(const HostShare&) const = default;
};
/// One cell of the pre-flight table.
struct CheckResult {
    enum class State { waiting, running, passed, warning, failed, skipped };
    std::string check;  ///< of host_checks() or local_checks()
    std::string host;
    State state = State::waiting;
    Message text;  ///< a sentence, or a result: "0.04 s", "412 GB free"
    Message mend;  ///< what to do; may be empty
    double seconds = 0;
    std::string command = {};  ///< a command that users can run themselves to see the same; may be empty

    /// The format in which a host reports it: without the host.
    void fields(auto& field) const {
        field("check", check).label();
        field("state", state).between(0, static_cast<int>(State::skipped));
        field("text", text).lines();
        field("mend", mend).lines();
        field("seconds", seconds);
        field("command", command).label();
    }
};
const char* name_of(CheckResult::State state);
/// Identifiers of the checks in their order, with their display names; for a recipe or, if `program`, for a program of
/// the user.
const std::vector<std::pair<std::string, std::string>>& host_checks(bool program = false);

struct RemoteLaunch {
    std::vector<HostShare> hosts;
    run::RunSpec spec;              ///< recipe or program; LaunchSpec::machines is filled in here
    bool find_device = true;        ///< use GPUs if every host has some, else the processor; off: as in `spec`
    std::string run_dir;            ///< on the first host; empty: a new folder under its runs root
    bool queued = false;            ///< the run waits in the first host's queue: resources in use now need not be free
    int agent_port = 0;             ///< 0: any free port
    std::filesystem::path program;  ///< `trainyard` of this machine; empty: the one next to the running program
    std::map<std::string, std::string> addresses;  ///< address to bind to, by host; empty: detected
};

struct StartedRun {
    run::RunPaths paths;  ///< local: the run's folder, or its mirror
    std::string host;     ///< host of the supervisor
    std::string remote_path;
};

/// A launch in steps that a window can show: connect and check, then start. Used by one thread. on_check and on_copy
/// are called from several threads, one call at a time.
class RemoteLauncher {
  public:
    RemoteLauncher(RemoteLaunch launch, ConnectOptions options);
    ~RemoteLauncher();

    std::function<void(const CheckResult&)> on_check;
    std::function<void(const std::string& host, const CopyProgress&)> on_copy;

    /// Call before check(), or between check() and start().
    void set_queued(bool queued) { launch_.queued = queued; }
    /// Runs all checks (in further calls, only for hosts with a failed one). Returns true if none failed.
    bool check();
    std::vector<CheckResult> results() const;
    /// The failed checks as problems: `gpu-b: data.path: ...`.
    std::vector<Problem> problems() const;
    /// After check(): the run as start() would order it, with the addresses of the hosts.
    run::RunSpec planned_spec() const;
    /// After check(): `trainyard` on the host with this index in RemoteLaunch::hosts. Empty if it is not there.
    std::string program_on(std::size_t host) const;
    /// Starts the run. Call after check(), even if it found problems, provided that every host was reached and has the
    /// engine. Throws InvalidInput with all problems of all hosts; then nothing is left on any host.
    StartedRun start();
    /// Ends the run that start() has started, and removes its folders from all hosts and the local mirror. Not needed
    /// after a failed start.
    void take_back();
    /// Thread-safe. check() and start() clean up and throw ConnectionError(cancelled) soon.
    void cancel();
    /// After a cancelled or failed launch: messages about remains that could not be removed, and about what was left on
    /// purpose.
    std::vector<Message> left_behind() const;

  private:
    struct Host;
    void report(Host& host, const std::string& check, CheckResult::State state, const Message& text,
                const Message& mend = {}, double seconds = 0, const std::string& command = {});
    void on_all(const std::function<void(Host&)>& work);
    void stop_if_cancelled() const;
    void connect(Host& host);
    void look_at(Host& host);
    void choose_device();
    void check_gpus(Host& host);
    void check_driver(Host& host);
    void check_gpu_memory(Host& host);
    void bring_engine(Host& host);
    void settle_checkpoint();
    void bring_checkpoint(Host& host);
    void ask(Host& host);
    void look_at_network();
    void take_back_copy(Host& host);
    Message found_text(const Host& host, const std::string& check) const;
    bool is_told(const Host& host, const std::string& check) const;
    void choose_addresses(const std::vector<launch::ConnectionTest>& matrix);
    void undo();
    std::string own_program() const;

    RemoteLaunch launch_;
    ConnectOptions options_;
    std::vector<std::unique_ptr<Host>> hosts_;
    std::optional<Bundle> bundle_;
    std::filesystem::path checkpoint_;  ///< local checkpoint that the run resumes from; may be empty
    bool cancelled_ = false;
    bool ordering_ = false;  ///< hosts were asked to start: cancel() waits for them, then undoes the start
    std::unique_ptr<KeepingAsker> asker_;  ///< wraps the Asker of options_
    std::optional<RunId> started_id_;      ///< set when the first host has been asked to start it
    bool made_mirror_ = false;             ///< start() created the folder of the mirror
    std::vector<Message> left_behind_;
    mutable std::mutex mutex_;  ///< protects results, callbacks and the bundle
};

}  // namespace trainyard::remote
