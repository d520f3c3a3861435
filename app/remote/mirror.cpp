// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/mirror.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "base/run_program.h"
#include "remote/folder_tree.h"
#include "run/listing.h"
#include "run/mirror.h"
#include "run/state.h"

namespace trainyard::remote {

namespace {

using fields::Json;

constexpr std::size_t kMostNamed = 20;  // checkpoints in a message

constexpr std::size_t kMostRuns = 100'000;  // of a host

/// A run in the list of a host, with the fields that are read.
struct PrintedRun {
    std::string run_id;
    std::string path;
    std::string shown_status;
    std::string message;

    void fields(auto& field) const {
        field("run_id", run_id)("path", path)("shown_status", shown_status)("message", message);
    }
};

/// Held as long as this process looks after the mirror.
FileDescriptor take_over(const run::RunPaths& local) {
    FileDescriptor file(::open((local.root() / ".mirror.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        file.close();
    return file;
}

void say(const run::RunPaths& local, const Message& message) {
    std::optional<run::MirrorState> mirror = run::read_mirror(local);
    if (!mirror)
        return;
    mirror->connected = false;
    mirror->message = message;
    mirror->process = this_process();
    try {
        run::write_mirror(local, *mirror);
    } catch (const UserError&) {
        // The disk is full: the old message stays, with its time.
    }
}

MirrorOutcome connect_and_follow(const run::RunPaths& local, const run::MirrorSource& source,
                                 const MirrorOptions& options, int stop) {
    try {
        ConnectOptions connect;
        connect.asker = options.asker;
        Session session = Session::connect(source.host, connect);
        if (options.logged_in)
            options.logged_in();
        std::unique_ptr<ByteLink> link =
            link_of(session.open({{source.program, "serve-run", "--run", source.path}, {}, {}}));
        return follow_run(*link, local, options, stop);
    } catch (const ConnectionError& error) {
        return {MirrorEnd::lost, error.message(), false, error.cause() == Cause::authentication};
    } catch (const UserError& error) {
        return {MirrorEnd::lost, error.message(), false};
    }
}

/// Requests in a foreign folder are not those of the user who continues the copy.
void remove_requests(const run::RunPaths& local) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(local.requests(), error), end; !error && entry != end; entry.increment(error))
        if (entry->path().extension() == ".json")
            files.push_back(entry->path());
    for (const fs::path& file : files)
        fs::remove(file, error);
}

/// Removes what is in `folder` and not in the tree: an interrupted copy may have left files that the host does not list
/// any more.
void remove_all_but(const FolderTree& tree, const fs::path& folder) {
    std::set<std::string> wanted;
    for (const SafePath& one : tree.folders)
        wanted.insert(one.text());
    for (const TreeFile& file : tree.files)
        wanted.insert({file.name.text(), file.name.text() + ".part"});
    std::vector<fs::path> others;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (wanted.contains(entry->path().lexically_relative(folder).string()))
            continue;
        others.push_back(entry->path());
        entry.disable_recursion_pending();
    }
    for (const fs::path& other : others)
        fs::remove_all(other, error);
}

}  // namespace

void refuse_links(const fs::path& root, const fs::path& below) {
    fs::path at = root;
    for (const fs::path& component : below) {
        at /= component;
        std::error_code error;
        if (fs::is_symlink(fs::symlink_status(at, error)))
            throw UserError("{} is a symbolic link: a copy of a run has none, remove it", at.string());
    }
}

run::RunPaths prepare_mirror(const fs::path& runs_root, const MirrorPlace& place) {
    const std::string where = place.host + ":" + place.path;
    const HostPath path = HostPath::require(place.path, place.host);
    fs::path name = fs::path(path.text()).lexically_normal();
    name = name.filename().empty() ? name.parent_path().filename() : name.filename();
    const run::RunPaths local(runs_root / RunId::require(name.string(), where));
    const run::MirrorSource wanted{place.host, path, place.program};
    std::error_code error;
    if (fs::exists(local.root(), error)) {
        const auto mirror = run::read_mirror(local);
        if (!mirror || mirror->host != place.host || mirror->path != place.path)
            throw UserError(
                "{} is there already and is not the copy of {}: move it away, or attach "
                "with another $TRAINYARD_RUNS",
                local.root().string(), where);
        if (mirror->source != wanted) {
            const MirrorFolder checked(local);
            if (!mirror->source)
                remove_requests(local);
            run::record_mirror_source(local, wanted);
        }
        return local;
    }
    MirrorFolder folder(local);
    run::record_mirror_source(local, wanted);
    run::MirrorState mirror;
    mirror.host = place.host;
    mirror.path = path;
    run::write_mirror(local, mirror);
    return local;
}

int run_mirror(const run::RunPaths& local, const MirrorOptions& options) {
    if (!run::read_mirror(local) || !run::mirror_source(local))
        throw UserError(
            "{} is not a copy of a run on another machine that this account made: "
            "`trainyard runs attach HOST:/FOLDER` makes one",
            local.root().string());
    refuse_links(local.root(), ".mirror.lock");
    FileDescriptor lock = take_over(local);
    if (!lock)
        return kExitDone;
    sigset_t signals;
    sigemptyset(&signals);
    for (int number : {SIGTERM, SIGINT, SIGHUP})
        sigaddset(&signals, number);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    FileDescriptor stop(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    double pause = options.shortest_pause_s;
    say(local, Message("connecting"));
    for (;;) {
        auto mirror = run::read_mirror(local);  // attaching again may have named another program
        if (!mirror || !mirror->source || mirror->complete)
            return kExitDone;
        MirrorOutcome outcome = connect_and_follow(local, *mirror->source, options, stop.get());
        if (outcome.end == MirrorEnd::refused)
            return kExitFailed;
        if (outcome.end != MirrorEnd::lost)
            return kExitDone;
        if (outcome.asks && options.asker != nullptr) {
            say(local, Message("{}. Passwords are not stored after the login: trainyard runs attach {}:{} "
                               "asks for them again",
                               outcome.reason, mirror->host, mirror->path));
            return kExitFailed;
        }
        say(local, outcome.reason);
        pause = outcome.greeted ? options.shortest_pause_s : std::min(2 * pause, options.longest_pause_s);
        pollfd wait{stop.get(), POLLIN, 0};
        if (::poll(&wait, 1, static_cast<int>(pause * 1000)) > 0)
            return kExitDone;
    }
}

bool ensure_mirror(const run::RunPaths& local, const fs::path& program, const SecretBag& secrets) {
    auto mirror = run::read_mirror(local);
    if (!mirror || !mirror->source || mirror->complete || (mirror->process.pid != 0 && is_alive(mirror->process)))
        return false;
    std::error_code error;
    fs::path command =
        program.empty() ? fs::read_symlink("/proc/self/exe", error).parent_path() / "trainyard" : program;
    std::vector<std::string> argv{command.string(), "mirror", "--detach", local.root().string()};
    Secret lines;
    if (!secrets.empty()) {
        argv.push_back("--secrets");
        lines = secrets.to_lines();
    }
    ProgramResult result = run_program(argv, lines.view(), 10);
    if (!result.ok())
        throw UserError("the copy of the run could not be kept current: {}",
                        (result.error.empty() ? Message("{} could not be started", command.string()) : result.error));
    return true;
}

std::vector<RemoteRun> list_remote_runs(Session& session, const std::string& program, const std::string& runs_folder) {
    RemoteCommand command{{program, "runs", "list", "--json"}, {}, {}};
    if (!runs_folder.empty())
        command.environment[kEnvRuns] = runs_folder;
    ExecResult answer = session.exec(command);
    if (!answer.exit.ok())
        throw ConnectionError(
            Cause::command_missing, session.host().alias,
            Message("{} could not list its runs: {}", session.host().alias,
                    answer.error.empty() ? answer.exit.text() : Message::verbatim(HostText::first_line(answer.error))));
    return parse_remote_runs(answer.output, session.host().alias);
}

std::vector<RemoteRun> parse_remote_runs(const std::string& printed, const std::string& host) {
    const Json list = read_json(printed);
    if (!list.is_array() || list.size() > kMostRuns)
        throw UserError("{} did not answer with a list of its runs", host);
    std::vector<RemoteRun> runs;
    std::vector<PrintedRun> printed_runs;
    fields::Reading in;
    fields::read(in, list, printed_runs, {.longest = kMostRuns});
    fields::require_no_problem(in, Message("the runs of {}", host));
    for (const PrintedRun& one : printed_runs) {
        const std::optional<RunId> id = RunId::parse(one.run_id);
        const std::optional<HostPath> path = HostPath::parse(one.path);
        if (id && path)
            runs.push_back({*id, *path, HostText(one.shown_status), HostText(one.message)});
    }
    return runs;
}

fs::path fetch_checkpoint(Session& session, const run::RunPaths& local, const std::string& checkpoint,
                          const OnProgress& on_progress) {
    Sftp sftp = session.sftp();
    return fetch_checkpoint(sftp, local, checkpoint, on_progress);
}

fs::path fetch_checkpoint(Sftp& sftp, const run::RunPaths& local, const std::string& checkpoint,
                          const OnProgress& on_progress, const Limits& limits) {
    auto mirror = run::read_mirror(local);
    if (!mirror)
        throw UserError("{} is not the copy of a run on another machine: its checkpoints are here",
                        local.root().string());
    if (!mirror->source)
        throw UserError(
            "{} was not copied by this account: `trainyard runs attach {}:{}` continues "
            "the copy",
            local.root().string(), mirror->host, mirror->path);
    const std::string there = mirror->source->path + "/checkpoints";
    if (!sftp.find(there))
        throw UserError("run {} on {} has no checkpoint yet", local.id(), mirror->host);
    std::optional<SafeFileName> wanted;
    double newest = -1;
    std::vector<std::string> known;
    const CopyBudget listing(limits, Message("the list of checkpoints of {}:{}", mirror->host, mirror->source->path));
    for (const RemoteFile& file : sftp.list(there, limits)) {
        listing.require_time();
        if (!file.is_folder() || !file.name.text().starts_with("checkpoint_") ||
            !sftp.find(there + '/' + file.name.text() + "/manifest.json"))
            continue;
        known.push_back(file.name.text());
        if (checkpoint.empty() ? file.modified > newest : file.name == checkpoint) {
            newest = file.modified;
            wanted = file.name;
        }
    }
    if (!wanted) {
        const std::size_t named = std::min(known.size(), kMostNamed);
        const std::string names =
            fmt::format("{}", fmt::join(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(named), ", "));
        throw UserError("run {} on {} has no whole checkpoint '{}': it has {}", local.id(), mirror->host, checkpoint,
                        known.empty()          ? Message("none")
                        : known.size() > named ? Message("{} and {} more", names, known.size() - named)
                                               : Message::verbatim(names));
    }
    const std::string& name = wanted->text();
    // Aside first: a folder with a manifest is a whole checkpoint to everybody who looks.
    fs::path aside = local.checkpoints() / ("." + name + ".part"), place = local.checkpoints() / name;
    refuse_links(local.root(), aside.lexically_relative(local.root()));
    const std::string from = there + '/' + name;
    const FolderTree tree = list_tree(sftp, from, {.limits = limits, .follow_links = true});
    if (!tree.problems.empty())  // a part of a checkpoint is not a checkpoint
        throw UserError("{}: {} cannot be copied whole: {}", mirror->host, name, tree.problems.front());
    make_private_folder(local.checkpoints());
    make_private_folder(aside);
    remove_all_but(tree, aside);
    const CopyBudget budget(limits, Message("the copy of {}:{}", mirror->host, from));
    budget.require_room(aside, tree.bytes);
    TransferProgress progress;
    progress.total = tree.bytes;
    std::error_code ignored;
    try {
        for (const SafePath& folder : tree.folders) {
            refuse_links(aside, folder.text());
            make_private_folder(aside / folder);
        }
        for (const TreeFile& file : tree.files) {
            const std::uint64_t before = progress.done;
            TransferOptions options;
            options.limits = limits;
            options.limits.bytes = file.size;  // as it was listed; a checkpoint does not grow
            options.on_progress = [&](const TransferProgress& part) {
                progress.done = before + part.done;
                return !on_progress || on_progress(progress);
            };
            sftp.download(file.there, aside / file.name, options);
            progress.done = before + file.size;
        }
    } catch (const LimitReached&) {
        fs::remove_all(aside, ignored);
        throw;
    } catch (const ConnectionError& error) {
        if (error.cause() == Cause::cancelled)  // after a lost connection the next copy continues
            fs::remove_all(aside, ignored);
        throw;
    }
    fs::remove_all(place, ignored);
    std::error_code error;
    fs::rename(aside, place, error);
    if (error)
        throw_file_error("cannot rename", aside, error.value());
    return place;
}

}  // namespace trainyard::remote
