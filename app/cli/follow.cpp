// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/follow.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/filesystem.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/console_tail.h"
#include "cli/look_after.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "models/spec/tasks.h"
#include "run/journal.h"
#include "run/listing.h"
#include "run/request_body.h"
#include "run/run_health.h"
#include "run/spec.h"

namespace trainyard::cli {

namespace {

constexpr double kPlainEvery = 5;               // seconds between two plain lines
constexpr double kUnreadable = 5;               // seconds
constexpr double kGone = 15;                    // seconds without the run's folder
constexpr double kQuestion = 10;                // seconds a question waits for a key
constexpr std::size_t kMostOfEventLine = 1000;  // characters of an event, of a message, of a line of a log
constexpr std::size_t kMostLinesAtEnd = 100;

/// Progress from 0 to 1, clamped because the values come from a file.
double share_of(const run::Progress& progress) {
    if (progress.of <= 0)
        return 0;
    return std::clamp(static_cast<double>(progress.step) / static_cast<double>(progress.of), 0.0, 1.0);
}

/// Steps per second of the followed run, smoothed as in tqdm.
class StepRate {
  public:
    std::optional<double> see(std::int64_t step, double now) {
        constexpr double kNewest = 0.3;  // share of the newest steps
        if (step > step_ && step_ >= 0 && now > time_) {
            const double newest = static_cast<double>(step - step_) / (now - time_);
            rate_ = rate_ ? kNewest * newest + (1 - kNewest) * *rate_ : newest;
        }
        if (step != step_) {
            step_ = step;
            time_ = now;
        }
        return rate_;
    }

  private:
    std::int64_t step_ = -1;
    double time_ = 0;
    std::optional<double> rate_;
};

/// Shows a progress line at the bottom of the terminal, or plain lines without a terminal.
class ProgressPrinter {
  public:
    ProgressPrinter(bool terminal, std::string unit) : terminal_(terminal) { throughput_.unit = std::move(unit); }

    void show(const run::Progress& progress) {
        if (progress.step == 0)
            return;
        throughput_.steps_per_s = rate_.see(progress.step, monotonic_seconds());
        if (terminal_) {
            std::string line = progress_line(progress, terminal_width() - 1, throughput_);
            if (line != shown_)
                std::printf("\r\033[K%s", line.c_str());
            shown_ = line;
        } else {
            std::int64_t tenth = static_cast<std::int64_t>(share_of(progress) * 10);
            double now = monotonic_seconds();
            bool due = tenth > tenth_ || now - printed_ >= kPlainEvery;
            if (progress.step == step_ || !due)
                return;
            tenth_ = tenth;
            printed_ = now;
            std::printf("%s\n", progress_line(progress, 200, throughput_).c_str());
        }
        step_ = progress.step;
        std::fflush(stdout);
    }

    void print_line(const std::string& line) {
        if (!shown_.empty())
            std::printf("\r\033[K");
        say(text::printable(line, kMostOfEventLine));
        if (!shown_.empty())
            std::printf("%s", shown_.c_str());
        std::fflush(stdout);
    }

    /// The last state of the line stays on the screen.
    void end() {
        if (!shown_.empty())
            std::printf("\n");
        shown_.clear();
        std::fflush(stdout);
    }

  private:
    bool terminal_;
    Throughput throughput_;
    StepRate rate_;
    std::string shown_;
    std::int64_t step_ = -1;
    std::int64_t tenth_ = 0;
    double printed_ = monotonic_seconds();
};

std::string event_line(const run::Event& event) {
    std::string clock = iso_time(event.time).substr(11, 8);
    return event.text.empty() ? fmt::format("{}  {}", clock, event.kind)
                              : fmt::format("{}  {}: {}", clock, event.kind, event.text);
}

/// A file that is being replaced on a network file system may be unreadable for a moment and is read again later. A
/// file that stays unreadable is an error.
class StateLook {
  public:
    /// Throws UserError when nothing could be read for kUnreadable seconds.
    std::optional<run::RunState> operator()(const run::RunPaths& paths) {
        try {
            std::optional<run::RunState> state = run::read_state(paths);
            read_ = monotonic_seconds();
            return state;
        } catch (const UserError&) {
            if (monotonic_seconds() - read_ > kUnreadable)
                throw;
            return std::nullopt;
        }
    }

