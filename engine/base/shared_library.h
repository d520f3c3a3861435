// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shared libraries that a user names: plug-ins.

#include <filesystem>
#include <string>

#include "base/message.h"

namespace trainyard {

/// A sentence on why a file cannot be a shared library (missing, a folder, unreadable, of another format); empty when it
/// is one. Looks at the first bytes and loads nothing.
Message why_no_shared_library(const std::filesystem::path& file);

/// Loads it for the rest of the process, with symbols of its own. Throws UserError with the file and the loader's reason.
void* load_shared_library(const std::filesystem::path& file);
/// nullptr if the library does not have it.
void* find_symbol(void* library, const char* name);

}  // namespace trainyard
