// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/git_state.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

namespace trainyard::launch {

namespace fs = std::filesystem;

namespace {

std::string trimmed_first_line(const fs::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
        line.pop_back();
    return line;
}

/// The .git folder that governs `folder`; a file `.git` (worktree, submodule) points to it.
fs::path git_folder(fs::path folder) {
    std::error_code error;
    folder = fs::absolute(folder, error);
    for (;; folder = folder.parent_path()) {
        fs::path git = folder / ".git";
        if (fs::is_directory(git, error))
            return git;
        if (fs::is_regular_file(git, error)) {
            std::string line = trimmed_first_line(git);
            return line.starts_with("gitdir: ") ? (folder / line.substr(8)).lexically_normal() : fs::path();
        }
        if (folder == folder.parent_path())
            return {};
    }
}

std::string packed_reference(const fs::path& git, const std::string& name) {
    std::ifstream stream(git / "packed-refs");
    for (std::string line; std::getline(stream, line);)
        if (line.size() > 41 && line.compare(41, std::string::npos, name) == 0)
            return line.substr(0, 40);
    return "";
}

}  // namespace

std::string git_commit(const fs::path& folder) {
    fs::path git = git_folder(folder);
    if (git.empty())
        return "";
    std::string head = trimmed_first_line(git / "HEAD");
    if (!head.starts_with("ref: "))
        return head;
    std::string name = head.substr(5);
    std::vector<fs::path> places{git};
    // A worktree keeps its own HEAD and shares the branches.
    if (std::string common = trimmed_first_line(git / "commondir"); !common.empty())
        places.push_back((git / common).lexically_normal());
    for (const fs::path& place : places) {
        if (std::string commit = trimmed_first_line(place / name); !commit.empty())
            return commit;
        if (std::string commit = packed_reference(place, name); !commit.empty())
            return commit;
    }
    return "";
}

GitStatus::GitStatus(const fs::path& folder) : commit_(git_commit(folder)) {
    int ends[2];
    if (commit_.empty() || ::pipe2(ends, O_CLOEXEC) != 0)
        return;
    output_ = FileDescriptor(ends[0]);
    FileDescriptor write(ends[1]);
    std::string path = folder.string();
    // core.fsmonitor names a program to run: an untrusted repository must not make us execute programs.
    std::vector<std::string> words{"git", "-c",     "core.fsmonitor=false", "--no-optional-locks",  "-C",
                                   path,  "status", "--porcelain",          "--untracked-files=no", "--",
                                   "."};
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, write.get(), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (::posix_spawnp(&pid_, "git", &actions, nullptr, arguments.data(), environ) != 0)
        pid_ = 0;
    posix_spawn_file_actions_destroy(&actions);
}

GitStatus::~GitStatus() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
}

std::map<std::string, std::string> GitStatus::result(double wait_s) {
    if (commit_.empty())
        return {};
    std::map<std::string, std::string> values{{"commit", commit_}, {"dirty", "unknown"}};
    double deadline = monotonic_seconds() + wait_s;
    std::string said;
    while (pid_ > 0) {
        int left = static_cast<int>((deadline - monotonic_seconds()) * 1000);
        pollfd ready{output_.get(), POLLIN, 0};
        if (left <= 0 || ::poll(&ready, 1, left) <= 0)
            return values;
        char buffer[4096];
        ssize_t n = ::read(output_.get(), buffer, sizeof buffer);
        if (n > 0) {
            said.append(buffer, static_cast<std::size_t>(n));
            continue;
        }
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = 0;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            values["dirty"] = said.empty() ? "no" : "yes";
    }
    return values;
}

}  // namespace trainyard::launch
