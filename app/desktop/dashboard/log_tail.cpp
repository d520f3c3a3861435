// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/log_tail.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/regular_file.h"

namespace trainyard::desktop {

namespace {

constexpr std::size_t kLongestLine = 64u << 10;  // of one line kept in memory; the file has all of it
constexpr std::size_t kLongestLive = 4096;       // of a line that is drawn over itself again and again

/// `rank-00003.log` -> 3, `supervisor.log` -> -1, other names -> -2. `rank-00003.log.1`, the part before the last
/// rotation, -> 3.
int rank_of_log(const std::string& name) {
    if (name == "supervisor.log")
        return -1;
    int rank = 0;
    if (!name.starts_with("rank-"))
        return -2;
    std::size_t at = 5;
    for (; at < name.size() && name[at] >= '0' && name[at] <= '9' && rank < 100000; ++at)
        rank = rank * 10 + (name[at] - '0');
    return at > 5 && (name.substr(at) == ".log" || name.substr(at) == ".log.1") ? rank : -2;
}

/// Converts a line of the supervisor, which begins with a full time stamp in UTC, to the format of the ranks: local
/// time of day and a level, so that all lines look alike and can be sorted. Other lines are returned unchanged.
std::string as_rank_writes(std::string line) {
    static constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd.dddZ ";
    if (line.size() < kShape.size())
        return line;
    for (std::size_t i = 0; i < kShape.size(); ++i)
        if (kShape[i] == 'd' ? line[i] < '0' || line[i] > '9' : line[i] != kShape[i])
            return line;
    // Milliseconds are the text's own: whole seconds alone go through the calendar.
    const auto seconds = static_cast<std::time_t>(std::llround(parse_iso_time(line.substr(0, 19) + "Z")));
    std::tm day{};
    ::localtime_r(&seconds, &day);
    const std::string words = line.substr(kShape.size());
    return fmt::format("{:02}:{:02}:{:02}{} {} {}", day.tm_hour, day.tm_min, day.tm_sec, line.substr(19, 4),
                       words.starts_with("failed") ? "ERROR" : "INFO ", words);
}

/// Keeps only the last drawing of an unfinished progress bar, and how many lines up the previous one had moved.
void keep_last_drawing(std::string& text) {
    std::size_t last = text.rfind('\r');
    if (last != std::string::npos && last + 1 == text.size() && last > 0)
        last = text.rfind('\r', last - 1);
    if (last == std::string::npos || last == 0)
        return;
    const int up = widgets::terminal_line(std::string_view(text).substr(0, last)).lines_up;
    std::string kept = up > 0 ? "\x1b[" + std::to_string(up) + "A" : std::string();
    text = kept.append(text, last);
}

void split(std::string& text, std::vector<std::string>& lines) {
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        lines.push_back(text.substr(begin, std::min(end - begin, kLongestLine)));
    text.erase(0, begin);
    if (text.size() > kLongestLive)
        keep_last_drawing(text);
    if (text.size() > kLongestLine) {
        lines.push_back(text.substr(0, kLongestLine));
        text.clear();
    }
}

}  // namespace

bool LogTail::read(const std::filesystem::path& path, File& file, std::uint64_t limit, std::vector<std::string>& lines,
                   bool& more) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 ||
        (info.st_ino == file.inode && static_cast<std::uint64_t>(info.st_size) == file.position))
        return false;
    const FileDescriptor fd = try_open_regular_file(path);
    if (!fd || ::fstat(fd.get(), &info) != 0)
        return false;
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (info.st_ino != file.inode || size < file.position) {
        file.inode = info.st_ino;
        file.position = 0;
        file.unfinished.clear();
    }
    std::uint64_t left = std::min(size - file.position, limit);
    more = more || size - file.position > limit;
    std::string bytes(left, '\0');
    std::size_t have = 0;
    while (have < left) {
        const ssize_t n = ::pread(fd.get(), bytes.data() + have, left - have, static_cast<off_t>(file.position + have));
        if (n <= 0)
            break;
        have += static_cast<std::size_t>(n);
    }
    bytes.resize(have);
    file.position += have;
    file.unfinished += bytes;
    const std::size_t before = lines.size();
    split(file.unfinished, lines);
    if (file.rank < 0)
        for (std::size_t i = before; i < lines.size(); ++i)
            lines[i] = as_rank_writes(std::move(lines[i]));
    if (file.unfinished.capacity() > 2 * (kLongestLine + file.unfinished.size()))
        file.unfinished.shrink_to_fit();  // the slice that was read; what is left of it is short
    return true;
}

std::shared_ptr<const widgets::LogBlock> LogTail::poll(std::uint64_t limit_bytes, bool& more) {
    std::error_code error;
    std::filesystem::directory_iterator entry(folder_, error), end;
    for (; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        const int rank = rank_of_log(name);
        if (rank == -2 || files_.contains(name))
            continue;
        // A log.1 that appears later is the file that was read already, after its rotation.
        if (name.ends_with(".1") && !first_)
            continue;
        files_[name].rank = rank;
    }
    first_ = false;
    struct Source {
        int rank;
        std::vector<std::string> lines;
        std::size_t next = 0;
        int time = -1;
    };
    std::vector<Source> sources;
    bool changed = false;
    for (auto& [name, file] : files_) {
        if (const auto older = files_.find(name + ".1"); older != files_.end() && older->second.inode == 0) {
            // The older part of this log comes first, whole.
            std::vector<std::string> lines;
            bool ignored = false;
            changed |= read(folder_ / older->first, older->second, 64u << 20, lines, ignored);
            sources.push_back({file.rank, std::move(lines)});
        }
        if (name.ends_with(".1"))
            continue;
        std::vector<std::string> lines;
        changed |= read(folder_ / name, file, limit_bytes, lines, more);
        if (!sources.empty() && sources.back().rank == file.rank)
            sources.back().lines.insert(sources.back().lines.end(), std::make_move_iterator(lines.begin()),
                                        std::make_move_iterator(lines.end()));
        else
            sources.push_back({file.rank, std::move(lines)});
    }
    if (!changed)
        return nullptr;
    auto block = std::make_shared<widgets::LogBlock>();
    const auto look = [](Source& source) {
        if (source.next < source.lines.size())
            if (const int time = widgets::line_time(source.lines[source.next]); time >= 0)
                source.time = time;
    };
    for (Source& source : sources)
        look(source);
    while (true) {
        Source* earliest = nullptr;
        for (Source& source : sources)
            if (source.next < source.lines.size() && (earliest == nullptr || source.time < earliest->time))
                earliest = &source;
        if (earliest == nullptr)
            break;
        block->add(earliest->rank, earliest->lines[earliest->next++]);
        look(*earliest);
    }
    block->text.shrink_to_fit();  // it stays as long as the page does
    block->lines.shrink_to_fit();
    block->live = unfinishedLines();
    std::vector<std::string> live;
    for (const widgets::LiveLine& line : block->live)
        live.push_back(std::to_string(line.rank) + ' ' + line.line.text);
    if (block->lines.empty() && live == live_)
        return nullptr;
    live_ = std::move(live);
    return block;
}

std::vector<widgets::LiveLine> LogTail::unfinishedLines() const {
    std::vector<widgets::LiveLine> lines;
    for (const auto& [name, file] : files_)
        if (!file.unfinished.empty())
            if (widgets::TerminalLine line = widgets::terminal_line(file.unfinished); !line.text.empty())
                lines.push_back({file.rank, std::move(line)});
    std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
    return lines;
}

}  // namespace trainyard::desktop
