// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of PyYAML's emitter that safe_dump uses on settings, so that a file saved here equals one saved there; and ruamel.yaml's,
// which dvclive uses.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/utf8.h"
#include "config/values/python_text.h"
#include "config/values/value_formats.h"

namespace trainyard {

namespace {

constexpr int kBestWidth = 80;

bool is_break(char32_t c) {
    return c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029;
}
bool is_blank(char32_t c) {
    return c == 0 || c == ' ' || c == '\t' || c == '\r' || is_break(c);
}

std::u32string characters_of(std::string_view text) {
    std::u32string characters;
    for (std::size_t at = 0; at < text.size();)
        characters += text::next_character(text, at);
    return characters;
}

bool holds_only(std::string_view text, std::string_view allowed) {
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

/// A plain scalar that YAML 1.2's readers take for a number.
bool reads_as_number(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-'))
        text.remove_prefix(1);
    for (auto [prefix, digits] : {std::pair{"0b", "01_"}, {"0o", "01234567_"}, {"0x", "0123456789abcdefABCDEF_"}})
        if (text.starts_with(prefix))
            return holds_only(text.substr(2), digits);
    if (text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" || text == ".NAN")
        return true;
    const std::size_t exponent = text.find_first_of("eE");
    std::string_view power = exponent == std::string_view::npos ? "0" : text.substr(exponent + 1);
    if (power.starts_with('+') || power.starts_with('-'))
        power.remove_prefix(1);
    const std::string_view mantissa = text.substr(0, exponent);
    const bool has_digit = mantissa.find_first_of("0123456789") != std::string_view::npos;
    return has_digit && holds_only(mantissa, "0123456789_.") && std::ranges::count(mantissa, '.') <= 1 &&
           mantissa[0] != '_' && holds_only(power, "0123456789");
}

bool reads_as_date(std::string_view text) {
    return text.size() >= 8 && holds_only(text.substr(0, 4), "0123456789") && text[4] == '-' &&
           holds_only(text, "0123456789-:.tTzZ+ ") && std::ranges::count(text.substr(0, 10), '-') == 2;
}

bool reads_as_other(std::string_view text) {
    static constexpr std::array kWords = {"~",    "null",  "Null",  "NULL",  "true", "True",
                                          "TRUE", "false", "False", "FALSE", "<<",   "="};
    return text.empty() || std::ranges::find(kWords, text) != kWords.end() || reads_as_number(text) ||
           reads_as_date(text);
}

struct Analysis {
    bool plain = true;   ///< may be written without quotes in block style
    bool single = true;  ///< may be written in single quotes
    bool multiline = false;
};

/// PyYAML's analyze_scalar, as far as block style needs it.
Analysis analyse(const std::u32string& text, YamlStyle style) {
    Analysis result;
    if (text.empty()) {
        result.plain = true;
        return result;
    }
    bool indicators = text.starts_with(U"---") || text.starts_with(U"...");
    bool special = false;
    bool leading_or_trailing = false;
    bool break_space = false;
    bool space_break = false;
    bool previous_space = false;
    bool previous_break = false;
    bool preceded = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char32_t c = text[i];
        bool followed = i + 1 >= text.size() || is_blank(text[i + 1]);
        if (i == 0) {
            if (std::u32string_view(U"#,[]{}&*!|>'\"%@`").find(c) != std::u32string_view::npos)
                indicators = true;
            if ((c == '?' || c == ':' || c == '-') && followed)
                indicators = true;
        } else if ((c == ':' && followed) || (c == '#' && preceded)) {
            indicators = true;
        }
        if (is_break(c))
            result.multiline = true;
        if (!(c == '\n' || (c >= 0x20 && (c <= 0x7E || style == YamlStyle::ruamel))))
            special = true;
        if (c == ' ') {
            leading_or_trailing = leading_or_trailing || i == 0 || i + 1 == text.size();
            break_space = break_space || previous_break;
            previous_space = true;
            previous_break = false;
        } else if (is_break(c)) {
            leading_or_trailing = leading_or_trailing || i == 0 || i + 1 == text.size();
            space_break = space_break || previous_space;
            previous_space = false;
            previous_break = true;
        } else {
            previous_space = false;
            previous_break = false;
        }
        preceded = is_blank(c);
    }
    result.single = !break_space && !space_break && !special;
    result.plain = result.single && !leading_or_trailing && !result.multiline && !indicators;
    return result;
}

class Writer {
  public:
    explicit Writer(YamlStyle style, int indent = 0) : style_(style), column_(indent) {}

    std::string take() { return std::move(out_); }

    void map(const Value::Map& map, int indent) {
        Value::Map sorted = map;
        if (style_ == YamlStyle::pyyaml)
            std::ranges::stable_sort(sorted, {}, &Entry::key);
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            if (i > 0)
                pad(indent);
            entry(sorted[i], indent);
        }
    }

    /// The cursor stands `indent` columns deep.
    void entry(const Entry& entry, int indent) {
        text(entry.key, indent, false);
        add(":");
        const Value& value = entry.value;
        if (value.map() != nullptr && !value.map()->empty()) {
            line();
            pad(indent + 2);
            map(*value.map(), indent + 2);
        } else if (value.list() != nullptr && !value.list()->empty()) {
            line();
            pad(indent);
            list(*value.list(), indent);  // a list in a table is not indented
        } else {
            scalar(value, indent + 2);
            line();
        }
    }

    void scalar(const Value& value, int indent) {
        if (value.is_null() && style_ == YamlStyle::ruamel)
            return;
        add(" ");
        if (const std::string* words = value.text())
            text(*words, indent, true);
        else if (value.is_null())
            add("null");
        else if (const bool* truth = value.boolean())
            add(*truth ? "true" : "false");
        else if (const double* number = value.number(); number != nullptr && big_integer(value).empty())
            add(number_text(*number));
        else if (value.map() != nullptr)
            add("{}");
        else if (value.list() != nullptr)
            add("[]");
        else
            add(value.display());
    }

  private:
    void list(const Value::List& items, int indent) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i > 0)
                pad(indent);
            add("-");
            const Value& item = items[i];
            if (item.map() != nullptr && !item.map()->empty()) {
                add(" ");
                map(*item.map(), indent + 2);
            } else if (item.list() != nullptr && !item.list()->empty()) {
                add(" ");
                list(*item.list(), indent + 2);
            } else {
                scalar(item, indent + 2);
                line();
            }
        }
    }

    std::string number_text(double number) const {
        std::string digits = python_float(number);
        if (digits == "nan")
            return ".nan";
        if (digits == "inf")
            return ".inf";
        if (digits == "-inf")
            return "-.inf";
        // Without a point YAML 1.1 takes 1e+16 for text.
        std::size_t e = digits.find('e');
        if (style_ == YamlStyle::pyyaml && e != std::string::npos && digits.find('.') == std::string::npos)
            digits.insert(e, ".0");
        return digits;
    }

    void text(const std::string& words, int indent, bool split) {
        std::u32string characters = characters_of(words);
        const Analysis analysis = analyse(characters, style_);
        if (style_ == YamlStyle::ruamel)
            return word(words, characters, analysis.plain, indent);
        bool is_text = !words.empty() && resolve_plain(words).text() != nullptr && words != "<<" && words != "=";
        bool one_line = split || !analysis.multiline;
        if (analysis.plain && is_text && one_line)
            plain(characters, indent, split);
        else if (analysis.single && one_line)
            single_quoted(characters, indent, split);
        else
            double_quoted(characters, indent, split);
    }

    /// In UTF-8 and in YAML 1.2.
    void word(const std::string& words, const std::u32string& characters, bool may_be_plain, int indent) {
        if (std::ranges::any_of(words, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
            return add(characters_of(quoted_json(words)));
        if (!reads_as_other(words) && may_be_plain)
            return folded(characters, indent, kBestWidth);
        std::u32string doubled;
        for (char32_t c : characters)
            doubled += c == '\'' ? U"''" : std::u32string(1, c);
        add("'");
        folded(doubled, indent, kBestWidth + 1);
        add("'");
    }

    /// Lines break at a single blank once they have `width` columns.
    void folded(const std::u32string& text, int indent, int width) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool single =
                text[i] == ' ' && i > 0 && text[i - 1] != ' ' && i + 1 < text.size() && text[i + 1] != ' ';
            if (single && column_ >= width)
                next_line(indent);
            else
                add(text, i, i + 1);
        }
    }

    void plain(const std::u32string& text, int indent, bool split) {
        std::size_t start = 0;
        bool spaces = false;
        for (std::size_t end = 0; end <= text.size(); ++end) {
            bool is_end = end == text.size();
            bool is_space = !is_end && text[end] == ' ';
            if (spaces && !is_space) {
                if (start + 1 == end && column_ > kBestWidth && split)
                    next_line(indent);
                else
                    add(text, start, end);
                start = end;
            } else if (!spaces && (is_end || is_space)) {
                add(text, start, end);
                start = end;
            }
            spaces = is_space;
        }
    }

    void single_quoted(const std::u32string& text, int indent, bool split) {
        add("'");
        std::size_t start = 0;
        bool spaces = false;
        bool breaks = false;
        for (std::size_t end = 0; end <= text.size(); ++end) {
            bool is_end = end == text.size();
            char32_t c = is_end ? U'\0' : text[end];
            bool is_space = !is_end && c == ' ';
            bool is_line = !is_end && is_break(c);
            if (spaces) {
                if (!is_space) {
                    if (start + 1 == end && column_ > kBestWidth && split && start != 0 && end != text.size())
                        next_line(indent);
                    else
                        add(text, start, end);
                    start = end;
                }
            } else if (breaks) {
                if (!is_line) {
                    if (text[start] == '\n')
                        line();
                    for (std::size_t i = start; i < end; ++i)
                        line();
                    pad(indent);
                    start = end;
                }
            } else if (is_end || is_space || is_line || c == '\'') {
                add(text, start, end);
                start = end;
            }
            if (!is_end && c == '\'') {
                add("''");
                start = end + 1;
            }
            spaces = is_space;
            breaks = is_line;
        }
        add("'");
    }

    static std::string escape(char32_t c) {
        using namespace std::string_view_literals;
        constexpr std::u32string_view kNames = U"\0\a\b\t\n\v\f\r\x1b\"\\\x85\xA0\u2028\u2029"sv;
        constexpr std::string_view kLetters = "0abtnvfre\"\\N_LP";
        static_assert(kNames.size() == kLetters.size());
        if (std::size_t found = kNames.find(c); found != std::u32string_view::npos)
            return std::string("\\") + kLetters[found];
        auto code = static_cast<unsigned>(c);
        if (code <= 0xFF)
            return fmt::format("\\x{:02X}", code);
        return code <= 0xFFFF ? fmt::format("\\u{:04X}", code) : fmt::format("\\U{:08X}", code);
    }

    void double_quoted(const std::u32string& text, int indent, bool split) {
        add("\"");
        std::size_t start = 0;
        for (std::size_t end = 0; end <= text.size(); ++end) {
            bool is_end = end == text.size();
            char32_t c = is_end ? U'\0' : text[end];
            if (is_end || c == '"' || c == '\\' || c < 0x20 || c > 0x7E) {
                add(text, start, end);
                start = std::max(start, end);
                if (!is_end) {
                    add(escape(c));
                    start = end + 1;
                }
            }
            bool may_break = end > 0 && end + 1 < text.size() && (c == ' ' || start >= end);
            if (may_break && column_ + static_cast<int>(end) - static_cast<int>(start) > kBestWidth && split) {
                if (start < end) {
                    add(text, start, end);
                    start = end;
                }
                add("\\");
                next_line(indent);
                if (text[start] == ' ')
                    add("\\");
            }
        }
        add("\"");
    }

    void add(std::string_view ascii) {
        out_ += ascii;
        column_ += static_cast<int>(ascii.size());
    }
    void add(const std::u32string& text) { add(text, 0, text.size()); }
    void add(const std::u32string& text, std::size_t start, std::size_t end) {
        for (std::size_t i = start; i < end; ++i)
            text::append_utf8(out_, text[i]);
        if (end > start)
            column_ += static_cast<int>(end - start);
    }
    void line() {
        out_ += '\n';
        column_ = 0;
    }
    void pad(int indent) {
        out_.append(static_cast<std::size_t>(indent - column_), ' ');
        column_ = indent;
    }
    void next_line(int indent) {
        line();
        pad(indent);
    }

    std::string out_;
    const YamlStyle style_;
    int column_;
};

