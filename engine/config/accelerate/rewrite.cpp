// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a file back without losing what the user wrote besides the keys: lines whose value does not change are kept
// byte for byte, and comments move with the key below them. Every result is read again and compared. A text that cannot
// be edited line by line (flow style, aliases, block texts in odd places) is rewritten completely, with the comments
// that belong to keys.

#include <algorithm>
#include <map>

#include "base/text_file.h"
#include "config/accelerate/schema.h"
#include "config/accelerate/settings_file.h"
#include "config/values/value_formats.h"

namespace trainyard::settings {

namespace {

bool is_comment_or_blank(std::string_view line) {
    std::size_t start = line.find_first_not_of(" \t\r\n");
    return start == std::string_view::npos || line[start] == '#';
}
bool is_blank_line(std::string_view line) {
    return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

/// Lines of one key: the comments above it, its own, up to the next key's comments.
struct Block {
    const Entry* entry = nullptr;
    std::size_t comments = 0;  ///< index of the first line of its comments
    std::size_t start = 0;     ///< of the key's own first line
    std::size_t end = 0;       ///< one past its last line
};

class Editor {
  public:
    explicit Editor(std::string_view text) : lines_(lines_of(text)) {}

    std::string edit(const Value::Map& before, const Value::Map& after) {
        edit_map(before, after, "", 0, 0, lines_.size());
        return std::move(out_);
    }

  private:
    std::vector<Block> blocks_of(const Value::Map& map, std::size_t start, std::size_t end) const {
        std::vector<Block> blocks;
        for (const Entry& entry : map)
            if (entry.line > 0 && static_cast<std::size_t>(entry.line) <= lines_.size())
                blocks.push_back({&entry, 0, static_cast<std::size_t>(entry.line) - 1, 0});
        std::ranges::sort(blocks, {}, &Block::start);
        std::size_t behind = start;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            Block& block = blocks[i];
            std::size_t next = i + 1 < blocks.size() ? blocks[i + 1].start : end;
            block.comments = block.start;
            while (block.comments > behind && is_comment_or_blank(lines_[block.comments - 1]))
                --block.comments;
            block.end = std::max(next, block.start + 1);
            while (block.end > block.start + 1 && is_comment_or_blank(lines_[block.end - 1]))
                --block.end;
            behind = block.end;
        }
        return blocks;
    }

    void copy(std::size_t start, std::size_t end) {
        for (std::size_t i = start; i < end; ++i) {
            if (!out_.empty() && out_.back() != '\n')
                out_ += '\n';
            out_ += lines_[i];
        }
    }
    void add(const std::string& text) {
        if (!out_.empty() && out_.back() != '\n')
            out_ += '\n';
        out_ += text;
    }

    struct New {
        const Entry* entry;
        std::size_t place;  ///< blocks before it
    };

    /// Returns the position of a new key: after the last key that sorts before it.
    static std::size_t place_of_new(const std::vector<Block>& blocks, const std::string& key) {
        for (std::size_t i = blocks.size(); i > 0; --i)
            if (blocks[i - 1].entry->key < key)
                return i;
        return 0;
    }

    /// Returns the new key that replaces an old one and takes over its position and comments, or end().
    static std::vector<New>::iterator successor(std::vector<New>& added, const std::string& table,
                                                const std::string& old) {
        std::string path = table.empty() ? old : table + "." + old;
        std::string name;
        if (const Key* key = find_key(path))
            name = key->name;
        if (path == "fp16")
            name = "mixed_precision";
        else if (path == "dynamo_backend")
            name = "dynamo_config";
        else if (path == "fsdp_config.fsdp_reshard_after_forward")
            name = "fsdp_sharding_strategy";
        else if (path == "fsdp_config.fsdp_sharding_strategy")
            name = "fsdp_reshard_after_forward";
        return std::ranges::find(added, name, [](const New& entry) { return entry.entry->key; });
    }

    void edit_map(const Value::Map& before, const Value::Map& after, const std::string& table, int indent,
                  std::size_t start, std::size_t end) {
        std::vector<Block> blocks = blocks_of(before, start, end);
        std::vector<New> added;
        for (const Entry& entry : after)
            if (entry_of(before, entry.key) == nullptr && !(indent == 0 && is_nothing(entry.value)))
                added.push_back({&entry, place_of_new(blocks, entry.key)});
        std::ranges::sort(added, {}, [](const New& entry) { return entry.entry->key; });

        auto add_new = [&](std::size_t place) {
            std::erase_if(added, [&](const New& entry) {
                if (entry.place == place)
                    add(write_yaml_entry(*entry.entry, indent));
                return entry.place == place;
            });
        };

        std::size_t behind = start;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const Block& block = blocks[i];
            auto next =
                entry_of(after, block.entry->key) == nullptr ? successor(added, table, block.entry->key) : added.end();
            if (next != added.end()) {
                copy(behind, block.start);
                replace(block, *next->entry, indent);
                added.erase(next);
                behind = block.end;
                add_new(i + 1);
                continue;
            }
            if (i == 0 && std::ranges::find(added, 0u, &New::place) != added.end()) {
                std::size_t above = indent == 0 ? below_heading(block) : block.comments;
                copy(behind, above);
                behind = std::max(behind, above);
                add_new(0);
            }
            const Entry* wanted = entry_of(after, block.entry->key);
            bool kept = wanted != nullptr
                            ? wanted->value == block.entry->value ||
                                  (indent == 0 && is_nothing(wanted->value) && is_nothing(block.entry->value))
                            : indent == 0 && is_nothing(block.entry->value);
            if (kept) {
                copy(behind, block.end);
            } else if (wanted == nullptr || (indent == 0 && is_nothing(wanted->value))) {
                copy(behind, first_own_comment(block, behind == 0));
            } else {
                copy(behind, block.start);
                replace(block, *wanted, indent);
            }
            behind = block.end;
            add_new(i + 1);
        }
        add_new(0);  // into a table without lines
        copy(behind, end);
    }

