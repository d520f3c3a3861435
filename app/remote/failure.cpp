// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/failure.h"

namespace trainyard::remote {

Message printable_message(const Message& message) {
    std::string text = HostText::lines(message.text());
    if (text == message.text())
        return message;
    if (message.values().empty())
        return Message::verbatim(std::move(text));
    std::vector<Message> values;
    for (const Message& value : message.values())
        values.push_back(printable_message(value));
    return Message::from_parts(message.form(), std::move(values));
}

const char* name_of(Cause cause) {
    switch (cause) {
        case Cause::bad_settings:
            return "bad_settings";
        case Cause::name_not_found:
            return "name_not_found";
        case Cause::no_route:
            return "no_route";
        case Cause::refused:
            return "refused";
        case Cause::timed_out:
            return "timed_out";
        case Cause::not_ssh:
            return "not_ssh";
        case Cause::host_key_unknown:
            return "host_key_unknown";
        case Cause::host_key_changed:
            return "host_key_changed";
        case Cause::host_key_revoked:
            return "host_key_revoked";
        case Cause::authentication:
            return "authentication";
        case Cause::too_many_attempts:
            return "too_many_attempts";
        case Cause::jump_refused:
            return "jump_refused";
        case Cause::no_shell:
            return "no_shell";
        case Cause::shell_prints:
            return "shell_prints";
        case Cause::command_missing:
            return "command_missing";
        case Cause::no_space:
            return "no_space";
        case Cause::remote_file:
            return "remote_file";
        case Cause::connection_lost:
            return "connection_lost";
        case Cause::cancelled:
            return "cancelled";
    }
    return "unknown";
}

}  // namespace trainyard::remote
