// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Texts for people: an English literal and its values.
//
//     Message message("cannot read {}: {}", file, reason);
//
// The literal is a format of fmt, checked by the compiler. A value may be a message again. Logs and the command line
// print text(), which is English; the desktop looks the literal up in its catalogue and puts the values into the
// translation. Files that carry messages keep literal and values beside the text (base/fields.h).
//
// A message without values has its literal as it is, with single braces.

#include <concepts>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace trainyard {

class Message {
  public:
    /// Empty: there is nothing to say.
    Message() = default;
    template <std::size_t N>
    Message(const char (&literal)[N]) : Message(table_text(std::string_view(literal, N - 1))) {}
    template <std::size_t N>
    Message(char (&buffer)[N]) = delete;
    template <typename... Values>
    requires(sizeof...(Values) > 0) explicit Message(fmt::format_string<Values...> form, Values&&... values) {
        const auto store = fmt::make_format_args(values...);
        const fmt::format_args arguments(store);
        compose(literal_of(form), {as_message(values)...}, &format_value<fmt::format_args>, &arguments);
    }

    /// A text that no catalogue knows: of the system, of another program, a name.
    static Message verbatim(std::string text);
    /// A literal that a table of the program or the C library has.
    static Message table_text(std::string_view literal);
    /// What a file or another machine sent. Throws nothing: placeholders without a value become empty.
    static Message from_parts(std::string form, std::vector<Message> values);
    /// The messages with a separator between them. Empty ones are left out.
    static Message joined(const std::vector<Message>& messages, std::string_view separator = "; ");

    /// English.
    const std::string& text() const { return text_; }
    operator std::string() const { return text_; }
    bool empty() const { return text_.empty(); }
    /// The key of catalogues; empty for a verbatim text.
    const std::string& form() const { return form_; }
    /// The values of the placeholders, by their index.
    const std::vector<Message>& values() const { return values_; }

    template <std::same_as<Message> Other>
    friend bool operator==(const Message& one, const Other& other) {
        return one.text_ == other.text_;
    }
    template <std::convertible_to<std::string_view> Text>
    requires(!std::same_as<Text, Message>) friend bool operator==(const Message& message, const Text& text) {
        return message.text_ == std::string_view(text);
    }
    friend std::ostream& operator<<(std::ostream& out, const Message& message);

  private:
    // LibTorch brings headers of another version of fmt than the system's, so no compiled function has types of fmt in
    // its name, and every inline function whose code depends on them does.
    using FormatValue = std::string (*)(const void* arguments, std::string_view placeholder);
    void compose(std::string_view form, std::initializer_list<const Message*> messages, FormatValue format,
                 const void* arguments);
    template <typename Arguments>
    static std::string format_value(const void* arguments, std::string_view placeholder) {
        return fmt::vformat(fmt::string_view(placeholder.data(), placeholder.size()),
                            *static_cast<const Arguments*>(arguments));
    }
    template <typename Form>
    static std::string_view literal_of(const Form& form) {
        if constexpr (requires { form.get(); }) {
            return {form.get().data(), form.get().size()};
        } else {
            const fmt::string_view literal = form;
            return {literal.data(), literal.size()};
        }
    }
    template <typename Value>
    static const Message* as_message(const Value& value) {
        if constexpr (std::is_same_v<Value, Message>)
            return &value;
        else
            return nullptr;
    }

    std::string text_, form_;
    std::vector<Message> values_;
};

/// Puts values into a form, with `{}` and `{1}` as placeholders, whose specification after a colon is ignored. `value`
/// is called with the index of each and appends it; `literal` appends what stands between them.
void for_each_placeholder(std::string_view form, auto&& literal, auto&& value) {
    std::size_t next = 0;
    for (std::size_t at = 0; at < form.size();) {
        const char c = form[at];
        if ((c == '{' || c == '}') && at + 1 < form.size() && form[at + 1] == c) {
            literal(form.substr(at, 1));
            at += 2;
            continue;
        }
        const std::size_t end = c == '{' ? form.find('}', at) : std::string_view::npos;
        if (end != std::string_view::npos) {
            std::size_t digit = at + 1, number = 0;
            while (digit < end && form[digit] >= '0' && form[digit] <= '9' && number < 1000)
                number = number * 10 + static_cast<std::size_t>(form[digit++] - '0');
            const std::string_view spec =
                form[digit] == ':' ? form.substr(digit + 1, end - digit - 1) : std::string_view();
            value(digit > at + 1 ? number : next++, spec);
            at = end + 1;
            continue;
        }
        const std::size_t until = std::min(form.find_first_of("{}", at + 1), form.size());
        literal(form.substr(at, until - at));
        at = until;
    }
}

}  // namespace trainyard

template <>
struct fmt::formatter<trainyard::Message> : fmt::formatter<std::string_view> {
    template <typename Context>
    auto format(const trainyard::Message& message, Context& context) const {
        return fmt::formatter<std::string_view>::format(message.text(), context);
    }
};
