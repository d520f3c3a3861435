// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/run_report.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "run/idle_time.h"

namespace trainyard::launch {

namespace {
constexpr std::size_t kLongestBacklog = 500;  // events that wait for space on the disk
}

run::RunState& RunReport::change() {
    state_changed_ = true;
    return state_;
}

run::RunState& RunReport::change_figures() {
    figures_changed_ = true;
    return state_;
}

void RunReport::set_status(run::Status status, const Message& message) {
    change().status = status;
    state_.message = message;
    if (options_.foreground)
        return;
    // `finished 200 steps in 33 s` begins with the status already.
    const std::string word = run::to_string(status);
    const std::string line = message.text().starts_with(word) ? message.text() : word + ": " + message.text();
    print(line);
}

void RunReport::print(const std::string& line) {
    std::fprintf(stderr, "%s %s\n", iso_time(wall_seconds()).c_str(), line.c_str());
}

void RunReport::record(const char* kind, const Message& text, int rank, std::int64_t step, const std::string& path) {
    append({wall_seconds(), step, kind, rank, text, path});
}

void RunReport::append(const run::Event& event) {
    backlog_.push_back(event);
    if (backlog_.size() > kLongestBacklog)
        backlog_.pop_front();
    if (run::follow_idle_time(state_, event))
        state_changed_ = true;
    write_backlog();
    if (options_.happened)
        options_.happened(event);
}

void RunReport::write_backlog() {
    if (!has_folder_)
        return;
    try {
        for (; !backlog_.empty(); backlog_.pop_front())
            run::append_event(paths_, backlog_.front());
        journal_failed_ = false;
    } catch (const UserError& error) {
        if (!journal_failed_)
            std::fprintf(stderr, "%s\n", error.what());
        journal_failed_ = true;
    }
}

void RunReport::record_hang(const Message& sentence, const std::vector<RankStatus>& ranks, std::optional<int> behind) {
    const fs::path file = paths_.logs() / fmt::format("hang-{}.json", ++hangs_);
    try {
        write_file_atomically(file, flight_record(ranks, behind, sentence, state_.generation, wall_seconds()), false);
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    record("warning", sentence, behind.value_or(-1), state_.progress.step, fs::relative(file, paths_.root()).string());
}

void RunReport::restart_progress() {
    meter_ = ProgressMeter();
    restarting_ = true;
    change().progress.eta_s.reset();
}

void RunReport::progress(const ProgressReport& report, double now) {
    run::Progress progress = report.progress;
    if (restarting_ && report.step_s.value_or(0) > 0)
        end_idle_time();
    meter_.report(progress.step, report.step_s, now);
    progress.eta_s = meter_.eta(progress.step, progress.of);
    // A report leaves out values that have not changed.
    const run::Progress& before = state_.progress;
    if (progress.of == 0)
        progress.of = before.of;
    if (!progress.loss)
        progress.loss = before.loss;
    if (!progress.validation_loss)
        progress.validation_loss = before.validation_loss;
    if (!progress.tokens_per_s)
        progress.tokens_per_s = before.tokens_per_s;
    change_figures().progress = progress;
}

void RunReport::end_idle_time() {
    restarting_ = false;
    if (run::end_idle_time(state_, wall_seconds()))
        state_changed_ = true;
}

void RunReport::open_logs(std::size_t ranks) {
    while (logs_.size() < ranks)
        logs_.emplace_back(paths_.rank_log(static_cast<int>(logs_.size())));
}

void RunReport::reopen_logs(std::size_t ranks) {
    logs_.clear();
    open_logs(ranks);
}

void RunReport::record_lost_output() {
    for (int rank = 0; static_cast<std::size_t>(rank) < logs_.size(); ++rank)
        if (const std::uint64_t lost = log(rank).lost_bytes(); lost > 0)
            record("warning", Message("{} of the log of rank {} could not be written", text::file_size(lost), rank),
                   rank);
}

double RunReport::due() const {
    return written_ + (state_changed_     ? options_.state_gap_s
                       : figures_changed_ ? options_.figures_gap_s
                                          : options_.state_every_s);
}

void RunReport::write(double now, const std::vector<double>& last_contacts) {
    written_ = now;
    if (!has_folder_)
        return;
    for (std::size_t i = 0; i < last_contacts.size() && i < state_.machines.size(); ++i)
        state_.machines[i].last_contact = last_contacts[i];
    try {
        run::write_state(paths_, state_, false);
        state_changed_ = figures_changed_ = false;
        write_failed_ = false;
        write_backlog();
    } catch (const UserError& error) {
        if (!write_failed_)
            std::fprintf(stderr, "%s\n", error.what());
        write_failed_ = true;
    }
}

void RunReport::write_last() {
    // The run itself may have filled the disk; what was freed in the meantime makes room for the last state.
    for (int attempt = 0; has_folder_; ++attempt) {
        try {
            write_backlog();
            run::write_state(paths_, state_, true);
            break;
        } catch (const UserError& error) {
            std::fprintf(stderr, "%s\n", error.what());
            if (attempt == 20)
                break;
            ::usleep(500'000);
        }
    }
}

}  // namespace trainyard::launch
