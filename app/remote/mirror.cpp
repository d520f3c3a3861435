#include "remote/mirror.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "base/json.h"
#include "remote/json_field.h"
#include "remote/local_program.h"
#include "run/listing.h"
#include "run/mirror.h"
#include "run/state.h"

namespace trainyard::remote {

namespace {

using run::json::Json;

/// Held as long as this process looks after the mirror.
FileDescriptor take_over(const run::RunPaths& local) {
    FileDescriptor file(::open((local.root() / ".mirror.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        file.close();
    return file;
}

void say(const run::RunPaths& local, const std::string& message) {
    std::optional<run::MirrorState> mirror = run::read_mirror(local);
    if (!mirror)
        return;
    mirror->connected = false;
    mirror->message = message;
    mirror->process = this_process();
    try {
        run::write_mirror(local, *mirror);
    } catch (const UserError&) {
        // The disk is full: the old words stand, with their old time.
    }
}

MirrorOutcome connect_and_follow(const run::RunPaths& local, const run::MirrorState& mirror,
                                 const MirrorOptions& options, int stop) {
    try {
        ConnectOptions connect;
        connect.asker = options.asker;
        Session session = Session::connect(mirror.host, connect);
        if (options.logged_in)
            options.logged_in();
        std::unique_ptr<ByteLink> link =
            link_of(session.open({{mirror.program, "serve-run", "--run", mirror.path}, {}, {}}));
        return follow_run(*link, local, options, stop);
    } catch (const ConnectionError& error) {
        return {MirrorEnd::lost, error.what(), false, error.cause() == Cause::authentication};
    } catch (const UserError& error) {
        return {MirrorEnd::lost, error.what(), false};
    }
}

}  // namespace

run::RunPaths prepare_mirror(const fs::path& runs_root, const MirrorPlace& place) {
    fs::path name = fs::path(place.path).lexically_normal();
    name = name.filename().empty() ? name.parent_path().filename() : name.filename();
    if (name.empty() || name.string().starts_with('.'))
        throw UserError("'" + place.path + "' is no run's folder");
    run::RunPaths local(runs_root / name);
    std::error_code error;
    if (fs::exists(local.root(), error)) {
        auto mirror = run::read_mirror(local);
        if (!mirror || mirror->host != place.host || mirror->path != place.path)
            throw UserError(local.root().string() + " is there already and is not the copy of " + place.host + ":" +
                            place.path + ": move it away, or attach with another $TRAINYARD_RUNS");
        if (mirror->program != place.program && !place.program.empty()) {
            mirror->program = place.program;
            run::write_mirror(local, *mirror);
        }
        return local;
    }
    MirrorFolder folder(local);
    run::MirrorState mirror;
    mirror.host = place.host;
    mirror.path = place.path;
    mirror.program = place.program;
    run::write_mirror(local, mirror);
    return local;
}

int run_mirror(const run::RunPaths& local, const MirrorOptions& options) {
    if (!run::read_mirror(local))
        throw UserError(local.root().string() + " is not the copy of a run on another machine");
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
    say(local, "connecting");
    for (;;) {
        auto mirror = run::read_mirror(local);  // attaching again may have named another program
        if (!mirror || mirror->complete)
            return kExitDone;
        MirrorOutcome outcome = connect_and_follow(local, *mirror, options, stop.get());
        if (outcome.end != MirrorEnd::lost)
            return kExitDone;
        if (outcome.asks && options.asker != nullptr) {
            say(local, outcome.reason + ". Passwords are not stored after the login: trainyard runs attach " +
                           mirror->host + ":" + mirror->path + " asks for them again");
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
    if (!mirror || mirror->complete || (mirror->process.pid != 0 && is_alive(mirror->process)))
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
        throw UserError("the copy of the run could not be kept current: " +
                        (result.error.empty() ? command.string() + " could not be started" : result.error));
    return true;
}

std::vector<RemoteRun> list_remote_runs(Session& session, const std::string& program, const std::string& runs_folder) {
    RemoteCommand command{{program, "runs", "list", "--json"}, {}, {}};
    if (!runs_folder.empty())
        command.environment["TRAINYARD_RUNS"] = runs_folder;
    ExecResult answer = session.exec(command);
    Json list = read_json(answer.output);
    if (!answer.exit.ok() || !list.is_array())
        throw ConnectionError(
            Cause::command_missing, session.host().alias,
            session.host().alias + " could not list its runs: " +
                (answer.error.empty() ? answer.exit.text() : answer.error.substr(0, answer.error.find('\n'))));
    std::vector<RemoteRun> runs;
    for (const Json& one : list)
        runs.push_back({text_field(one, "run_id"), text_field(one, "path"), text_field(one, "shown_status"),
                        text_field(one, "message")});
    return runs;
}

namespace {

void fetch_folder(Sftp& sftp, const std::string& from, const fs::path& to, TransferProgress& progress,
                  const OnProgress& on_progress) {
    fs::create_directories(to);
    for (const RemoteFile& file : sftp.list(from)) {
        if (file.is_folder()) {
            fetch_folder(sftp, from + '/' + file.name.text(), to / file.name, progress, on_progress);
            continue;
        }
        std::uint64_t before = progress.done;
        TransferOptions options;
        options.on_progress = [&](const TransferProgress& part) {
            progress.done = before + part.done;
            return !on_progress || on_progress(progress);
        };
        sftp.download(from + '/' + file.name.text(), to / file.name, options);
        progress.done = before + file.size;
    }
}

std::uint64_t size_of_folder(Sftp& sftp, const std::string& folder) {
    std::uint64_t size = 0;
    for (const RemoteFile& file : sftp.list(folder))
        size += file.is_folder() ? size_of_folder(sftp, folder + '/' + file.name.text()) : file.size;
    return size;
}

}  // namespace

fs::path fetch_checkpoint(Session& session, const run::RunPaths& local, const std::string& checkpoint,
                          const OnProgress& on_progress) {
    auto mirror = run::read_mirror(local);
    if (!mirror)
        throw UserError(local.root().string() +
                        " is not the copy of a run on another machine: its checkpoints are here");
    Sftp sftp = session.sftp();
    std::string there = mirror->path + "/checkpoints";
    if (!sftp.find(there))
        throw UserError("run " + local.id() + " on " + mirror->host + " has no checkpoint yet");
    std::optional<FarName> wanted;
    double newest = -1;
    std::string known;
    for (const RemoteFile& file : sftp.list(there)) {
        if (!file.is_folder() || !file.name.text().starts_with("checkpoint_") ||
            !sftp.find(there + '/' + file.name.text() + "/manifest.json"))
            continue;
        known += (known.empty() ? "" : ", ") + file.name.text();
        if (checkpoint.empty() ? file.modified > newest : file.name == checkpoint) {
            newest = file.modified;
            wanted = file.name;
        }
    }
    if (!wanted)
        throw UserError("run " + local.id() + " on " + mirror->host + " has no whole checkpoint '" + checkpoint +
                        "': it has " + (known.empty() ? "none" : known));
    const std::string& name = wanted->text();
    // Aside first: a folder with a manifest is a whole checkpoint to everybody who looks.
    fs::path aside = local.checkpoints() / ("." + name + ".part"), place = local.checkpoints() / name;
    TransferProgress progress;
    progress.total = size_of_folder(sftp, there + '/' + name);
    std::error_code ignored;
    try {
        fetch_folder(sftp, there + '/' + name, aside, progress, on_progress);
    } catch (const ConnectionError& error) {
        if (error.cause() == Cause::cancelled)  // a lost connection goes on with what has come
            fs::remove_all(aside, ignored);
        throw;
    }
    fs::remove_all(place, ignored);
    fs::rename(aside, place);
    return place;
}

}  // namespace trainyard::remote
