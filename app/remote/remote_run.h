#pragma once
// One run on several hosts over SSH: connections in parallel, checks, bundle, the order to the first host, agents on the others,
// a mirror here. Everything that is wrong is found before anything starts and comes at once; what fails or is cancelled in the middle
// leaves nothing on any host.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/untrusted.h"
#include "launch/supervisor/reach.h"
#include "remote/bundle.h"
#include "remote/host_facts.h"
#include "remote/secret_bag.h"
#include "remote/session.h"
#include "run/spec.h"

namespace trainyard::remote {

/// `localhost` is this machine, without SSH.
struct HostShare {
    std::string host;
    int ranks = 1;  ///< 0: one for each of its GPUs, one on the processor
    bool operator==(const HostShare&) const = default;
};
/// One cell of the pre-flight table.
struct CheckResult {
    enum class State { waiting, running, passed, warning, failed, skipped };
    std::string check;  ///< of host_checks() or local_checks()
    std::string host;
    State state = State::waiting;
    Message text;  ///< sentence, or what was found: "0.04 s", "412 GB free"
    Message mend;  ///< empty, or what to do
    double seconds = 0;
    std::string command = {};  ///< what was run, for people who want to see it themselves; may be empty

    /// As a host tells it: without the host.
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
/// The checks in their order, with what people call them; of a recipe, or of somebody else's program.
const std::vector<std::pair<std::string, std::string>>& host_checks(bool program = false);

struct RemoteLaunch {
    std::vector<HostShare> hosts;
    run::RunSpec spec;              ///< recipe or program; LaunchSpec::machines is filled in here
    bool find_device = true;        ///< GPUs where every host has some, else the processor; off: as `spec` says
    std::string run_dir;            ///< on the first host; empty: a new folder under its runs root
    bool queued = false;            ///< it waits in the first host's queue: what is in use now need not be free
    int agent_port = 0;             ///< 0: a free one
    std::filesystem::path program;  ///< this machine's `trainyard`; empty: the one beside the running program
    std::map<std::string, std::string> addresses;  ///< by host, to bind to; empty: found out
};

struct StartedRun {
    run::RunPaths paths;  ///< local: the run's folder, or its mirror
    std::string host;     ///< of the supervisor
    std::string remote_path;
};

/// A launch in steps, so that a window can show each: connect and check, then start. Used by one thread; on_check and on_copy are called from
/// several, one at a time.
class RemoteLauncher {
  public:
    RemoteLauncher(RemoteLaunch launch, ConnectOptions options);
    ~RemoteLauncher();

    std::function<void(const CheckResult&)> on_check;
    std::function<void(const std::string& host, const CopyProgress&)> on_copy;

    /// Before check() or between it and start().
    void set_queued(bool queued) { launch_.queued = queued; }
    /// Runs all checks (a second time: only hosts with a failed one); true when nothing failed.
    bool check();
    std::vector<CheckResult> results() const;
    /// What failed, a problem for each: `gpu-b: data.path: ...`.
    std::vector<Problem> problems() const;
    /// After check(), also when it found something wrong, as far as every host could be reached and has the engine. Throws InvalidInput with
    /// every problem of every host; nothing is left on any of them then.
    StartedRun start();
    /// Ends the run that start() has started, and removes its folders from all hosts and its mirror from here. Nothing
    /// to do after a failed start.
    void take_back();
    /// From any thread: check() and start() throw ConnectionError(cancelled) soon, after having cleaned up.
    void cancel();
    /// After a cancelled or failed launch: what could not be taken away, a sentence each, and what stays on purpose.
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
    void choose_addresses(const std::vector<launch::Reach>& matrix);
    void undo();
    std::string own_program() const;

    RemoteLaunch launch_;
    ConnectOptions options_;
    std::vector<std::unique_ptr<Host>> hosts_;
    std::optional<Bundle> bundle_;
    std::filesystem::path
        checkpoint_;  ///< of this machine, that the run goes on from; empty: none, or it lies elsewhere
    bool cancelled_ = false;
    bool ordering_ = false;  ///< hosts have been told to start: a cancel waits for their answers, then undoes it
    std::unique_ptr<KeepingAsker> asker_;  ///< around that of options_
    std::optional<RunId> started_id_;      ///< chosen here, set when the first host has been asked to start it
    bool made_mirror_ = false;             ///< start() made the folder of the mirror
    std::vector<Message> left_behind_;
    mutable std::mutex mutex_;  ///< of results, callbacks and the bundle
};

}  // namespace trainyard::remote
