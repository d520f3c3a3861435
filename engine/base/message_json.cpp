// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/message_json.h"

#include "base/fields.h"
#include "base/json.h"

namespace trainyard {

namespace {

struct SentMessage {
    Message message;

    void fields(auto& field) const { field("message", message).required(); }
};

}  // namespace

std::string message_to_json(const Message& message) {
    return message.empty() ? std::string() : fields::to_text(SentMessage{message});
}

Message message_from_json(std::string_view json) {
    fields::Reading in;
    SentMessage sent;
    const fields::Json value = read_json(json);
    if (value.is_object())
        fields::read(in, value, sent);
    return value.is_object() && in.problems().empty() ? std::move(sent.message) : Message::verbatim(std::string(json));
}

}  // namespace trainyard
