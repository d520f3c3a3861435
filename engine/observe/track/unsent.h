// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Records of trackers that a run could not send before it ended. They are sent by the next run with the same folder, or
// here.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::track {

struct SentRecords {
    std::string tracker;
    std::filesystem::path file;  ///< of the records
    std::size_t sent = 0, left = 0;
    std::vector<Message> problems = {};
};

/// Whether a folder, or one below it, has unsent records.
bool has_unsent_records(const std::filesystem::path& folder);

/// Sends the unsent records of a folder and of those below it, with the credentials of this environment. A service that
/// fails is tried again, for `limit_s` seconds in all; a delivery that takes longer is interrupted. Records of an
/// active run are left to it.
std::vector<SentRecords> send_unsent_records(const std::filesystem::path& folder, double limit_s,
                                             const std::stop_token& stop = {});

}  // namespace trainyard::track
