// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/file.h"

namespace trainyard::files {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(std::string_view name) {
    std::string text = (fs::temp_directory_path() / name).string() + "-XXXXXX";
    if (::mkdtemp(text.data()) == nullptr)
        throw_file_error("cannot make", text, errno);
    path_ = text;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!is_kept_)
        fs::remove_all(path_, ignored);
}

}  // namespace trainyard::files
