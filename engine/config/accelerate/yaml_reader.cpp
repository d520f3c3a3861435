#include <map>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/utf8.h"
#include "config/accelerate/formats.h"
#include "config/accelerate/python_text.h"
#include "config/recipe/yaml_tree.h"

namespace trainyard::settings {

namespace {

/// Follows quotes, comments and block texts, to find what PyYAML refuses and yaml-cpp lets pass: a tab anywhere else, and a quote
/// that is never closed.
class QuoteScan {
  public:
    explicit QuoteScan(std::string_view text) : text_(text) {}

    std::size_t find_tab() {
        for (std::size_t start = 0; start < text_.size();) {
            std::size_t end = std::min(text_.find('\n', start), text_.size());
            std::size_t found = find_in(start, end);
            if (found != std::string_view::npos)
                return found;
            start = end + 1;
        }
        return std::string_view::npos;
    }

    /// After find_tab(): where the quote was opened that the text never closes, or npos.
    std::size_t open_quote() const { return quote_ == '\0' ? std::string_view::npos : quote_start_; }

  private:
    std::size_t find_in(std::size_t start, std::size_t end) {
        std::string_view line = text_.substr(start, end - start);
        std::size_t indent = line.find_first_not_of(" \r");
        if (block_ && quote_ == '\0') {
            if (indent == std::string_view::npos || indent > block_indent_)
                return std::string_view::npos;
            block_ = false;
        }
        // A plain text goes on in lines that are deeper than the one it began in; a quote there is one of its letters.
        bool goes_on = plain_ && indent != std::string_view::npos && indent > plain_indent_;
        bool token_starts = !goes_on;
        bool in_plain = goes_on;
        std::size_t last_token = std::string_view::npos;
        for (std::size_t at = 0; at < line.size(); ++at) {
            char c = line[at];
            if (quote_ != '\0') {
                if (c == '\\' && quote_ == '"')
                    ++at;
                else if (c == quote_ && c == '\'' && at + 1 < line.size() && line[at + 1] == '\'')
                    ++at;
                else if (c == quote_)
                    quote_ = '\0';
                continue;
            }
            if (c == '\t')
                return start + at;
            if (c == ' ' || c == '\r') {
                // Behind an anchor or a tag the value is still to come.
                if (last_token != std::string_view::npos && (line[last_token] == '&' || line[last_token] == '!')) {
                    token_starts = true;
                    last_token = std::string_view::npos;
                }
                continue;
            }
            bool after_space = at == 0 || line[at - 1] == ' ';
            if (c == '#' && after_space)
                break;
            if ((c == '"' || c == '\'') && token_starts) {
                quote_ = c;
                quote_start_ = start + at;
                token_starts = false;
                in_plain = false;
                last_token = std::string_view::npos;
                continue;
            }
            bool before_space = at + 1 >= line.size() || line[at + 1] == ' ' || line[at + 1] == '\t';
            bool after_quote = at > 0 && (line[at - 1] == '"' || line[at - 1] == '\'');
            bool opens = c == ':' ? before_space || (flow_ > 0 && after_quote)
                                  : (c == '-' || c == '?') && before_space && token_starts;
            if ((c == '[' || c == '{') && (token_starts || flow_ > 0)) {
                ++flow_;
                opens = true;
            } else if (flow_ > 0 && (c == ']' || c == '}')) {
                --flow_;
            } else if (flow_ > 0 && c == ',') {
                opens = true;
            }
            in_plain = !opens && (in_plain || token_starts);
            last_token = token_starts && !opens ? at : opens ? std::string_view::npos : last_token;
            token_starts = opens;
        }
        if (quote_ == '\0' && last_token != std::string_view::npos &&
            (line[last_token] == '|' || line[last_token] == '>')) {
            block_ = true;
            block_indent_ = indent;
        }
        if (indent != std::string_view::npos) {
            plain_ = in_plain && quote_ == '\0' && !block_;
            plain_indent_ = goes_on ? plain_indent_ : indent;
        }
        return std::string_view::npos;
    }

    std::string_view text_;
    char quote_ = '\0';
    std::size_t quote_start_ = 0;
    int flow_ = 0;
    bool plain_ = false;
    std::size_t plain_indent_ = 0;
    bool block_ = false;
    std::size_t block_indent_ = 0;
};

bool is_printable(char32_t c) {
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0x7E) || c == 0x85 ||
           (c >= 0xA0 && c != 0xFFFE && c != 0xFFFF);
}

/// The first byte that is no text, or npos. U+FFFD itself may stand in a file.
std::size_t find_unprintable(std::string_view text) {
    constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
    for (std::size_t at = 0; at < text.size();) {
        std::size_t before = at;
        char32_t c = text::next_character(text, at);
        bool broken = c == 0xFFFD && text.substr(before, 3) != kReplacement;
        if (broken || !is_printable(c))
            return before;
    }
    return std::string_view::npos;
}

class Conversion {
  public:
    Conversion(const std::string& file, std::vector<Problem>& problems, std::vector<Problem>& twice)
        : file_(file), problems_(problems), twice_(twice) {}

