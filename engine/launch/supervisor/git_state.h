// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The git state of a recipe's folder for run.yaml: the commit from the files of .git, whether something is changed from git itself,
// which runs beside the other checks of a launch and is not waited for long.

#include <filesystem>
#include <map>
#include <string>

#include "base/file_descriptor.h"

namespace trainyard::launch {

/// Commit that HEAD names, read without starting git; empty outside of a repository or before the first commit.
std::string git_commit(const std::filesystem::path& folder);

/// `git status` of a folder, started by the constructor and running beside the caller.
class GitStatus {
  public:
    explicit GitStatus(const std::filesystem::path& folder);
    ~GitStatus();
    GitStatus(const GitStatus&) = delete;
    GitStatus& operator=(const GitStatus&) = delete;

    /// {"commit": ..., "dirty": yes|no|unknown}; empty outside of a repository. Waits at most `wait_s` for git.
    std::map<std::string, std::string> result(double wait_s);

  private:
    std::string commit_;
    FileDescriptor output_;
    pid_t pid_ = 0;
};

}  // namespace trainyard::launch
