#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "config/accelerate/formats.h"
#include "config/accelerate/python_text.h"

namespace trainyard::settings {

namespace {

/// What json.loads reads and the standard does not have, or no double holds: NaN, Infinity, -Infinity, 1e400.
std::optional<double> number_of_python(std::string_view token) {
    if (token == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    const double infinite =
        token.starts_with('-') ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    if (token == "Infinity" || token == "-Infinity")
        return infinite;
    if (token.find_first_of("eE.") != std::string_view::npos &&
        std::isinf(std::strtod(std::string(token).c_str(), nullptr)))
        return infinite;
    return std::nullopt;
}

/// The text with noughts in the place of these numbers, each as long as the word: places stay what they are.
std::string with_standard_numbers(std::string_view text) {
    constexpr std::string_view kEndsWord = " \t\r\n,:{}[]\"";
    std::string standard(text);
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"') {
            for (++at; at < text.size() && text[at] != '"'; ++at)
                at += text[at] == '\\' ? 1 : 0;
            ++at;
            continue;
        }
        const std::size_t end = std::max(at + 1, std::min(text.find_first_of(kEndsWord, at), text.size()));
        if (number_of_python(text.substr(at, end - at)))
            standard.replace(at, end - at, "0" + std::string(end - at - 1, ' '));
        at = end;
    }
    return standard;
}

/// Builds the tree from nlohmann's events. These carry no places, so the text is walked along with them: each event belongs to the
/// next token.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
  public:
    JsonBuilder(std::string_view text, const std::string& file, std::vector<Problem>& problems,
                std::vector<Problem>& twice)
        : text_(text), file_(file), problems_(problems), twice_(twice) {}

    Value take() { return std::move(root_); }

    bool null() override { return add(Value()); }
    bool boolean(bool value) override { return add(Value(value)); }
    bool number_integer(std::int64_t value) override { return add(Value(value)); }
    bool number_unsigned(std::uint64_t value) override {
        if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return add(Value(static_cast<std::int64_t>(value)));
        return add(Value(static_cast<double>(value)));
    }
    bool number_float(double value, const std::string&) override { return add(Value(value)); }
    bool string(std::string& value) override { return add(Value(std::move(value))); }
    bool binary(nlohmann::json::binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Value(Value::Map{})); }
    bool start_array(std::size_t) override { return open(Value(Value::List{})); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& name) override {
        Token token = next_token();
        Open& parent = open_.back();
        parent.key = name;
        parent.key_place = token.place;
        auto [place, is_new] = parent.lines.emplace(name, token.place.line);
        if (!is_new)
            twice_.push_back({file_, token.place.line, token.place.column, path() + name,
                              Message("given twice, first in line {}: keep one", place->second)});
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) override {
        Place place = place_of(text_, position == 0 ? 0 : position - 1);
        // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
        std::string message = error.what();
        std::size_t start = message.find("syntax error");
        problems_.push_back({file_, place.line, place.column, "",
                             Message("is not valid JSON here: {}", start == std::string::npos
                                                                       ? Message("no text in UTF-8")
                                                                       : Message::verbatim(message.substr(start)))});
        return false;
    }

  private:
    struct Token {
        Place place;
        std::string_view text;
    };
    struct Open {
        Value value;
        std::string key;
        Place key_place;
        std::map<std::string, int> lines;
    };

    Token next_token() {
        while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[at_]) != std::string_view::npos)
            step();
        Token token{place_, {}};
        std::size_t start = at_;
        if (at_ >= text_.size())
            return token;
        char first = text_[at_];
        step();
        if (first == '"') {
            while (at_ < text_.size() && text_[at_] != '"') {
                if (text_[at_] == '\\')
                    step();
                step();
            }
            step();
        } else if (std::string_view("{}[]").find(first) == std::string_view::npos) {
            while (at_ < text_.size() && std::string_view(" \t\r\n,:{}[]").find(text_[at_]) == std::string_view::npos)
                step();
        }
        token.text = text_.substr(start, at_ - start);
        return token;
    }

    void step() {
        if (at_ >= text_.size())
            return;
        if (text_[at_] == '\n') {
            ++place_.line;
            place_.column = 1;
        } else {
            ++place_.column;
        }
        ++at_;
    }

    std::string path() const {
        std::string joined;
        for (std::size_t i = 0; i + 1 < open_.size(); ++i)
            if (!open_[i].key.empty())
                joined += open_[i].key + ".";
        return joined;
    }

    bool refuse(const Place& place, Message message) {
        problems_.push_back({file_, place.line, place.column, "", std::move(message)});
        return false;
    }

    bool counted(const Place& place) {
        if (++nodes_ > kMostNodes)
            return refuse(place, Message("holds more than {} values", kMostNodes));
        return true;
    }

    bool add(Value value) {
        Token token = next_token();
        value.line = token.place.line;
        value.column = token.place.column;
        value.source = value.text() != nullptr ? *value.text() : std::string(token.text);
        if (value.number() != nullptr || value.integer() != nullptr)
            if (std::optional<double> beyond = number_of_python(token.text))
                value.data = *beyond;
        if (!counted(token.place))
            return false;
        place(std::move(value));
        return true;
    }

    void place(Value value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return;
        }
        Open& parent = open_.back();
        if (auto* items = std::get_if<Value::List>(&parent.value.data))
            items->push_back(std::move(value));
        else if (auto* entries = std::get_if<Value::Map>(&parent.value.data)) {
            std::erase_if(*entries, [&parent](const Entry& earlier) { return earlier.key == parent.key; });
            entries->push_back({parent.key, std::move(value), parent.key_place.line, parent.key_place.column});
        }
    }

    bool open(Value value) {
        Token token = next_token();
        if (open_.size() >= kDeepest)
            return refuse(token.place, Message("nested deeper than {} levels", kDeepest));
        if (!counted(token.place))
            return false;
        value.line = token.place.line;
        value.column = token.place.column;
        open_.emplace_back().value = std::move(value);
        return true;
    }

    bool close() {
        next_token();
        Value value = std::move(open_.back().value);
        open_.pop_back();
        place(std::move(value));
        return true;
    }

    std::string_view text_;
    const std::string& file_;
    std::vector<Problem>& problems_;
    std::vector<Problem>& twice_;
    std::size_t at_ = 0;
    Place place_;
    std::size_t nodes_ = 0;
    std::vector<Open> open_;
    Value root_;
};

