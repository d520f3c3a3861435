// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/find_program.h"

#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace trainyard {

std::string find_program(const std::string& name, const char* search_path, SearchFolders which) {
    std::istringstream folders(search_path == nullptr ? "/bin:/usr/bin" : search_path);
    std::error_code error;
    for (std::string folder; !name.empty() && std::getline(folders, folder, ':');) {
        if (which == SearchFolders::absolute && !folder.starts_with('/'))
            continue;
        std::string file = (folder.empty() ? "." : folder) + "/" + name;
        if (::access(file.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file, error))
            return file;
    }
    return {};
}

}  // namespace trainyard
