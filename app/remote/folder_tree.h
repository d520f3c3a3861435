// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The files below a folder of a host, within Limits: the one way in which folders of a host are walked. A host may
// answer folders without end, so nothing else calls itself for what a host lists.

#include <functional>
#include <string>
#include <vector>

#include "base/untrusted.h"
#include "remote/session.h"

namespace trainyard::remote {

struct TreeFile {
    std::string there;  ///< its path on the host
    SafePath name;      ///< below the folder
    std::uint64_t size = 0;
    double modified = 0;  ///< seconds since 1970
};

struct FolderTree {
    std::vector<SafePath> folders;  ///< each after the one that it is in
    std::vector<TreeFile> files;
    std::uint64_t bytes = 0;        ///< of all files, as the host lists them
    std::vector<Message> problems;  ///< what is left out and why; of many the first ones, and how many more
};

struct TreeOptions {
    Limits limits = {};
    int depth =
        1000;  ///< folders below the walked one that are of interest; deeper ones are left out without a problem
    /// Links to files count as files of the size of what they lead to; links to folders are never followed.
    bool follow_links = false;
    bool skip_unreadable = false;  ///< a folder that may not be read is a problem, instead of ConnectionError
    std::function<bool(const SafeFileName& file)> wanted = {};  ///< empty: every file
    std::function<bool()> go_on = {};                           ///< asked between folders; false ends the walk early
};

/// Walks `folder`. What is beyond a limit is left out and is a problem. Throws ConnectionError.
FolderTree list_tree(Sftp& sftp, const std::string& folder, const TreeOptions& options = {});

}  // namespace trainyard::remote
