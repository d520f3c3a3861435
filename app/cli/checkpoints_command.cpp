// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard checkpoints: what was saved, is it whole, what is in it, what changed, what can go.

#include "cli/checkpoints_command.h"

#include <atomic>
#include <cstdio>
#include <mutex>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/files/user_folders.h"
#include "base/text.h"
#include "cli/fetch_report.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "formats/hub/fetch.h"
#include "observe/inspect/checkpoint_list.h"
#include "run/paths.h"

namespace trainyard::cli {

int with_progress(const std::string& doing, const std::function<int(Progress&)>& work) {
    InterruptFlag interrupted;
    const bool terminal = is_terminal(STDERR_FILENO);
    const double start = monotonic_seconds();
    std::atomic<bool> stopped = false;
    std::mutex mutex;
    double last = start;
    Progress progress([&](std::uint64_t done, std::uint64_t total) {
        if (stopped || interrupted.taken()) {
            stopped = true;
            return false;
        }
        if (!terminal || total == 0)
            return true;
        std::lock_guard lock(mutex);
        const double now = monotonic_seconds();
        if (now - last < 0.2)
            return true;
        last = now;
        const double speed = static_cast<double>(done) / std::max(now - start, 1e-3);
        std::fprintf(stderr, "\r%s %s of %s, %s/s \033[K", doing.c_str(), text::file_size(done).c_str(),
                     text::file_size(total).c_str(), text::file_size(static_cast<std::uint64_t>(speed)).c_str());
        std::fflush(stderr);
        return true;
    });
    const auto clear = [&] {
        if (terminal && last > start)
            std::fputs("\r\033[K", stderr);
    };
    try {
        const int code = work(progress);
        clear();
        return code;
    } catch (const Cancelled&) {
        clear();
        say(stderr, "cancelled: nothing was changed");
        return kExitInterrupted;
    } catch (...) {
        clear();
        throw;
    }
}

inspect::fs::path checkpoint_named(const std::string& text) {
    if (hub::model_not_here(text)) {
        FetchReport fetching;
        return hub::model_folder(text, fetching.options());
    }
    return inspect::find_checkpoint(run::runs_root(), files::expand_home(text));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
    return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, " × "));
}

void add_checkpoints(CLI::App& app, Action& chosen) {
    CLI::App* group = app.add_subcommand(
        "checkpoints", "What was saved: list, show, diff, verify, convert, merge, prune, export, average, rename");
    group->require_subcommand(1);
    add_checkpoints_list(*group, chosen);
    add_checkpoints_look(*group, chosen);
    add_checkpoints_write(*group, chosen);
}

}  // namespace trainyard::cli
