// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard runs attach | fetch: runs on other machines.

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "cli/print_json.h"
#include "cli/runs_parts.h"
#include "cli/say.h"
#include "cli/secret_terminal.h"
#include "cli/terminal.h"
#include "remote/bundle.h"
#include "remote/far_place.h"
#include "remote/host_store.h"
#include "remote/mirror.h"
#include "run/listing.h"
#include "run/mirror.h"

namespace trainyard::cli {

namespace fs = std::filesystem;

namespace {

constexpr double kMirrorQuestion = 60;  // seconds

struct RemoteFlags {
    std::string place;
    std::string checkpoint;
    bool json = false;
};

/// `trainyard` on the host: the one the user named, else ours, brought along when it is not there.
std::string program_on(remote::Session& session, const remote::StoredHost& stored) {
    if (!stored.engine.empty())
        return stored.engine;
    return remote::install(session, remote::this_bundle(),
                           [&](const remote::CopyProgress& progress) {
                               if (is_terminal(STDERR_FILENO) && progress.total > 0)
                                   std::fprintf(stderr, "\r\033[Kcopying the engine to %s: %s of %s",
                                                session.host().alias.c_str(), text::file_size(progress.done).c_str(),
                                                text::file_size(progress.total).c_str());
                               return true;
                           })
        .program;
}

void print_remote_runs(const std::vector<remote::RemoteRun>& runs, const std::string& host, bool json) {
    if (json) {
        nlohmann::json list = nlohmann::json::array();
        for (const remote::RemoteRun& one : runs)
            list.push_back({{"run_id", one.id.text()},
                            {"path", one.path.text()},
                            {"status", one.status.text()},
                            {"message", one.message.text()}});
        print_json(list);
        return;
    }
    if (runs.empty())
        say("No runs on " + host + ".");
    for (const remote::RemoteRun& one : runs)
        say(fmt::format("{}  {:11}  {}", one.id.text(), one.status.text(), one.message.text()));
    if (!runs.empty())
        say("trainyard runs attach " + host + ":" + runs.front().id.text() + " shows one here");
}

/// `trainyard` on the host, over a connection that may ask for a password.
std::string program_on_host(const std::string& host) {
    const remote::HostStore store = remote::HostStore::load();
    const remote::StoredHost* found = store.find(host);
    const std::unique_ptr<remote::Asker> asker = secret_terminal();
    remote::ConnectOptions options;
    options.asker = asker.get();
    remote::Session session = remote::Session::connect(host, options);
    return program_on(session, found == nullptr ? remote::StoredHost{} : *found);
}

std::string attach_command(const run::MirrorState& mirror) {
    return "`trainyard runs attach " + remote::shell_quote(mirror.host + ":" + mirror.path) + "`";
}

/// Asks once whether a folder that says it is a copy of a run is followed. Its file names only host and path, which are
/// shown; the program that is started there is the one that we install.
void confirm_mirror(const run::RunPaths& local) {
    const std::optional<run::MirrorState> mirror = run::read_mirror(local);
    if (!mirror || mirror->source || mirror->complete || run::is_refused_mirror(local))
        return;
    const bool usable = !mirror->host.empty() && !mirror->host.starts_with('-') && HostPath::parse(mirror->path);
    const std::string claim = fmt::format("{} says that it is a copy of {}:{}, but this account did not make it",
                                          local.root().string(), mirror->host, mirror->path);
    if (!usable || !is_terminal(STDIN_FILENO) || !is_terminal(STDERR_FILENO)) {
        say(stderr, "trainyard: " + claim + ": it is not followed" +
                        (usable ? "; " + attach_command(*mirror) + " continues the copy" : ""));
        return;
    }
    say(stderr, claim + ".");
    std::fprintf(stderr, "Log in to that host and continue the copy? [y/N] ");
    std::fflush(stderr);
    const std::optional<char> key = wait_for_key(kMirrorQuestion);
    std::fprintf(stderr, "\n");
    if (key == 'y' || key == 'Y')
        remote::prepare_mirror(local.root().parent_path(), {mirror->host, mirror->path, program_on_host(mirror->host)});
    else if (key)
        run::record_refused_mirror(local);
}

int attach(const RemoteFlags& flags) {
    const remote::FarPlace place = remote::far_place(flags.place).value_or(remote::FarPlace{flags.place, ""});
    const std::string &host = place.host, &run = place.path;
    remote::HostStore store = remote::HostStore::load();
    const remote::StoredHost* found = store.find(host);
    remote::StoredHost stored = found == nullptr ? remote::StoredHost{} : *found;
    std::unique_ptr<remote::Asker> asker = secret_terminal();
    remote::KeepingAsker keeping(asker.get());  // the copy's own connection is asked for the same
    remote::ConnectOptions options;
    options.asker = asker == nullptr ? nullptr : &keeping;
    remote::Session session = remote::Session::connect(host, options);
    std::string program = program_on(session, stored);
    std::string path = run;
    if (!run.starts_with('/')) {
        std::vector<remote::RemoteRun> runs = remote::list_remote_runs(session, program, stored.runs_folder);
        if (run.empty()) {
            print_remote_runs(runs, host, flags.json);
            return kExitDone;
        }
        std::vector<std::string> names;
        path.clear();
        for (const remote::RemoteRun& one : runs) {
            const std::string& id = one.id;
            names.push_back(id);
            if (id == run || (path.empty() && (id.starts_with(run) || id.ends_with(run))))
                path = one.path;
        }
        if (path.empty())
            throw UserError("no run '{}' on {}{}", run, host, text::did_you_mean(run, names));
    }
    session.close();
    run::RunPaths local = remote::prepare_mirror(run::runs_root(), {host, path, program});
    remote::ensure_mirror(local, {}, keeping.kept());
    keeping.forget();
    double until = monotonic_seconds() + 15;
    std::error_code error;
    while (!fs::exists(local.state(), error) && monotonic_seconds() < until)
        ::usleep(20'000);
    if (!fs::exists(local.state(), error)) {
        auto mirror = run::read_mirror(local);
        throw UserError(mirror && !mirror->message.empty()
                            ? Message("nothing has come of {} yet: {}", flags.place, mirror->message)
                            : Message("nothing has come of {} yet", flags.place));
    }
    if (flags.json)
        print_json(nlohmann::json{{"run_id", local.id()}, {"path", local.root().string()}});
    else
        say(local.id() + "\n" + local.root().string());
    return kExitDone;
}

int fetch(const RemoteFlags& flags) {
    run::RunPaths local = run::find_run(run::runs_root(), flags.place);
    auto mirror = run::read_mirror(local);
    if (!mirror)
        throw UserError("run {} is of this machine: its checkpoints are in {}", local.id(),
                        local.checkpoints().string());
    confirm_mirror(local);
    const std::optional<run::MirrorSource> source = run::mirror_source(local);
    if (!source)
        throw UserError("run {} was not copied by this account: {} continues the copy", local.id(),
                        attach_command(*mirror));
    std::unique_ptr<remote::Asker> asker = secret_terminal();
    remote::ConnectOptions options;
    options.asker = asker.get();
    remote::Session session = remote::Session::connect(source->host, options);
    fs::path folder =
        remote::fetch_checkpoint(session, local, flags.checkpoint, [](const remote::TransferProgress& progress) {
            if (is_terminal(STDERR_FILENO))
                std::fprintf(stderr, "\r\033[K%s of %s", text::file_size(progress.done).c_str(),
                             text::file_size(progress.total).c_str());
            return true;
        });
    say(folder.string());
    return kExitDone;
}

}  // namespace

run::RunPaths find_and_follow(const std::string& text) {
    run::RunPaths paths = run::find_run(run::runs_root(), text);
    confirm_mirror(paths);
    remote::ensure_mirror(paths);
    return paths;
}

void add_remote_runs(CLI::App& runs, Action& chosen) {
    auto flags = std::make_shared<RemoteFlags>();
    CLI::App* attaching =
        runs.add_subcommand("attach", "Show a run of another machine here; HOST alone lists its runs");
    attaching->add_option("place", flags->place, "HOST, HOST:RUN or HOST:/FOLDER")->required();
    attaching->add_flag("--json", flags->json, "For programs");
    attaching->callback([flags, &chosen] { chosen = [flags] { return attach(*flags); }; });
    CLI::App* fetching = runs.add_subcommand("fetch", "Copy a checkpoint of an attached run from its machine");
    fetching->add_option("run", flags->place, "Id, name or folder of the run")->required();
    fetching->add_option("checkpoint", flags->checkpoint, "checkpoint_N [the newest]");
    fetching->callback([flags, &chosen] { chosen = [flags] { return fetch(*flags); }; });
}

}  // namespace trainyard::cli
