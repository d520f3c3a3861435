#pragma once
// One run on several hosts over SSH: connections in parallel, checks, bundle, the order to the first host, agents on the others,
// a mirror here. Everything that is wrong is found before anything starts and comes at once; what fails or is cancelled in the middle
// leaves nothing on any host.

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "remote/bundle.h"
#include "remote/host_facts.h"
#include "remote/session.h"
#include "run/spec.h"

namespace trainyard::remote {

/// `localhost` is this machine, without SSH.
struct HostShare {
    std::string host;
    int ranks = 1;
    bool operator==(const HostShare&) const = default;
};
/// `a:2,b,[fe80::1]:4,user@c:8`; without a number: `default_ranks`. Throws InvalidInput with everything that is wrong.
std::vector<HostShare> parse_hosts(const std::string& text, int default_ranks = 1);

/// One cell of the pre-flight table.
struct CheckResult {
    enum class State { waiting, running, passed, warning, failed, skipped };
    std::string check;  ///< reach | host_key | clock | engine | gpus | memory | disk | data | network | port | output
    std::string host;
    State state = State::waiting;
    std::string text;  ///< sentence, or what was found: "0.04 s", "412 GB free"
    std::string mend;  ///< empty, or what to do
    double seconds = 0;
};
const char* name_of(CheckResult::State state);
/// The checks in their order, with what people call them.
const std::vector<std::pair<std::string, std::string>>& host_checks();

struct RemoteLaunch {
    std::vector<HostShare> hosts;
    run::RunSpec spec;   ///< recipe or program; LaunchSpec::machines is filled in here
    int agent_port = 0;  ///< 0: a free one
    int main_port = 0;
    std::map<std::string, std::string> addresses;  ///< by host, to bind to; empty: found out
    bool start_anyway = false;  ///< with checks that failed, but for those without which nothing can start
};

struct StartedRun {
    run::RunPaths paths;  ///< local: the run's folder, or its mirror
    std::string host;     ///< of the supervisor
    std::string remote_path;
};

/// A launch in steps, so that a window can show each: connect and check, then start. Used by one thread; on_check is called from several,
/// one at a time.
class RemoteLauncher {
  public:
    RemoteLauncher(RemoteLaunch launch, ConnectOptions options);
    ~RemoteLauncher();

    std::function<void(const CheckResult&)> on_check;
    std::function<void(const std::string& host, const CopyProgress&)> on_copy;

    /// Runs all checks (those that failed before again); true when nothing failed.
    bool check();
    const std::vector<CheckResult>& results() const;
    const std::map<std::string, HostFacts>& facts() const;
    /// Throws InvalidInput with every problem of every host; nothing is left on any of them then.
    StartedRun start();
    /// From any thread: check() and start() throw ConnectionError(cancelled) soon, after having cleaned up.
    void cancel();

  private:
    struct Host;
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace trainyard::remote