    /// Where a key before the first one stands: the file's heading stays on top.
    std::size_t below_heading(const Block& first) const {
        std::size_t own = first_own_comment(first, false);
        return own > first.comments ? own : first.start;
    }

    /// Comments right above a key go when the key goes; those that an empty line sets apart stay, and so does the file's heading.
    std::size_t first_own_comment(const Block& block, bool at_top) const {
        if (at_top)
            return block.start;
        std::size_t first = block.start;
        while (first > block.comments && !is_blank_line(lines_[first - 1]))
            --first;
        return first;
    }

    void replace(const Block& block, const Entry& wanted, int indent) {
        const Value& old = block.entry->value;
        const Value::Map* old_map = old.map();
        const Value::Map* new_map = wanted.value.map();
        bool nested_below = old_map != nullptr && !old_map->empty() && old_map->front().line > block.entry->line;
        if (nested_below && new_map != nullptr && !new_map->empty()) {
            auto inner = static_cast<int>(old_map->front().column) - 1;
            copy(block.start, block.start + 1);
            edit_map(*old_map, *new_map, wanted.key, inner, block.start + 1, block.end);
            return;
        }
        std::string written = write_yaml_entry(wanted, indent);
        bool one_line = old.map() == nullptr && old.list() == nullptr && block.end == block.start + 1 &&
                        std::ranges::count(written, '\n') == 1;
        if (one_line) {
            std::string_view line = lines_[block.start];
            bool crlf = line.ends_with("\r\n");
            std::string comment = comment_of(line);
            written.pop_back();
            written += comment.empty() ? "" : "  " + comment;
            written += crlf ? "\r\n" : "\n";
        }
        add(written);
    }

