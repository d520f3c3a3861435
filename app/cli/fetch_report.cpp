// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/fetch_report.h"

#include <algorithm>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "cli/say.h"

namespace trainyard::cli {

namespace {

constexpr double kBetweenLines = 0.1, kBetweenEvents = 0.25;  ///< seconds

/// Everything that was received is in the cache already.
void end_at_once(int) {
    constexpr char kText[] = "\ntrainyard: interrupted: the next download continues from here\n";
    (void)!::write(STDERR_FILENO, kText, sizeof kText - 1);
    ::_exit(kExitInterrupted);
}

}  // namespace

hub::FetchOptions FetchReport::options() {
    hub::FetchOptions options;
    options.report = [this](const hub::FetchProgress& progress) { show(progress); };
    return options;
}

void FetchReport::show(const hub::FetchProgress& progress) {
    if (!started_) {
        started_ = true;
        terminal_ = !json_ && ::isatty(STDERR_FILENO) == 1;
        signal_before_ = std::signal(SIGINT, &end_at_once);
        if (signal_before_ == SIG_IGN)
            std::signal(SIGINT, SIG_IGN);
    }
    if (progress.name != name_)
        end_repository();
    name_ = progress.name;
    if (start_ == 0 && progress.of > 0) {
        start_ = monotonic_seconds();
        first_bytes_ = progress.bytes;
        if (!json_ && !terminal_)
            say(stderr, fmt::format("trainyard: downloading {}: {} file{}, {}", progress.name, progress.files,
                                    progress.files == 1 ? "" : "s", text::file_size(progress.of)));
    }
    const double now = monotonic_seconds();
    const bool is_end = progress.of > 0 && progress.bytes == progress.of;
    if (progress.note.empty() && !is_end && now - shown_ < (json_ ? kBetweenEvents : kBetweenLines))
        return;
    shown_ = now;
    last_ = progress;
    if (json_) {
        nlohmann::ordered_json event{{"event", progress.note.empty() ? "progress" : "note"},
                                     {"name", progress.name},
                                     {"file", progress.file},
                                     {"bytes", progress.bytes},
                                     {"of", progress.of}};
        if (!progress.note.empty())
            event["text"] = progress.note;
        say(stdout, json_text(event));
        std::fflush(stdout);
        return;
    }
    if (!progress.note.empty()) {
        if (has_line_)
            std::fputs("\r\x1b[K", stderr);
        has_line_ = false;
        say(stderr, "trainyard: " + progress.note.text());
    }
    if (terminal_ && progress.of > 0)
        print_line(progress);
}

void FetchReport::print_line(const hub::FetchProgress& progress) {
    const double seconds = monotonic_seconds() - start_;
    std::string line = fmt::format("downloading {}: {} of {}", progress.name, text::file_size(progress.bytes),
                                   text::file_size(progress.of));
    if (const std::uint64_t now = progress.bytes - std::min(progress.bytes, first_bytes_); seconds > 0.5 && now > 0)
        line += fmt::format(", {}/s", text::file_size(static_cast<std::uint64_t>(static_cast<double>(now) / seconds)));
    line += ", " + progress.file;
    constexpr std::size_t kColumns = 78;
    line = text::printable(line, kColumns);
    std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
    std::fflush(stderr);
    has_line_ = true;
}

void FetchReport::finish() {
    if (!started_)
        return;
    started_ = false;
    std::signal(SIGINT, signal_before_);
    end_repository();
}

void FetchReport::end_repository() {
    if (has_line_)
        std::fputc('\n', stderr);
    has_line_ = false;
    if (!json_ && !terminal_ && last_.of > 0 && last_.bytes == last_.of)
        say(stderr,
            fmt::format("trainyard: downloaded {} in {}", last_.name, text::duration(monotonic_seconds() - start_)));
    start_ = 0;
    last_ = {};
}

}  // namespace trainyard::cli
