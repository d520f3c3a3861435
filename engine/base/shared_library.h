// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shared libraries: plug-ins that a user names, and libraries of the system that the program can do without.

#include <filesystem>
#include <initializer_list>
#include <string>

#include "base/message.h"

namespace trainyard {

/// A sentence on why a file cannot be a shared library (missing, a folder, unreadable, of another format); empty when
/// it is one. Looks at the first bytes and loads nothing.
Message why_no_shared_library(const std::filesystem::path& file);

/// Loads it for the rest of the process, with symbols of its own. Throws UserError with the file and the loader's
/// reason.
void* load_shared_library(const std::filesystem::path& file);
/// nullptr if the library does not have it.
void* find_symbol(void* library, const char* name);

/// A library of the system that may be missing (libcurl, SQLite, libsecret). Loaded for the rest of the process.
class SystemLibrary {
  public:
    /// The first of these that the loader finds.
    explicit SystemLibrary(std::initializer_list<const char*> names);

    /// nullptr if it is missing or has no such function.
    template <class Function>
    void find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(look_up(name));
    }

    bool found() const { return library_ != nullptr; }
    /// The first function that find() did not find, or nullptr.
    const char* missing() const { return missing_; }
    bool usable() const { return found() && missing_ == nullptr; }

  private:
    void* look_up(const char* name);

    void* library_ = nullptr;
    const char* missing_ = nullptr;
};

}  // namespace trainyard