    Value value_of(const config::YamlValue& tree, const std::string& path) {
        Value value;
        switch (tree.kind) {
            case config::YamlValue::Kind::null:
                break;
            case config::YamlValue::Kind::scalar:
                if (tree.plain && (tree.text == "=" || tree.text == "<<"))
                    problems_.push_back({file_, tree.line, tree.column, path,
                                         Message("a bare {0} has a meaning of its own in YAML: write '{0}' "
                                                 "in quotes where it is a text",
                                                 tree.text)});
                value = tree.plain ? resolve_plain(tree.text) : Value(tree.text);
                if (const Date* date = std::get_if<Date>(&value.data); date != nullptr && date->text.empty())
                    problems_.push_back({file_, tree.line, tree.column, path,
                                         Message("{0} is no day or time that there is: write '{0}' in quotes "
                                                 "where it is a text",
                                                 tree.text)});
                value.source = tree.text;
                break;
            case config::YamlValue::Kind::list: {
                Value::List items;
                items.reserve(tree.items.size());
                for (const config::YamlValue& item : tree.items)
                    items.push_back(value_of(item, path));
                value = Value(std::move(items));
                break;
            }
            case config::YamlValue::Kind::map:
                value = Value(map_of(tree, path));
                break;
        }
        value.line = tree.line;
        value.column = tree.column;
        return value;
    }

  private:
    static std::string join(const std::string& path, const std::string& key) {
        return path.empty() ? key : path + "." + key;
    }

    Value::Map map_of(const config::YamlValue& tree, const std::string& path) {
        Value::Map own;
        std::map<std::string, int> lines;
        Value::Map merged;
        for (const config::YamlEntry& entry : tree.entries) {
            if (entry.key.plain && entry.key.text == "<<") {
                merge(value_of(entry.value, path), entry.key, merged);
                continue;
            }
            auto [place, is_new] = lines.emplace(entry.key.text, entry.key.line);
            if (!is_new) {
                twice_.push_back({file_, entry.key.line, entry.key.column, join(path, entry.key.text),
                                  Message("given twice, first in line {}: keep one", place->second)});
                std::erase_if(own, [&entry](const Entry& earlier) { return earlier.key == entry.key.text; });
            }
            own.push_back(
                {entry.key.text, value_of(entry.value, join(path, entry.key.text)), entry.key.line, entry.key.column});
        }
        std::erase_if(merged, [&lines](const Entry& entry) { return lines.contains(entry.key); });
        merged.insert(merged.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
        return merged;
    }

    /// YAML's `<<`: the keys of other tables, unless they are given here or by an earlier one.
    void merge(const Value& value, const config::YamlValue& key, Value::Map& merged) {
        auto take = [&merged](const Value::Map& map) {
            std::set<std::string> known;
            for (const Entry& entry : merged)
                known.insert(entry.key);
            for (const Entry& entry : map)
                if (!known.contains(entry.key))
                    merged.push_back(entry);
        };
        if (value.map() != nullptr) {
            take(*value.map());
            return;
        }
        bool good = value.list() != nullptr;
        if (good)
            for (const Value& item : *value.list()) {
                good = good && item.map() != nullptr;
                if (item.map() != nullptr)
                    take(*item.map());
            }
        if (!good)
            problems_.push_back({file_, key.line, key.column, "<<",
                                 "takes the keys of other tables: name a table (*name) or a list of tables"});
    }

    const std::string& file_;
    std::vector<Problem>& problems_;
    std::vector<Problem>& twice_;
};

}  // namespace

Value parse_yaml_text(std::string_view text, const std::string& file, std::vector<Problem>& problems,
                      std::vector<Problem>& twice) {
    if (text.size() <= kLargestFile && text.find('\0') == std::string_view::npos) {
        auto refuse = [&](std::size_t at, Message message) {
            Place place = place_of(text, at);
            problems.push_back({file, place.line, place.column, "", std::move(message)});
        };
        if (std::size_t at = find_unprintable(text); at != std::string_view::npos) {
            refuse(at, Message("byte {} is not text in UTF-8: save the file as UTF-8", at));
            return {};
        }
        QuoteScan scan(text);
        if (std::size_t at = scan.find_tab(); at != std::string_view::npos) {
            refuse(at, "a tab cannot stand here: use spaces");
            return {};
        }
        // yaml-cpp closes a quote at the end of the text by itself.
        if (std::size_t at = scan.open_quote(); at != std::string_view::npos) {
            refuse(at, "the quote that opens here is never closed: add one at the end of the text");
            return {};
        }
    }
    std::size_t before = problems.size();
    config::YamlValue tree =
        config::parse_yaml(text, file, problems, {.aliases = true, .keep_end = true, .most_nodes = kMostNodes});
    if (problems.size() > before)
        return {};  // what is left of a broken text says nothing about its keys
    return Conversion(file, problems, twice).value_of(tree, "");
}

}  // namespace trainyard::settings