std::string flow_scalar(const std::string& text, bool plain) {
    constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-+";
    if (plain && !text.empty() && text.find_first_not_of(kSafe) == std::string::npos)
        return text;
    std::string out;
    for (char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (byte < 0x20 || byte == 0x7f)
            out += fmt::format("\\x{:02x}", byte);
        else
            out += c;
    }
    return '"' + out + '"';
}

std::string flow_key(const std::string& key) {
    return flow_scalar(key, !key.starts_with('-') && !resolve_plain(key).is_null()) + ": ";
}

}  // namespace

std::string flow_text(const Value& value) {
    std::string out;
    for (const Value& item : value.items())
        out += (out.empty() ? "" : ", ") + flow_text(item);
    for (const auto& [key, entry] : value.entries())
        out += (out.empty() ? "" : ", ") + flow_key(key) + flow_text(entry);
    if (value.is_null())
        return "null";
    return value.is_list()  ? "[" + out + "]"
           : value.is_map() ? "{" + out + "}"
                            : flow_scalar(value.spelling(), value.plain || value.text() == nullptr);
}

std::string block_text(const Value::Map& root, int indent) {
    const std::string pad(static_cast<std::size_t>(indent), ' ');
    std::string out;
    for (const auto& [key, value] : root) {
        const bool of_tables = !value.items().empty() && value.items().front().is_map();
        const std::string name = pad + flow_key(key);
        if (value.is_map() || of_tables)
            out += name.substr(0, name.size() - 1) + "\n";
        if (value.is_map())
            out += value.entries().empty() ? pad + "  {}\n" : block_text(value.entries(), indent + 2);
        else if (of_tables)
            for (const Value& item : value.items())
                out += pad + "  - " + flow_text(item) + "\n";
        else
            out += name + flow_text(value) + "\n";
    }
    return out;
}

std::string write_yaml(const Value::Map& root, YamlStyle style) {
    if (root.empty())
        return "{}\n";
    Writer writer(style);
    writer.map(root, 0);
    return writer.take();
}

std::string write_yaml_entry(const Entry& entry, int indent) {
    std::string out(static_cast<std::size_t>(indent), ' ');
    Writer inner(YamlStyle::pyyaml, indent);
    inner.entry(entry, indent);
    return out + inner.take();
}

}  // namespace trainyard
