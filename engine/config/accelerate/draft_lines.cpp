// SPDX-License-Identifier: GPL-3.0-or-later
// Which line of a settings file holds which key, and what changed between two of them.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "config/accelerate/draft.h"

namespace trainyard::settings {

namespace {

// Beyond this the longest common subsequence would cost more than a keystroke may; then lines are matched by their key only.
constexpr std::size_t kMostCells = 400'000;

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// `key:` at the beginning of a line, without quotes; empty when the line begins otherwise.
std::string_view key_at(std::string_view line) {
    if (line.empty() || line.front() == '#' || line.starts_with("- ") || line == "-")
        return {};
    std::size_t end = 0;
    if (line.front() == '"' || line.front() == '\'') {
        end = line.find(line.front(), 1);
        if (end == std::string_view::npos || end + 1 >= line.size() || line[end + 1] != ':')
            return {};
        return line.substr(1, end - 1);
    }
    end = line.find(':');
    if (end == std::string_view::npos || (end + 1 < line.size() && line[end + 1] != ' '))
        return {};
    return line.substr(0, end);
}

/// Block YAML by its indentation; JSON as we and the reference write it looks the same with one level more.
std::vector<std::string> paths_of(const std::vector<std::string_view>& lines) {
    std::vector<std::string> paths;
    bool json = !lines.empty() && lines.front().starts_with('{');
    std::string table;
    std::string path;
    std::size_t top_indent = json ? 2 : 0;
    std::size_t nested_indent = 0;
    for (std::string_view line : lines) {
        std::size_t indent = std::min(line.find_first_not_of(" {"), line.size());
        std::string_view content = line.substr(indent);
        bool comment = content.empty() || content.front() == '#' || content == "}" || content.starts_with("---");
        std::string_view key = key_at(content);
        if (comment) {
            paths.emplace_back();
            continue;
        }
        if (!key.empty() && indent <= top_indent) {
            table = key;
            path = table;
            nested_indent = 0;
        } else if (!key.empty() && (nested_indent == 0 || indent <= nested_indent)) {
            nested_indent = indent;
            path = table + "." + std::string(key);
        }
        paths.push_back(path);  // items of a list and texts over several lines belong to the key above
    }
    return paths;
}

struct Side {
    std::vector<std::string_view> lines;
    std::vector<std::string> paths;
    explicit Side(std::string_view text) : lines(split_lines(text)), paths(paths_of(lines)) {}
};

/// A stretch of lines that differ: a key on both sides is a change, everything else went or came.
void add_hunk(const Side& before, std::size_t from, std::size_t to, const Side& after, std::size_t first,
              std::size_t last, std::vector<DraftLine>& result) {
    std::vector<char> paired(to - from, 0);
    std::vector<std::optional<std::size_t>> partner(last - first);
    for (std::size_t b = first; b < last; ++b)
        for (std::size_t a = from; a < to; ++a)
            if (!paired[a - from] && !after.paths[b].empty() && before.paths[a] == after.paths[b]) {
                paired[a - from] = 1;
                partner[b - first] = a;
                break;
            }
    std::size_t next = from;
    auto removed_until = [&](std::size_t end) {
        for (; next < end; ++next)
            if (!paired[next - from])
                result.push_back({DraftLine::Change::removed, std::string(before.lines[next]), before.paths[next]});
    };
    for (std::size_t b = first; b < last; ++b) {
        if (partner[b - first])
            removed_until(*partner[b - first]);
        DraftLine line{DraftLine::Change::added, std::string(after.lines[b]), after.paths[b]};
        if (partner[b - first])
            line.change = before.lines[*partner[b - first]] == after.lines[b] ? DraftLine::Change::same
                                                                              : DraftLine::Change::changed;
        result.push_back(std::move(line));
    }
    removed_until(to);
}

}  // namespace

std::vector<DraftLine> compare_texts(const std::string& before_text, const std::string& after_text) {
    Side before(before_text);
    Side after(after_text);
    std::vector<DraftLine> result;
    auto same = [&](std::size_t b) {
        result.push_back({DraftLine::Change::same, std::string(after.lines[b]), after.paths[b]});
    };
    std::size_t head = 0;
    std::size_t n = before.lines.size();
    std::size_t m = after.lines.size();
    while (head < n && head < m && before.lines[head] == after.lines[head])
        same(head++);
    while (n > head && m > head && before.lines[n - 1] == after.lines[m - 1]) {
        --n;
        --m;
    }
    std::size_t rows = n - head;
    std::size_t columns = m - head;
    std::size_t a = head;
    std::size_t b = head;
    if ((rows + 1) * (columns + 1) <= kMostCells) {
        // Longest common subsequence of the middle, from its end.
        std::vector<std::uint16_t> length((rows + 1) * (columns + 1), 0);
        auto at = [&](std::size_t i, std::size_t j) -> std::uint16_t& { return length[i * (columns + 1) + j]; };
        for (std::size_t i = rows; i-- > 0;)
            for (std::size_t j = columns; j-- > 0;)
                at(i, j) = before.lines[head + i] == after.lines[head + j]
                               ? static_cast<std::uint16_t>(at(i + 1, j + 1) + 1)
                               : std::max(at(i + 1, j), at(i, j + 1));
        std::size_t from = a;
        std::size_t first = b;
        while (a < n && b < m) {
            if (before.lines[a] == after.lines[b]) {
                add_hunk(before, from, a, after, first, b, result);
                same(b);
                from = ++a;
                first = ++b;
            } else if (at(a + 1 - head, b - head) >= at(a - head, b + 1 - head)) {
                ++a;
            } else {
                ++b;
            }
        }
        a = from;
        b = first;
    }
    add_hunk(before, a, n, after, b, m, result);
    for (std::size_t rest = m; rest < after.lines.size(); ++rest)
        same(rest);
    return result;
}

}  // namespace trainyard::settings
