// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The search for programs in the folders of PATH.

#include <string>

namespace trainyard {

/// Path of the first file called `name` in the folders of `search_path` that may be executed. Empty if there is none.
/// `search_path` is the value of PATH, in which an empty folder is the current one; nullptr: PATH is not set.
std::string find_program(const std::string& name, const char* search_path);

}  // namespace trainyard
