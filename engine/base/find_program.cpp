// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/find_program.h"

#include <sstream>

#include <unistd.h>

namespace trainyard {

std::string find_program(const std::string& name, const char* search_path) {
    std::istringstream folders(search_path == nullptr ? "/bin:/usr/bin" : search_path);
    for (std::string folder; !name.empty() && std::getline(folders, folder, ':');)
        if (std::string file = (folder.empty() ? "." : folder) + "/" + name; ::access(file.c_str(), X_OK) == 0)
            return file;
    return {};
}

}  // namespace trainyard