  private:
    double read_ = monotonic_seconds();
};

/// `lost: the supervisor of ... is gone`, and what to type.
Message standing_words(const run::RunHealth& health) {
    const std::string message = text::printable(health.message.text(), kMostOfEventLine);
    return health.way_out.empty() ? Message("{}: {}", health.status, message)
                                  : Message("{}: {}; `{}` {}", health.status, message, health.way_out, health.why_type);
}

void print_end(const run::RunPaths& paths, const run::RunState& state, bool lost) {
    if (lost) {
        say(stderr, standing_words(run::run_health(paths, state, wall_seconds())).text());
        say(stderr, "its log: " + paths.supervisor_log().string());
        return;
    }
    if (!state.first_failure) {
        say(text::printable(state.message.text(), kMostOfEventLine));
        return;
    }
    say(stderr, text::printable(state.first_failure->message.text(), kMostOfEventLine));
    const std::vector<std::string>& log = state.first_failure->log;
    if (state.first_failure->rank >= 0 && !log.empty()) {
        say(stderr, "last lines of " + paths.rank_log(state.first_failure->rank).string() + ":");
        for (std::size_t i = log.size() - std::min(log.size(), kMostLinesAtEnd); i < log.size(); ++i)
            say(stderr, "  " + text::printable(log[i], kMostOfEventLine));
    }
    if (const run::RunHealth health = run::run_health(paths, state, wall_seconds()); !health.way_out.empty())
        say(stderr, fmt::format("`{}` {}", health.way_out, health.why_type));
}

/// Prints once that the supervisor is silent, and once that it reports again.
class SilenceTeller {
  public:
    /// Returns the line to print, or an empty string if nothing changed.
    std::string look(const run::RunPaths& paths, const run::RunState& state) {
        const run::RunHealth health = run::run_health(paths, state, wall_seconds());
        const bool silent = health.status == "silent" || health.status == "unreachable" || health.status == "disk full";
        if (silent == silent_)
            return "";
        silent_ = silent;
        return silent ? standing_words(health).text() : health.status + ": it reports again";
    }

  private:
    bool silent_ = false;
};

/// Detects a run folder that was deleted or moved. A live supervisor creates it again within seconds.
class FolderLook {
  public:
    /// Throws UserError when it has been gone for too long.
    void see(const run::RunPaths& paths) {
        std::error_code error;
        if (fs::exists(paths.root(), error) || error)
            gone_since_ = 0;
        else if (gone_since_ == 0)
            gone_since_ = monotonic_seconds();
        else if (monotonic_seconds() - gone_since_ > kGone)
            throw UserError("the folder {} was deleted or moved: the run cannot be followed any more",
                            paths.root().string());
    }

