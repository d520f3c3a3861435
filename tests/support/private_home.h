// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Settings, state, data and caches of a test program in a temporary folder: what runs of the user have left (learnt calibrations, kept windows) does not
// influence tests, and tests leave nothing there.

#include <cstdlib>
#include <initializer_list>

#include "support/temporary_folder.h"

namespace trainyard::test {

class PrivateHome {
  public:
    explicit PrivateHome(std::initializer_list<const char*> more = {}) {
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            set(name);
        for (const char* name : more)
            set(name);
    }

  private:
    void set(const char* name) {
        const std::filesystem::path folder = home_.path() / name;
        std::filesystem::create_directories(folder);
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
        ::setenv(name, folder.c_str(), 1);
    }
    TemporaryFolder home_;
};

}  // namespace trainyard::test
