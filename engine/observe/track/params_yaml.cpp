#include "observe/track/params_yaml.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/json_writer.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

constexpr std::size_t kBestWidth = 80;

bool all(std::string_view text, std::string_view allowed) {
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

/// A plain scalar that YAML 1.2's readers take for a number.
bool reads_as_number(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-'))
        text.remove_prefix(1);
    for (auto [prefix, digits] : {std::pair{"0b", "01_"}, {"0o", "01234567_"}, {"0x", "0123456789abcdefABCDEF_"}})
        if (text.starts_with(prefix))
            return all(text.substr(2), digits);
    if (text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" || text == ".NAN")
        return true;
    const std::size_t exponent = text.find_first_of("eE");
    std::string_view power = exponent == std::string_view::npos ? "0" : text.substr(exponent + 1);
    if (power.starts_with('+') || power.starts_with('-'))
        power.remove_prefix(1);
    const std::string_view mantissa = text.substr(0, exponent);
    const bool has_digit = mantissa.find_first_of("0123456789") != std::string_view::npos;
    return has_digit && all(mantissa, "0123456789_.") && std::ranges::count(mantissa, '.') <= 1 && mantissa[0] != '_' &&
           all(power, "0123456789");
}

bool reads_as_date(std::string_view text) {
    return text.size() >= 8 && all(text.substr(0, 4), "0123456789") && text[4] == '-' &&
           all(text, "0123456789-:.tTzZ+ ") && std::ranges::count(text.substr(0, 10), '-') == 2;
}

bool reads_as_other(std::string_view text) {
    static constexpr std::array kWords = {"~",    "null",  "Null",  "NULL",  "true", "True",
                                          "TRUE", "false", "False", "FALSE", "<<",   "="};
    return text.empty() || std::ranges::find(kWords, text) != kWords.end() || reads_as_number(text) ||
           reads_as_date(text);
}

/// Whether a word may stand without quotes, whatever it would be read as.
bool may_be_plain(std::string_view text) {
    const char first = text[0];
    const bool before_blank = text.size() == 1 || text[1] == ' ';
    if (std::string_view("#,[]{}&*!|>'\"%@`").find(first) != std::string_view::npos ||
        ((first == '?' || first == ':' || first == '-') && before_blank))
        return false;
    return first != ' ' && text.back() != ' ' && text.back() != ':' && text.find(": ") == std::string_view::npos &&
           text.find(" #") == std::string_view::npos && !text.starts_with("---") && !text.starts_with("...");
}

class Writer {
  public:
    std::string take() { return std::move(out_); }

    void dict(const Values& values, int indent, bool at_place) {
        for (const auto& [key, value] : values) {
            if (!at_place)
                pad(indent);
            at_place = false;
            word(key, indent);
            out_ += ':';
            below(value, indent);
        }
    }

  private:
    /// The value of a key or, with `item`, of a list's dash.
    void below(const Value& value, int indent) {
        if (const Values* inner = value.map(); inner != nullptr && !inner->empty()) {
            out_ += '\n';
            dict(*inner, indent + 2, false);
        } else if (const Value::List* items = value.list(); items != nullptr && !items->empty()) {
            out_ += '\n';
            list(*items, indent, false);
        } else {
            scalar(value, indent + 2);
            out_ += '\n';
        }
    }

    void list(const Value::List& items, int indent, bool at_place) {
        for (const Value& item : items) {
            if (!at_place)
                pad(indent);
            at_place = false;
            out_ += '-';
            if (const Values* inner = item.map(); inner != nullptr && !inner->empty()) {
                out_ += ' ';
                dict(*inner, indent + 2, true);
            } else if (const Value::List* nested = item.list(); nested != nullptr && !nested->empty()) {
                out_ += ' ';
                list(*nested, indent + 2, true);
            } else {
                scalar(item, indent + 2);
                out_ += '\n';
            }
        }
    }

    void scalar(const Value& value, int indent) {
        if (value.is_null())
            return;
        out_ += ' ';
        if (const std::string* text = value.text()) {
            word(*text, indent);
        } else if (const double* real = value.number(); real != nullptr && !std::isfinite(*real)) {
            out_ += std::isnan(*real) ? ".nan" : *real > 0 ? ".inf" : "-.inf";
        } else if (value.map()) {
            out_ += "{}";
        } else if (value.list()) {
            out_ += "[]";
        } else if (const bool* truth = value.boolean()) {
            out_ += *truth ? "true" : "false";
        } else {
            out_ += python_text(value);
        }
    }

    void word(const std::string& text, int indent) {
        const bool control =
            std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
        if (control) {
            out_ += quoted_json(text);
        } else if (!reads_as_other(text) && may_be_plain(text)) {
            folded(text, indent, kBestWidth);
        } else {
            std::string doubled;
            for (char c : text)
                doubled += c == '\'' ? "''" : std::string(1, c);
            out_ += '\'';
            folded(doubled, indent, kBestWidth + 1);
            out_ += '\'';
        }
    }

    /// Lines break at a single blank once they have `width` columns.
    void folded(std::string_view text, int indent, std::size_t width) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool single =
                text[i] == ' ' && i > 0 && text[i - 1] != ' ' && i + 1 < text.size() && text[i + 1] != ' ';
            if (single && column() >= width) {
                out_ += '\n';
                pad(indent);
            } else {
                out_ += text[i];
            }
        }
    }

    std::size_t column() const {
        const std::size_t line = out_.rfind('\n');
        const std::string_view now = std::string_view(out_).substr(line == std::string::npos ? 0 : line + 1);
        return static_cast<std::size_t>(std::ranges::count_if(now, [](char c) { return (c & 0xc0) != 0x80; }));
    }
    void pad(int indent) { out_.append(static_cast<std::size_t>(indent), ' '); }

    std::string out_;
};

}  // namespace

std::string params_yaml(const Values& parameters) {
    if (parameters.empty())
        return "{}\n";
    Writer writer;
    writer.dict(parameters, 0, false);
    return writer.take();
}

}  // namespace trainyard::track