    /// `# ...` at the end of a line with a plain or quoted value; empty when there is none.
    static std::string comment_of(std::string_view line) {
        char quote = '\0';
        bool token_starts = true;
        for (std::size_t at = 0; at < line.size(); ++at) {
            char c = line[at];
            if (quote != '\0') {
                if (c == '\\' && quote == '"')
                    ++at;
                else if (c == quote)
                    quote = '\0';
                continue;
            }
            if ((c == '"' || c == '\'') && token_starts)
                quote = c;
            else if (c == '#' && (at == 0 || line[at - 1] == ' ')) {
                std::string_view comment = line.substr(at);
                return std::string(comment.substr(0, comment.find_last_not_of("\r\n") + 1));
            }
            if (c != ' ')
                token_starts = c == ':' || c == '{' || c == '[' || c == ',';
        }
        return {};
    }

    std::vector<std::string_view> lines_;
    std::string out_;
};

/// Comments by the key they stand above or beside; those before the first key are the heading.
struct Comments {
    std::string heading;
    std::map<std::string, std::string, std::less<>> above;
};

Comments comments_of(const Value::Map& root, std::string_view text) {
    Comments comments;
    std::vector<std::string_view> lines = lines_of(text);
    std::map<std::size_t, std::string> keys;
    for (const Entry& entry : root)
        if (entry.line > 0)
            keys.emplace(static_cast<std::size_t>(entry.line) - 1, entry.key);
    std::string pending;
    bool seen_key = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (auto key = keys.find(i); key != keys.end()) {
            (seen_key ? comments.above[key->second] : comments.heading) += pending;
            pending.clear();
            seen_key = true;
        } else if (is_comment_or_blank(lines[i]) && !is_blank_line(lines[i])) {
            std::string_view line = lines[i].substr(lines[i].find('#'));
            pending += std::string(line.substr(0, line.find_last_not_of("\r\n") + 1)) + "\n";
        }
    }
    comments.heading += seen_key ? std::string() : pending;
    if (seen_key && !pending.empty())
        comments.above["\x7f"] = pending;  // behind all keys
    return comments;
}

std::string write_anew(const Value::Map& before, std::string_view text, const Settings& settings) {
    Comments comments = comments_of(before, text);
    std::string out = comments.heading;
    Value::Map sorted = settings.saved();
    std::ranges::stable_sort(sorted, {}, &Entry::key);
    for (const Entry& entry : sorted) {
        out += comments.above[entry.key];
        out += write_yaml_entry(entry, 0);
    }
    return out + comments.above["\x7f"];
}

bool says(const std::string& text, const Settings& settings) {
    std::vector<Problem> problems;
    Value root = parse_yaml(text, "", problems, python_rules(problems));
    Value::Map wanted = settings.saved();
    if (!problems.empty() || root.map() == nullptr)
        return wanted.empty() && problems.empty() && root.is_null();
    return Value(Settings(*root.map()).saved()) == Value(wanted);
}

}  // namespace

std::string rewrite(const Loaded& original, const Settings& settings) {
    const std::string mark = original.text.substr(0, text::mark_bytes(original.text));
    const std::string_view body = std::string_view(original.text).substr(mark.size());
    std::vector<Problem> problems, twice;
    const auto parse = original.format == Format::json ? parse_json_tree : parse_yaml;
    const Value root = parse(body, original.file, problems, python_rules(twice));
    const Value::Map* before = root.map();
    if (!problems.empty() || before == nullptr)
        return to_text(settings, original.format);
    if (Value(Settings(*before).saved()) == Value(settings.saved()))
        return original.text;
    if (original.format == Format::json)
        return to_text(settings, original.format);
    if (twice.empty()) {  // else a line that is left behind would count
        std::string edited = Editor(body).edit(*before, settings.root());
        if (says(edited, settings))
            return mark + edited;
    }
    std::string anew = write_anew(*before, body, settings);
    return says(anew, settings) ? anew : to_text(settings, original.format);
}

}  // namespace trainyard::settings
