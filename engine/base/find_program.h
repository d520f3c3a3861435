// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The search for programs in the folders of PATH.

#include <string>

namespace trainyard {

/// Which folders of PATH count. A program that runs without a request of the user is searched for in absolute folders
/// only, so that the current folder cannot supply it.
enum class SearchFolders { all, absolute };

/// Path of the first regular file called `name` in the folders of `search_path` that may be executed. Empty if it is
/// missing. `search_path` is the value of PATH, in which an empty folder is the current one; nullptr: PATH is not set.
std::string find_program(const std::string& name, const char* search_path, SearchFolders folders = SearchFolders::all);

}  // namespace trainyard