  private:
    double gone_since_ = 0;
};

/// Asks the user after Ctrl-C. Returns true if the run is to be stopped.
bool ask_to_stop(const run::RunPaths& paths, InterruptFlag& interrupt) {
    say(fmt::format("The run continues: trainyard runs follow {0}, trainyard runs stop {0}", word_of_run(paths)));
    std::fflush(stdout);
    if (!is_terminal(STDIN_FILENO) || !is_terminal(STDOUT_FILENO))
        return false;
    std::printf("Press s (or Ctrl-C again) to stop it after a checkpoint, any other key to leave it running. ");
    std::fflush(stdout);
    auto key = wait_for_key(kQuestion);
    std::printf("\n");
    return interrupt.taken() || key == 's' || key == 'S';
}

}  // namespace

std::string throughput_unit(const run::RunPaths& paths) {
    try {
        const run::RunSpec spec = run::read_spec(paths.spec());
        const std::string& task = spec.recipe.model.task;
        return spec.program || families::reads_text(task) ? "tokens"
               : families::reads_images(task)             ? "images"
                                                          : "recordings";
    } catch (const UserError&) {
        return "tokens";
    }
}

std::string progress_line(const run::Progress& progress, int width, const Throughput& throughput) {
    const bool counted = progress.of > 0;  // a program may not know how many steps there are
    std::string head =
        counted ? fmt::format("step {}/{} ", progress.step, progress.of) : fmt::format("step {}", progress.step);
    std::string tail;
    const double share = share_of(progress);
    if (counted)
        tail += fmt::format(" {:3.0f} %", share * 100);
    if (progress.loss)
        tail += "  loss " + loss_words(*progress.loss);
    if (const std::optional<double> rate = throughput.steps_per_s; rate && *rate >= 1)
        tail += fmt::format("  {} steps/s", text::quantity(*rate));
    else if (rate && *rate > 0)
        tail += fmt::format("  {} a step", text::duration(1 / *rate));
    if (progress.tokens_per_s)
        tail += fmt::format("  {} {}/s", text::quantity(*progress.tokens_per_s), throughput.unit);
    if (progress.eta_s && (!counted || progress.step < progress.of))
        tail += fmt::format("  {} left", text::duration(*progress.eta_s));
    int bar = std::min(30, width - static_cast<int>(head.size() + tail.size()) - 2);
    std::string line = head;
    if (counted && bar >= 5) {
        auto full = static_cast<std::size_t>(share * bar);
        line += '[' + std::string(full, '#') + std::string(static_cast<std::size_t>(bar) - full, ' ') + ']';
    }
    line += tail;
    return line.substr(0, static_cast<std::size_t>(std::max(1, width)));
}

std::string word_of_run(const run::RunPaths& paths) {
    const bool is_listed = paths.root().parent_path().lexically_normal() == run::runs_root().lexically_normal();
    return text::shell_word(is_listed ? paths.id() : paths.root().string());
}

int exit_code_of(const run::RunPaths& paths, const run::RunState& state) {
    switch (state.status) {
        case run::Status::finished:
            return kExitDone;
        case run::Status::stopped:
            return run::has_checkpoint(paths) ? kExitResumable : kExitInterrupted;
        default:
            return kExitFailed;
    }
}

std::optional<run::RunState> wait_until_over(const run::RunPaths& paths) {
    InterruptFlag interrupt;
    SilenceTeller silence;
    StateLook look;
    FolderLook folder;
    while (!interrupt.taken()) {
        folder.see(paths);
        if (auto state = look(paths)) {
            if (run::is_over(state->status))
                return state;
            look_after_lost_run(paths, *state);
            if (run::is_lost(*state, wall_seconds()))
                throw UserError(standing_words(run::run_health(paths, *state, wall_seconds())));
            if (const std::string line = silence.look(paths, *state); !line.empty())
                say(stderr, line);
        }
        pause_for(kLook);
    }
    return std::nullopt;
}

int follow(const run::RunPaths& paths, bool quiet) {
    InterruptFlag interrupt;
    ProgressPrinter printer(is_terminal(STDOUT_FILENO), throughput_unit(paths));
    run::JournalReader journal(paths.journal());
    ConsoleTail console(paths.console_log());
    SilenceTeller silence;
    StateLook look;
    bool stopping = false;
    FolderLook folder;
    std::vector<run::Event>
        held;  // events are shown one look later: the last one is the end, which is printed in its own way
    std::optional<run::Event> failure;
    for (;;) {
        // The state is read first: all events of a run that is over were written before its last state.
        folder.see(paths);
        auto state = look(paths);
        bool lost = state && run::is_lost(*state, wall_seconds());
        bool over = state && run::is_over(state->status);
        std::vector<run::Event> fresh = journal.poll();
        if (over || lost)
            held.insert(held.end(), fresh.begin(), fresh.end());
        for (const run::Event& event : held) {
            // The last failure is printed at the end, an earlier one before the restart that follows it.
            if (event.kind == "failure")
                failure = event;
            bool said_at_the_end = event.kind == "failure" || (over && event.text == state->message);
            if (quiet || said_at_the_end)
                continue;
            if (event.kind == "restart" && failure)
                printer.print_line(event_line(*std::exchange(failure, std::nullopt)));
            printer.print_line(event_line(event));
        }
        held.swap(fresh);
        for (const std::string& line : console.poll(over || lost))
            if (!quiet)
                printer.print_line(line);
        if (state && !over && !lost && !quiet)
            if (const std::string line = silence.look(paths, *state); !line.empty())
                printer.print_line(line);
        if (state && !quiet)
            printer.show(state->progress);
        if (over || lost) {
            printer.end();
            if (lost)
                look_after_lost_run(paths, *state);
            if (!quiet || state->first_failure || lost)
                print_end(paths, *state, lost);
            return lost ? kExitFailed : exit_code_of(paths, *state);
        }
        pause_for(kLook);
        if (!interrupt.taken())
            continue;
        printer.end();
        if (stopping) {
            say("Leaving; the run is being stopped: trainyard runs follow " + paths.id());
            return kExitInterrupted;
        }
        if (!ask_to_stop(paths, interrupt))
            return kExitInterrupted;
        run::drop_request(paths, run::make_request(run::StopRequest(), "terminal"));
        stopping = true;
    }
}

}  // namespace trainyard::cli
