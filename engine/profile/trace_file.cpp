// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/trace_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/number.h"
#include "base/system_call.h"

namespace trainyard::profile {

namespace {

constexpr std::size_t kPiece = 4 << 20;
/// Above the numbers that the kernel gives to threads.
constexpr std::int64_t kFirstRow = 2'000'000'000;
constexpr std::int64_t kMostLanes = 1000;  ///< of one row

[[noreturn]] void file_failed(const std::filesystem::path& file, const Message& what) {
    throw UserError("{}: {}: {}", file.string(), what, system_message(errno));
}

void write_all(int to, std::string_view text, const std::filesystem::path& file) {
    if (!trainyard::write_all(to, text))
        file_failed(file, "the trace cannot be written");
}

std::size_t read_some(int from, char* to, std::size_t most, const std::filesystem::path& file) {
    const ssize_t got = retry_interrupted([&] { return ::read(from, to, most); });
    if (got < 0)
        file_failed(file, "the profiler's file cannot be read");
    return static_cast<std::size_t>(got);
}

/// The number behind `"key":` in the head of the file.
std::optional<std::int64_t> number_behind(std::string_view head, std::string_view key) {
    std::size_t at = head.find(key);
    if (at == std::string_view::npos)
        return std::nullopt;
    at += key.size();
    while (at < head.size() && (head[at] == ' ' || head[at] == ':'))
        ++at;
    head.remove_prefix(at);
    return take_number<std::int64_t>(head);
}

/// Returns the lane of the row for each mark: the first lane that is free where the mark begins, or has a mark that
/// contains it.
std::vector<std::int64_t> lanes_of(const std::vector<const Mark*>& marks) {
    std::vector<std::vector<double>> open;  // by lane: the ends of the marks around
    std::vector<std::int64_t> lanes;
    for (const Mark* mark : marks) {
        std::size_t lane = 0;
        for (;; ++lane) {
            if (lane == open.size())
                open.emplace_back();
            std::vector<double>& ends = open[lane];
            while (!ends.empty() && ends.back() <= mark->begin)
                ends.pop_back();
            if (ends.empty() || mark->end <= ends.back() || static_cast<std::int64_t>(lane) + 1 == kMostLanes)
                break;
        }
        open[lane].push_back(mark->end);
        lanes.push_back(static_cast<std::int64_t>(lane));
    }
    return lanes;
}

std::string metadata(const char* what, std::int64_t row, const std::string& arguments) {
    return fmt::format("{{\"ph\": \"M\", \"name\": \"{}\", \"pid\": {}, \"tid\": {}, \"args\": {{{}}}}},\n", what,
                       ::getpid(), row, arguments);
}

/// Events of the marks, each followed by a comma. `base`: ns since 1970 that are 0 of the file.
std::string events_of(const std::vector<Mark>& marks, std::int64_t base) {
    std::array<std::vector<const Mark*>, kRows> rows;
    for (const Mark& mark : marks)
        rows[static_cast<std::size_t>(mark.row)].push_back(&mark);
    // Kineto's times are of the wall clock.
    const double before = monotonic_seconds(), wall = wall_seconds(), after = monotonic_seconds();
    const auto shift = static_cast<std::int64_t>(std::llround(wall * 1e6)) -
                       static_cast<std::int64_t>(std::llround((before + after) / 2 * 1e6)) - base / 1000;
    const auto micros = [&](double at) {
        const double whole = std::floor(at * 1e6);
        return fmt::format("{}.{:03}", static_cast<std::int64_t>(whole) + shift,
                           std::clamp(static_cast<int>((at * 1e6 - whole) * 1000), 0, 999));
    };
    std::string events;
    for (std::size_t row = 0; row < kRows; ++row) {
        std::vector<const Mark*>& own = rows[row];
        std::stable_sort(own.begin(), own.end(), [](const Mark* a, const Mark* b) {
            return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
        });
        const std::vector<std::int64_t> lanes = lanes_of(own);
        const std::int64_t most = lanes.empty() ? -1 : *std::max_element(lanes.begin(), lanes.end());
        const auto thread = [&](std::int64_t lane) {
            return kFirstRow + static_cast<std::int64_t>(row) * kMostLanes + lane;
        };
        for (std::int64_t lane = 0; lane <= most; ++lane) {
            const char* name = to_string(static_cast<Row>(row));
            events += metadata(
                "thread_name", thread(lane),
                fmt::format("\"name\": \"{}\"", lane == 0 ? std::string(name) : fmt::format("{} {}", name, lane + 1)));
            events += metadata(
                "thread_sort_index", thread(lane),
                fmt::format("\"sort_index\": {}", static_cast<std::int64_t>(row) * kMostLanes + lane - 1'000'000));
        }
        for (std::size_t i = 0; i < own.size(); ++i) {
            const Mark& mark = *own[i];
            fmt::format_to(std::back_inserter(events),
                           "{{\"ph\": \"X\", \"cat\": \"{}\", \"name\": {}, \"pid\": {}, \"tid\": {}, \"ts\": {}, "
                           "\"dur\": {:.3f}",
                           mark.category, json_text(mark.name), ::getpid(), thread(lanes[i]), micros(mark.begin),
                           std::max(0.0, mark.end - mark.begin) * 1e6);
            events += mark.arguments.empty() ? "},\n" : ", \"args\": {" + mark.arguments + "}},\n";
        }
    }
    return events;
}

}  // namespace

std::size_t write_with_marks(const std::filesystem::path& kineto, const std::filesystem::path& file,
                             const std::vector<Mark>& marks) {
    const FileDescriptor from(::open(kineto.c_str(), O_RDONLY | O_CLOEXEC));
    if (!from)
        file_failed(kineto, "the profiler wrote no file");
    const std::filesystem::path part = file.string() + ".part";
    FileDescriptor to(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!to)
        file_failed(part, "the trace cannot be written");
    std::string head(kPiece, '\0');
    head.resize(read_some(from.get(), head.data(), head.size(), kineto));
    constexpr std::string_view kList = "\"traceEvents\": [";
    const std::size_t list = head.find(kList);
    const auto base = number_behind(std::string_view(head).substr(0, list), "\"baseTimeNanoseconds\"");
    if (list == std::string::npos || !base)
        throw UserError("{}: the profiler of this LibTorch writes another form of trace", kineto.string());
    std::string events = events_of(marks, *base);
    const std::size_t next = head.find_first_not_of(" \t\r\n", list + kList.size());
    if (next != std::string::npos && head[next] == ']' && !events.empty())
        events.erase(events.rfind(','), 1);
    const std::string_view whole = head;
    std::size_t bytes = head.size() + events.size() + 1;
    write_all(to.get(), whole.substr(0, list + kList.size()), part);
    write_all(to.get(), "\n", part);
    write_all(to.get(), events, part);
    write_all(to.get(), whole.substr(list + kList.size()), part);
    head.resize(kPiece);
    while (const std::size_t got = read_some(from.get(), head.data(), head.size(), kineto)) {
        write_all(to.get(), std::string_view(head).substr(0, got), part);
        bytes += got;
    }
    if (::close(to.release()) != 0)
        file_failed(part, "the trace cannot be written");
    std::error_code error;
    std::filesystem::rename(part, file, error);
    if (error)
        throw UserError("{}: the trace cannot be written: {}", file.string(), error.message());
    return bytes;
}

}  // namespace trainyard::profile