std::string json_number(double value) {
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value < 0 ? "-Infinity" : "Infinity";
    return python_float(value);
}

void write_value(JsonWriter& out, const Value& value) {
    if (const Value::Map* map = value.map()) {
        Value::Map sorted = *map;
        std::ranges::stable_sort(sorted, {}, &Entry::key);
        out.begin_object();
        for (const Entry& entry : sorted) {
            out.key(entry.key);
            write_value(out, entry.value);
        }
        out.end_object();
    } else if (const Value::List* list = value.list()) {
        out.begin_array();
        for (const Value& item : *list)
            write_value(out, item);
        out.end_array();
    } else if (value.is_null()) {
        out.null();
    } else if (const bool* truth = value.boolean()) {
        out.boolean(*truth);
    } else if (const double* number = value.number(); number != nullptr && big_integer(value).empty()) {
        out.literal(json_number(*number));
    } else if (value.integer() != nullptr || value.number() != nullptr) {
        out.literal(value.display());
    } else {
        out.text(value.display());
    }
}

}  // namespace

Value parse_json_text(std::string_view text, const std::string& file, std::vector<Problem>& problems,
                      std::vector<Problem>& twice) {
    if (text.size() > kLargestFile) {
        problems.push_back({file, 0, 0, "",
                            Message("is {}, more than the {} allowed for settings", text::file_size(text.size()),
                                    text::file_size(kLargestFile))});
        return {};
    }
    if (std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        problems.push_back({file, 0, 0, "", Message("byte {} is zero: this is not a text file", zero)});
        return {};
    }
    std::size_t before = problems.size();
    JsonBuilder builder(text, file, problems, twice);
    bool whole = nlohmann::json::sax_parse(with_standard_numbers(text), &builder);
    if (!whole && problems.size() == before)
        problems.push_back({file, 0, 0, "", "is not valid JSON"});
    return whole ? builder.take() : Value();
}

std::string write_json(const Value::Map& root) {
    JsonWriter out({.indent = 2, .characters = JsonText::ascii});
    write_value(out, Value(root));
    return out.take() + "\n";
}

}  // namespace trainyard::settings
