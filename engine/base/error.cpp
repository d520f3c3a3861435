// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace trainyard {

Message message_of(const std::exception& error) {
    // The library's own text has the names of its functions.
    if (const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
        return Message("{}: {}", of_file->path1().string(), system_message(of_file->code().value()));
    const auto* user_error = dynamic_cast<const UserError*>(&error);
    return user_error != nullptr ? user_error->message() : Message::verbatim(error.what());
}

Message system_message(int error_number) {
    return Message::table_text(std::strerror(error_number));
}

Message Problem::text() const {
    const Message subject = key.empty() ? message : Message("{}: {}", key, message);
    if (line > 0)
        return file.empty() ? Message("line {}:{}: {}", line, column, subject)
                            : Message("{}:{}:{}: {}", file, line, column, subject);
    return file.empty() ? subject : Message("{}: {}", file, subject);
}

namespace {
Message joined(const std::vector<Problem>& problems) {
    std::vector<Message> all;
    for (const Problem& problem : problems)
        all.push_back(problem.text());
    return Message::joined(all, "\n");
}
}  // namespace

InvalidInput::InvalidInput(std::vector<Problem> problems)
    : UserError(joined(problems)), problems_(std::move(problems)) {}

}  // namespace trainyard
