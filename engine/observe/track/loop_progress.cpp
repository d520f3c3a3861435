// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <trainyard/loop_progress.h>
#include <unistd.h>

#include "base/clock.h"

namespace trainyard::track {

namespace {

// Weight of the newest measurement of the rate, as in tqdm.
constexpr double kSmoothing = 0.3;
constexpr int kUsualWidth = 80;

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// `cells` characters, of which a share is filled; the last one in eighths.
std::string bar_of(double share, int cells) {
    static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int eighths = static_cast<int>(std::clamp(share, 0.0, 1.0) * cells * 8);
    std::string bar;
    for (int i = 0; i < eighths / 8; ++i)
        bar += "█";
    bar += kEighths[eighths % 8];
    const int drawn = eighths / 8 + (eighths % 8 > 0 ? 1 : 0);
    return bar + std::string(static_cast<std::size_t>(cells - drawn), ' ');
}

/// The first `width` characters: a longer line would wrap, and then could not be drawn over.
std::string cut(const std::string& text, int width) {
    int left = width;
    std::size_t end = 0;
    while (end < text.size() && ((text[end] & 0xc0) == 0x80 || left-- > 0))
        ++end;
    return text.substr(0, end);
}

void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n <= 0)
            return;  // training continues without its terminal
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

int width_of(int fd) {
    winsize size{};
    return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

/// `01:05`, `1:02:03`, as tqdm writes durations.
std::string clock_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::max(0.0, seconds));
    const std::int64_t hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
    return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, rest) : fmt::format("{:02}:{:02}", minutes, rest);
}

}  // namespace

std::string Progress::line(const ProgressOptions& options, std::int64_t count, double elapsed,
                           std::optional<double> rate, const std::string& postfix, int width) {
    std::string speed = "?" + options.unit + "/s";
    if (rate && *rate > 0)
        speed = *rate >= 1 ? fmt::format("{:5.2f}{}/s", *rate, options.unit)
                           : fmt::format("{:5.2f}s/{}", 1 / *rate, options.unit);
    const std::string behind = postfix.empty() ? "" : ", " + postfix;
    const std::string head = options.description.empty() ? "" : options.description + ": ";
    if (!options.total || *options.total <= 0)
        return cut(fmt::format("{}{}{} [{}, {}{}]", head, count, options.unit, clock_text(elapsed), speed, behind),
                   width);
    const double share = static_cast<double>(count) / static_cast<double>(*options.total);
    const std::string left = rate && *rate > 0 && count <= *options.total
                                 ? clock_text(static_cast<double>(*options.total - count) / *rate)
                                 : "?";
    const std::string before = fmt::format("{}{:3}%|", head, static_cast<int>(100 * share));
    const std::string after =
        fmt::format("| {}/{} [{}<{}, {}{}]", count, *options.total, clock_text(elapsed), left, speed, behind);
    const int cells = std::max(1, width - static_cast<int>(columns_of(before) + columns_of(after)));
    return cut(before + bar_of(share, cells) + after, width);
}

Progress::Progress(ProgressOptions options) : options_(std::move(options)), count_(options_.initial) {
    visible_ = options_.is_local_main || !options_.main_process_only;
    terminal_ = ::isatty(options_.fd) == 1;
    started_ = drawn_ = monotonic_seconds();
    drawn_count_ = static_cast<double>(count_);
    if (visible_ && terminal_)
        draw(false);
}

Progress::~Progress() {
    close();
}

void Progress::update(std::int64_t steps) {
    count_ += steps;
    const double since = monotonic_seconds() - drawn_;
    if (visible_ && open_ && since >= (terminal_ ? options_.min_interval : options_.plain_interval))
        draw(false);
}

void Progress::set_postfix(std::string text) {
    postfix_ = std::move(text);
}

void Progress::write(const std::string& line) {
    if (!visible_)
        return;
    write_all(options_.fd, (terminal_ && open_ ? "\r\x1b[K" : "") + line + "\n");
    if (terminal_ && open_)
        draw(false);
}

void Progress::close() {
    if (!open_)
        return;
    if (visible_)
        draw(true);
    open_ = false;
}

void Progress::draw(bool last) {
    const double now = monotonic_seconds();
    const double steps = static_cast<double>(count_) - drawn_count_, seconds = now - drawn_;
    if (steps > 0 && seconds > 0)
        rate_ = rate_ ? kSmoothing * steps / seconds + (1 - kSmoothing) * *rate_ : steps / seconds;
    drawn_ = now;
    drawn_count_ = static_cast<double>(count_);
    const double elapsed = now - started_;
    // At the end the mean over all steps says more than the newest ones.
    const auto done = static_cast<double>(count_ - options_.initial);
    const std::optional<double> rate = last && elapsed > 0 && done > 0 ? std::optional(done / elapsed) : rate_;
    const std::string text =
        line(options_, count_, elapsed, rate, postfix_, terminal_ ? width_of(options_.fd) - 1 : kUsualWidth);
    write_all(options_.fd, terminal_ ? "\r" + text + "\x1b[K" + (last ? "\n" : "") : text + "\n");
}

}  // namespace trainyard::track
