// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one writer of JSON texts. It writes pieces in the order of the calls, and whole values of nlohmann's library with
// the same escaping. packaging/check refuses other calls of nlohmann's own writer.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json_fwd.hpp>

namespace trainyard {

/// Which characters of a text are written as escapes besides quotes, backslashes and control characters.
enum class JsonText { utf8, ascii };

/// Appends the text with its quotes. Bytes that are not UTF-8 (logs of programs contain anything) become U+FFFD.
/// `ascii`: everything outside of ASCII is escaped, as json.dumps of Python does it.
void append_json_text(std::string& out, std::string_view text, JsonText characters = JsonText::utf8);
std::string quoted_json(std::string_view text, JsonText characters = JsonText::utf8);

struct JsonStyle {
    int indent = -1;  ///< spaces for each level, with one value in a line; -1: everything in one line
    JsonText characters = JsonText::utf8;
    bool spaced = false;  ///< a space after commas and colons of one line, as json.dumps of Python
};

/// Writes a text in pieces. The caller keeps to the grammar: a key before each value of an object, an end for each
/// beginning.
class JsonWriter {
  public:
    explicit JsonWriter(const JsonStyle& style = {}) : style_(style) {}

    void begin_object() { begin('{'); }
    void end_object() { end('{', '}'); }
    void begin_array() { begin('['); }
    void end_array() { end('[', ']'); }
    void key(std::string_view name);

    void null();
    void boolean(bool value);
    void number(std::int64_t value);
    void number(std::uint64_t value);
    /// The shortest text that reads as the same number. NaN and infinities, which JSON does not have, become null.
    void number(double value);
    void text(std::string_view value);
    /// A number as another program writes it: 1e-05, NaN.
    void literal(std::string_view value);
    void value(const nlohmann::json& value);
    void value(const nlohmann::ordered_json& value);

    const std::string& written() const { return out_; }
    std::string take() { return std::move(out_); }

  private:
    void begin(char bracket);
    void end(char opening, char closing);
    void before_value();
    void new_line();

    std::string out_;
    JsonStyle style_;
    int depth_ = 0;
    bool first_ = true, after_key_ = false;
};

std::string json_text(const nlohmann::json& value, const JsonStyle& style = {});
std::string json_text(const nlohmann::ordered_json& value, const JsonStyle& style = {});

}  // namespace trainyard
