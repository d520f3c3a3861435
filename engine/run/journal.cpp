// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/journal.h"

#include <algorithm>
#include <deque>

#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/regular_file.h"

namespace trainyard::run {

namespace {
constexpr std::uint64_t kLongestLine = 1u << 20;
constexpr std::size_t kChunk = 256u << 10;
constexpr std::uint64_t kMostAtOnce = 64u << 20;   // bytes of the file that one look takes
constexpr std::uint64_t kFewBytes = 1u << 20;      // whose lines need not be counted
constexpr std::size_t kMostLinesAtOnce = 200'000;  // that one look takes

bool ends_torn(const fs::path& file) {
    const FileDescriptor fd = try_open_regular_file(file);
    struct stat info {};
    char last = '\n';
    if (!fd || ::fstat(fd.get(), &info) != 0 || info.st_size == 0)
        return false;
    return ::pread(fd.get(), &last, 1, info.st_size - 1) == 1 && last != '\n';
}
/// Where the last kMostLinesAtOnce whole lines of [begin, end) begin. A file of the shortest lines that there can be
/// would take a hundred times its size in memory.
std::uint64_t begin_of_last_lines(int fd, std::uint64_t begin, std::uint64_t end) {
    std::deque<std::uint64_t> starts{begin};
    std::string chunk(kChunk, '\0');
    for (std::uint64_t at = begin; at < end;) {
        const ssize_t n = ::pread(fd, chunk.data(), static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, end - at)),
                                  static_cast<off_t>(at));
        if (n <= 0)
            break;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            if (chunk[i] != '\n')
                continue;
            starts.push_back(at + i + 1);
            if (starts.size() > kMostLinesAtOnce + 1)  // and the line that is not whole yet
                starts.pop_front();
        }
        at += static_cast<std::uint64_t>(n);
    }
    return starts.front();
}
}  // namespace

std::string to_json(const Event& event) {
    return fields::to_text(event);
}

Event parse_event(const std::string& text, const std::string& origin) {
    return fields::from_text<Event>(text, origin);
}

void append_event(const RunPaths& run, const Event& event) {
    std::string line = to_json(event);
    append_line(run.journal(), ends_torn(run.journal()) ? "\n" + line : line);
}

std::vector<Event> JournalReader::poll() {
    std::vector<Event> events;
    const FileDescriptor fd = try_open_regular_file(file_);
    struct stat info {};
    if (!fd || ::fstat(fd.get(), &info) != 0)
        return events;
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size < position_)
        position_ = 0;
    // What is longer was not written by a run: only its end is read.
    if (size - position_ > kMostAtOnce)
        position_ = size - kMostAtOnce;
    if (size - position_ > kFewBytes)
        position_ = begin_of_last_lines(fd.get(), position_, size);
    std::string pending;
    std::string chunk(kChunk, '\0');
    std::uint64_t offset = position_;
    while (offset < size) {
        ssize_t n =
            ::pread(fd.get(), chunk.data(), static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, size - offset)),
                    static_cast<off_t>(offset));
        if (n <= 0)
            break;
        offset += static_cast<std::uint64_t>(n);
        pending.append(chunk.data(), static_cast<std::size_t>(n));
        std::size_t begin = 0;
        for (std::size_t end; (end = pending.find('\n', begin)) != std::string::npos; begin = end + 1) {
            if (end > begin) {
                try {
                    events.push_back(parse_event(pending.substr(begin, end - begin), file_.string()));
                } catch (const UserError&) {
                    // A writer that died left an incomplete line: skip it and read the lines after it.
                }
            }
        }
        position_ += begin;
        pending.erase(0, begin);
        if (pending.size() > kLongestLine) {  // no line of ours: pass over it instead of keeping it in memory
            position_ += pending.size();
            pending.clear();
        }
    }
    return events;
}

}  // namespace trainyard::run
