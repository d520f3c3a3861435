// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the two ways of SwanLab share. Inside this library.

#include <string>

#include "observe/track/remote_tracker.h"
#include "observe/track/tracked_values.h"

namespace trainyard::track {

/// The address of the interface of the server.
std::string swanlab_address();
/// SWANLAB_API_KEY, else the key that `swanlab login` has stored for the server; empty: none. No message contains it.
std::string swanlab_key();

/// A configuration as SwanLab stores it: NaN and infinity are texts, and what is missing is an empty table.
Values swanlab_configuration(const Values& configuration);
/// `rows`: lists with a value for every column.
std::string markdown_table(const Value& columns, const Value& rows);

ServiceKind swanlab_service();

}  // namespace trainyard::track
