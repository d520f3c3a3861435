#pragma once
// The other end of run_stream.h: a local folder that is kept like the run's folder on its host, and hands requests up. To every reader
// (desktop, `trainyard runs`) it is an ordinary run; mirror.json says what it is (run::read_mirror).

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "remote/host_shell.h"
#include "remote/run_stream.h"
#include "remote/secret_bag.h"
#include "remote/session.h"

namespace trainyard::remote {

/// The local folder of a mirror: applies frames, knows what is there.
class MirrorFolder {
  public:
    /// Makes it where it is not there yet.
    explicit MirrorFolder(run::RunPaths run);

    /// Payload of `have`.
    std::string have() const;
    /// Throws UserError when the frame cannot be applied (the disk is full, or it makes no sense): the connection must be taken up anew.
    void apply(const StreamMessage& message);

  private:
    struct Growing {
        std::string id;
        std::uint64_t size = 0;
    };
    void save_ids() const;
    run::RunPaths run_;
    std::vector<std::pair<std::string, Growing>> growing_;
};

struct MirrorOptions {
    double silence_s = 10;  ///< nothing from the host: the link is lost
    double alive_every_s = 2;
    double shortest_pause_s = 0.5;  ///< before connecting again; doubles up to
    double longest_pause_s = 15;
    Asker* asker = nullptr;  ///< for hosts that want a password; nobody: only ways that need no answer
    /// Called after the first login. Secrets are dropped then: a run takes days, and what a later connection needs comes from keys, the agent or
    /// the key ring, or is asked for again by `trainyard runs attach`.
    std::function<void()> logged_in;
};

enum class MirrorEnd { over, lost, stopped };
struct MirrorOutcome {
    MirrorEnd end = MirrorEnd::lost;
    std::string reason;    ///< why it was lost; the host's sentence when it refused
    bool greeted = false;  ///< the host had answered
    bool asks = false;     ///< the host wants a password that is not stored
};

/// One connection: until the run is over, the link is lost or `stop` (a descriptor, -1: none) is readable. Keeps mirror.json.
MirrorOutcome follow_run(ByteLink& link, const run::RunPaths& local, const MirrorOptions& options = {}, int stop = -1);

/// Host and folder of a mirror, to begin with.
struct MirrorPlace {
    std::string host;     ///< as `Session::connect` takes it
    std::string path;     ///< of the run's folder on the host
    std::string program;  ///< `trainyard` on the host
};

/// The local folder of a run on a host, made with a first mirror.json. One that is there already is taken up. Throws UserError when a
/// run of that name is there and is not this one's mirror.
run::RunPaths prepare_mirror(const fs::path& runs_root, const MirrorPlace& place);
/// Connects (again and again, for ever) and follows until the run is over or SIGTERM comes. Returns at once with kExitDone when another
/// process looks after this mirror.
int run_mirror(const run::RunPaths& local, const MirrorOptions& options = {});
/// Starts `trainyard mirror` detached for a mirror that nobody looks after and that is not over. `program`: this `trainyard`; empty: the
/// one beside the running program. `secrets`: what its connection will be asked for. False: nothing to do.
bool ensure_mirror(const run::RunPaths& local, const fs::path& program = {}, const SecretBag& secrets = {});

struct RemoteRun {
    std::string id;
    std::string path;
    std::string status;
    std::string message;
};
/// The runs of a host, newest first.
std::vector<RemoteRun> list_remote_runs(Session& session, const std::string& program, const std::string& runs_folder);
/// Copies a checkpoint of a mirrored run (its name; empty: the newest) into the mirror. Returns the local folder.
fs::path fetch_checkpoint(Session& session, const run::RunPaths& local, const std::string& checkpoint,
                          const OnProgress& on_progress = {});

}  // namespace trainyard::remote
