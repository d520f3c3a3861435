// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/message.h"

#include <cassert>
#include <ostream>

namespace trainyard {

namespace {

std::string rendered(std::string_view form, const std::vector<Message>& values) {
    if (values.empty())
        return std::string(form);
    std::string text;
    for_each_placeholder(
        form, [&](std::string_view literal) { text += literal; },
        [&](std::size_t index, std::string_view /*spec*/) {
            if (index < values.size())
                text += values[index].text();
        });
    return text;
}

}  // namespace

void Message::compose(std::string_view form, std::initializer_list<const Message*> messages, FormatValue format,
                      const void* arguments) {
    form_ = form;
    values_.resize(messages.size());
    for_each_placeholder(
        form, [](std::string_view) {},
        [&](std::size_t index, std::string_view spec) {
            assert(index < messages.size() && spec.find('{') == std::string_view::npos);
            if (const Message* message = messages.begin()[index])
                values_[index] = *message;
            else if (values_[index].empty())
                values_[index] = verbatim(format(arguments, fmt::format("{{{}:{}}}", index, spec)));
        });
    text_ = rendered(form_, values_);
}

Message Message::verbatim(std::string text) {
    Message message;
    message.text_ = std::move(text);
    return message;
}

Message Message::table_text(std::string_view literal) {
    Message message;
    message.text_ = message.form_ = literal;
    return message;
}

Message Message::from_parts(std::string form, std::vector<Message> values) {
    Message message;
    message.text_ = rendered(form, values);
    message.form_ = std::move(form);
    message.values_ = std::move(values);
    return message;
}

Message Message::joined(const std::vector<Message>& messages, std::string_view separator) {
    std::vector<Message> values;
    std::string form;
    for (const Message& message : messages) {
        if (message.empty())
            continue;
        if (!values.empty())
            form += separator;
        form += "{}";
        values.push_back(message);
    }
    return values.size() == 1 ? values.front() : from_parts(std::move(form), std::move(values));
}

std::ostream& operator<<(std::ostream& out, const Message& message) {
    return out << message.text();
}

}  // namespace trainyard
