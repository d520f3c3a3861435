// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Messages between processes of one program: through a pipe, or to other ranks.

#include <string>
#include <string_view>

#include "base/message.h"

namespace trainyard {

/// The text, the literal and the values as JSON; of an empty message an empty text.
std::string message_to_json(const Message& message);
/// Any other text becomes a message without a form.
Message message_from_json(std::string_view json);

}  // namespace trainyard
