// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/log_store.h"

#include <algorithm>
#include <charconv>

namespace trainyard::widgets {

namespace {

constexpr std::size_t kTimeLength = 12;   // HH:MM:SS.mmm
constexpr std::size_t kDeepestFold = 64;  // lines of one rank that a later one can overwrite

bool digit(char c) {
    return c >= '0' && c <= '9';
}

LogLevel level_of_word(std::string_view word) {
    if (word == "INFO")
        return LogLevel::Info;
    if (word == "WARN" || word == "WARNING")
        return LogLevel::Warning;
    if (word == "ERROR" || word == "FATAL" || word == "CRITICAL")
        return LogLevel::Error;
    if (word == "DEBUG")
        return LogLevel::Debug;
    return LogLevel::None;
}

/// Messages that torch's profiler (Kineto) prints as errors on machines without a GPU, where nothing is wrong.
bool is_profiler_noise(std::string_view line) {
    if (!line.starts_with("ERROR:"))
        return false;
    for (std::string_view words : {"gpuGetDeviceCount failed", "cudaGetDeviceCount failed",
                                   "External init callback must run in same thread as registerClient"})
        if (line.find(words) != std::string_view::npos)
            return true;
    return false;
}

/// Lines of other programs carry their level somewhere: Python warnings, tracebacks, C library messages.
LogLevel guessed_level(std::string_view line) {
    if (is_profiler_noise(line))
        return LogLevel::Info;
    for (std::string_view word : {"ERROR", "Error:", "Traceback (most recent call last)", "FATAL", "terminate called"})
        if (line.find(word) != std::string_view::npos)
            return LogLevel::Error;
    for (std::string_view word : {"WARN", "Warning:", "warning:"})
        if (line.find(word) != std::string_view::npos)
            return LogLevel::Warning;
    return LogLevel::None;
}

/// The number at `text`; -1: there is none.
std::int64_t number_at(std::string_view text) {
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() ? number : -1;
}

}  // namespace

int line_time(std::string_view line) {
    if (line.size() < kTimeLength)
        return -1;
    static constexpr std::string_view kShape = "dd:dd:dd.ddd";
    for (std::size_t i = 0; i < kTimeLength; ++i)
        if (kShape[i] == 'd' ? !digit(line[i]) : line[i] != kShape[i])
            return -1;
    const auto two = [&](std::size_t at) { return (line[at] - '0') * 10 + (line[at + 1] - '0'); };
    return ((two(0) * 60 + two(3)) * 60 + two(6)) * 1000 + (line[9] - '0') * 100 + two(10);
}

std::int64_t line_step(std::string_view words) {
    constexpr std::string_view kWord = "step";
    for (std::size_t at = words.find(kWord); at != std::string_view::npos; at = words.find(kWord, at + 1)) {
        std::size_t next = at + kWord.size();
        const std::size_t most = std::min(words.size(), next + 4);
        while (next < most && std::string_view(" =:'\"").find(words[next]) != std::string_view::npos)
            ++next;
        if (next > at + kWord.size() && next < words.size() && digit(words[next]))
            return number_at(words.substr(next));
    }
    // A progress bar: " 46%|####     | 18420/40000 [1:02:03<..."
    for (std::size_t slash = words.find('/'); slash != std::string_view::npos; slash = words.find('/', slash + 1)) {
        std::size_t begin = slash;
        while (begin > 0 && digit(words[begin - 1]))
            --begin;
        std::size_t end = slash + 1;
        while (end < words.size() && digit(words[end]))
            ++end;
        if (begin < slash && end > slash + 1 && words.substr(end).starts_with(" ["))
            return number_at(words.substr(begin, slash - begin));
    }
    return -1;
}

void LogBlock::foldBack(int rank, int wanted) {
    const std::size_t deepest = lines.size() > kDeepestFold ? lines.size() - kDeepestFold : 0;
    for (std::size_t i = lines.size(); wanted > 0 && i > deepest; --i)
        if (lines[i - 1].rank == rank) {
            lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i - 1));
            --wanted;
        }
    if (wanted > 0)
        folds.push_back({static_cast<std::int16_t>(rank), static_cast<std::uint16_t>(std::min<std::size_t>(
                                                              static_cast<std::size_t>(wanted), kDeepestFold))});
}

