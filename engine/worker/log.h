// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lines of a rank's log: `08:41:07.114 INFO  text`, local time, written at once.

#include <string_view>

namespace trainyard::worker {

void log_info(std::string_view text);
void log_warning(std::string_view text);
void log_error(std::string_view text);

}  // namespace trainyard::worker
