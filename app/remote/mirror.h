// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The other end of run_stream.h: a local folder that is kept like the run's folder on its host, and hands requests up. To every reader
// (desktop, `trainyard runs`) it is an ordinary run; mirror.json says what it is (run::read_mirror). The host is not
// trusted: only the files that a run's folder has by its documentation are written (is_mirrored), within limits, and
// whom to connect to is in the program's own state (run/folder_record.h).

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/untrusted.h"
#include "remote/host_shell.h"
#include "remote/run_stream.h"
#include "remote/secret_bag.h"
#include "remote/session.h"

namespace trainyard::remote {

/// Limits of a mirror. $TRAINYARD_MIRROR_LIMIT sets its size in bytes.
Limits mirror_limits();

/// Throws UserError if a component of `below` in `root`, or the file itself, is a symbolic link.
void refuse_links(const fs::path& root, const fs::path& below);

/// The local folder of a mirror: applies frames, knows what is there.
class MirrorFolder {
  public:
    /// Creates the folder if it does not exist. Throws UserError if a link leads out of it.
    explicit MirrorFolder(run::RunPaths run, const Limits& limits = mirror_limits());

    /// Payload of `have`.
    std::string have() const;
    /// Throws UserError if the frame cannot be applied (the disk is full, or the frame is invalid): the caller must
    /// connect again. Throws LimitReached if the copy has reached one of its limits.
    void apply(const StreamMessage& message);

  private:
    struct Growing {
        std::string id;
        std::uint64_t size = 0;
    };
    void save_ids();
    void replace_whole(const std::string& path, std::string_view content);
    void begin_growing(const std::string& path, const std::string& id);
    void move_growing(const std::string& from, const std::string& to);
    void append(const std::string& path, std::uint64_t offset, std::string_view bytes);
    void remove(const std::string& path);
    void forget_file(const std::string& path);
    void make_parents(const std::string& path);
    /// A host that makes and removes files must not leave folders without end.
    void remove_empty_parents(const std::string& path);

    run::RunPaths run_;
    CopyBudget budget_;
    std::map<std::string, Growing> growing_;
    std::optional<std::map<std::string, std::string>> saved_ids_;  ///< content of mirror-files.json, by path
    std::map<std::string, std::uint64_t> sizes_;                   ///< of all mirrored files here
    std::set<std::string> folders_;  ///< that are here; with the files they are the entries of budget_
};

struct MirrorOptions {
    double silence_s = 10;  ///< nothing from the host: the link is lost
    double alive_every_s = 2;
    double shortest_pause_s = 0.5;  ///< before connecting again; doubles up to
    double longest_pause_s = 15;
    Asker* asker = nullptr;  ///< for hosts that want a password; nobody: only ways that need no answer
    /// Called after the first login. Secrets are dropped then: a run takes days, and what a later connection needs
    /// comes from keys, the agent or the key ring, or is asked for again by `trainyard runs attach`.
    std::function<void()> logged_in;
};

enum class MirrorEnd {
    over,
    lost,
    stopped,
    refused,  ///< a limit of this machine: connecting again would not help
};
struct MirrorOutcome {
    MirrorEnd end = MirrorEnd::lost;
    Message reason;        ///< why it was lost; the host's sentence when it refused
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

/// The local folder of a run on a host, made with a first mirror.json, and recorded as a mirror of that host. One that
/// is there already is taken up. Throws UserError when a run of that name is there and is not this one's mirror. The
/// caller has the user's word for `place`.
run::RunPaths prepare_mirror(const fs::path& runs_root, const MirrorPlace& place);
/// Connects (again and again, for ever) and follows until the run is over or SIGTERM comes. Returns at once with kExitDone when another
/// process looks after this mirror.
int run_mirror(const run::RunPaths& local, const MirrorOptions& options = {});
/// Starts `trainyard mirror` detached for a mirror of ours that nobody looks after and that is not over. A folder that
/// only says it is a mirror is left alone. `program`: this `trainyard`; empty: the one beside the running program.
/// `secrets`: what its connection will be asked for. False: nothing to do.
bool ensure_mirror(const run::RunPaths& local, const fs::path& program = {}, const SecretBag& secrets = {});

struct RemoteRun {
    RunId id;
    HostPath path;
    HostText status;
    HostText message;
};
/// The runs in what `trainyard runs list --json` of a host printed. Runs whose id or path cannot be one are left out.
/// Throws UserError if it is no such list.
std::vector<RemoteRun> parse_remote_runs(const std::string& printed, const std::string& host);
/// The runs of a host, newest first.
std::vector<RemoteRun> list_remote_runs(Session& session, const std::string& program, const std::string& runs_folder);
/// Copies a checkpoint of a mirrored run (its name; empty: the newest) into the mirror. Returns the local folder.
fs::path fetch_checkpoint(Session& session, const run::RunPaths& local, const std::string& checkpoint,
                          const OnProgress& on_progress = {});
fs::path fetch_checkpoint(Sftp& sftp, const run::RunPaths& local, const std::string& checkpoint,
                          const OnProgress& on_progress = {}, const Limits& limits = {});

}  // namespace trainyard::remote