void LogBlock::add(int rank, std::string_view raw) {
    const TerminalLine shown = terminal_line(raw);
    const std::string& plain = shown.text;
    if (shown.lines_up > 0)
        foldBack(rank, shown.lines_up);
    LogLine line;
    line.offset = static_cast<std::uint32_t>(text.size());
    line.length = static_cast<std::uint32_t>(plain.size());
    line.rank = static_cast<std::int16_t>(rank);
    if (line_time(plain) >= 0 && plain.size() > kTimeLength + 1) {
        const std::size_t end = std::min(plain.find(' ', kTimeLength + 1), plain.size());
        line.level = level_of_word(std::string_view(plain).substr(kTimeLength + 1, end - kTimeLength - 1));
        if (line.level != LogLevel::None) {
            const std::size_t words = std::min(plain.find_first_not_of(' ', end), plain.size());
            line.head = static_cast<std::uint8_t>(std::min<std::size_t>(words, 255));
        }
    } else {
        line.level = guessed_level(plain);
    }
    for (const StyledText& part : shown.styled)
        styled.push_back({line.offset + part.begin, line.offset + part.end, part.style});
    text += plain;
    lines.push_back(line);
}

std::vector<std::uint32_t> LogStore::append(std::shared_ptr<const LogBlock> block) {
    std::vector<std::uint32_t> vanished;
    for (const LogFold& fold : block->folds) {
        std::vector<std::uint32_t>& last = last_[fold.rank];
        for (int i = 0; i < fold.lines && !last.empty(); ++i) {
            vanished.push_back(last.back());
            --counts_[static_cast<std::size_t>(line(last.back()).level)];
            last.pop_back();
        }
    }
    std::sort(vanished.begin(), vanished.end());
    newest_ = block;
    if (block->lines.empty())
        return vanished;
    firsts_.push_back(size_);
    for (std::size_t i = 0; i < block->lines.size(); ++i)
        ++counts_[static_cast<std::size_t>(block->lines[i].level)];
    std::map<int, std::vector<std::uint32_t>> fresh;
    for (std::size_t i = block->lines.size(); i > 0; --i) {
        std::vector<std::uint32_t>& of_rank = fresh[block->lines[i - 1].rank];
        if (of_rank.size() < kDeepestFold)
            of_rank.push_back(static_cast<std::uint32_t>(size_ + i - 1));
    }
    for (auto& [rank, lines] : fresh) {
        std::vector<std::uint32_t>& last = last_[rank];
        last.insert(last.end(), lines.rbegin(), lines.rend());
        if (last.size() > kDeepestFold)
            last.erase(last.begin(), last.end() - static_cast<std::ptrdiff_t>(kDeepestFold));
    }
    size_ += block->lines.size();
    blocks_.push_back(std::move(block));
    return vanished;
}

LogStore::Place LogStore::place(std::size_t index) const {
    const auto after = std::upper_bound(firsts_.begin(), firsts_.end(), index);
    const auto block = static_cast<std::size_t>(after - firsts_.begin()) - 1;
    return {blocks_[block].get(), index - firsts_[block]};
}

const LogLine& LogStore::line(std::size_t index) const {
    const Place at = place(index);
    return at.block->lines[at.index];
}

std::string_view LogStore::text(std::size_t index) const {
    const Place at = place(index);
    const LogLine& line = at.block->lines[at.index];
    return std::string_view(at.block->text).substr(line.offset, line.length);
}

std::span<const StyledText> LogStore::styled(std::size_t index) const {
    const Place at = place(index);
    const LogLine& line = at.block->lines[at.index];
    const std::vector<StyledText>& all = at.block->styled;
    const auto before = [](const StyledText& part, std::uint32_t offset) { return part.begin < offset; };
    const auto first = std::lower_bound(all.begin(), all.end(), line.offset, before);
    const auto last = std::lower_bound(first, all.end(), line.offset + line.length, before);
    return {first, last};
}

const std::vector<LiveLine>& LogStore::live() const {
    static const std::vector<LiveLine> none;
    return newest_ ? newest_->live : none;
}

}  // namespace trainyard::widgets
