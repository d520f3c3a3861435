// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/descriptors.h"

#include <algorithm>
#include <cstdlib>

#include <dirent.h>
#include <unistd.h>

namespace trainyard::launch {

void close_all_but(const std::vector<int>& kept) {
    DIR* folder = ::opendir("/proc/self/fd");
    if (folder == nullptr)
        return;
    std::vector<int> open;
    while (dirent* entry = ::readdir(folder)) {
        int fd = std::atoi(entry->d_name);
        if (fd > STDERR_FILENO && fd != ::dirfd(folder) && std::find(kept.begin(), kept.end(), fd) == kept.end())
            open.push_back(fd);
    }
    ::closedir(folder);
    for (int fd : open)
        ::close(fd);
}

}  // namespace trainyard::launch
