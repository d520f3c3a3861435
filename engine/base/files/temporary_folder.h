// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A folder for files that are needed only for a while.

#include <filesystem>
#include <string_view>

namespace trainyard::files {

/// A new folder in the system's folder for temporary files, for its user alone. Removed with its files.
class TemporaryFolder {
  public:
    /// The folder's name begins with `name`. Throws UserError.
    explicit TemporaryFolder(std::string_view name);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    /// The folder is not removed.
    void keep() { is_kept_ = true; }

  private:
    std::filesystem::path path_;
    bool is_kept_ = false;
};

}  // namespace trainyard::files
