// The parts of PyYAML's emitter that safe_dump uses on settings, so that a file saved here equals one saved there.

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"
#include "config/accelerate/formats.h"
#include "config/accelerate/python_text.h"

namespace trainyard::settings {

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

struct Analysis {
    bool plain = true;   ///< may stand without quotes in block style
    bool single = true;  ///< may stand in single quotes
    bool multiline = false;
};

/// PyYAML's analyze_scalar, as far as block style needs it.
Analysis analyse(const std::u32string& text) {
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
        if (!(c == '\n' || (c >= 0x20 && c <= 0x7E)))
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
    explicit Writer(int indent) : start_indent_(indent) {}

    std::string take() { return std::move(out_); }

    void map(const Value::Map& map, int indent) {
        Value::Map sorted = map;
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
            list(*value.list(), indent);  // PyYAML does not indent a list in a table
        } else {
            add(" ");
            scalar(value, indent + 2);
            line();
        }
    }

    void scalar(const Value& value, int indent) {
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
            add("- ");
            const Value& item = items[i];
            if (item.map() != nullptr && !item.map()->empty()) {
                map(*item.map(), indent + 2);
            } else if (item.list() != nullptr && !item.list()->empty()) {
                list(*item.list(), indent + 2);
            } else {
                scalar(item, indent + 2);
                line();
            }
        }
    }

    static std::string number_text(double number) {
        std::string digits = python_float(number);
        if (digits == "nan")
            return ".nan";
        if (digits == "inf")
            return ".inf";
        if (digits == "-inf")
            return "-.inf";
        // Without a point YAML 1.1 takes 1e+16 for text.
        std::size_t e = digits.find('e');
        if (e != std::string::npos && digits.find('.') == std::string::npos)
            digits.insert(e, ".0");
        return digits;
    }

    void text(const std::string& words, int indent, bool split) {
        std::u32string characters = characters_of(words);
        Analysis analysis = analyse(characters);
        bool is_text = !words.empty() && resolve_plain(words).text() != nullptr && words != "<<" && words != "=";
        bool one_line = split || !analysis.multiline;
        if (analysis.plain && is_text && one_line)
            plain(characters, indent, split);
        else if (analysis.single && one_line)
            single_quoted(characters, indent, split);
        else
            double_quoted(characters, indent, split);
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
    int start_indent_;
    int column_ = start_indent_;
};

}  // namespace

std::string write_yaml(const Value::Map& root) {
    if (root.empty())
        return "{}\n";
    Writer writer(0);
    writer.map(root, 0);
    return writer.take();
}

std::string write_yaml_entry(const Entry& entry, int indent) {
    std::string out(static_cast<std::size_t>(indent), ' ');
    Writer inner(indent);
    inner.entry(entry, indent);
    return out + inner.take();
}

}  // namespace trainyard::settings
