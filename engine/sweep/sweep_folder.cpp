// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep_folder.h"

#include <algorithm>
#include <cerrno>
#include <functional>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"

namespace trainyard::sweep {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLockFile = ".lock";
constexpr const char* kAskedFile = "asked";
constexpr const char* kEndFile = "ended.json";

struct End {
    SweepState state = SweepState::interrupted;
    Message problem;
    void fields(auto& field) const {
        field("state", state).names(kChoiceNames<SweepState>).required();
        field("problem", problem);
    }
};

bool try_lock(const FileDescriptor& file) {
    return file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

/// Tries for a shared lock, so that two readers do not take each other for the process of the sweep.
bool is_locked(const fs::path& folder) {
    const FileDescriptor file(::open((folder / kLockFile).c_str(), O_RDONLY | O_CLOEXEC));
    return file && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0;
}

}  // namespace

std::int64_t StoredSweep::over() const {
    return std::ranges::count_if(trials, [](const auto& one) { return is_over(one.second.state); });
}

std::vector<fs::path> sweep_folders(const fs::path& place) {
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    std::error_code error;
    for (fs::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code missing;
        const fs::file_time_type time = fs::last_write_time(entry->path() / "sweep.yaml", missing);
        if (!missing)
            found.emplace_back(time, entry->path());
    }
    if (error && error != std::errc::no_such_file_or_directory)
        throw UserError(
            "the sweeps in {} cannot be read: {}: make it a folder that you may read and write, or remove it",
            place.string(), error.message());
    std::ranges::sort(found, std::greater());
    std::vector<fs::path> folders;
    for (auto& [time, folder] : found)
        folders.push_back(std::move(folder));
    return folders;
}

StoredSweep read_sweep(const fs::path& folder) {
    StoredSweep sweep;
    sweep.folder = folder;
    sweep.file = load_begun(folder);
    const bool locked = is_locked(folder);
    // After the lock: a process that ends writes its last trial first.
    sweep.trials = read_trials(folder, sweep.file);
    std::error_code error;
    if (locked) {
        const std::optional<SweepState> asked = asked_end(folder);
        sweep.state = asked == SweepState::paused    ? SweepState::pausing
                      : asked == SweepState::stopped ? SweepState::stopping
                                                     : SweepState::running;
    } else if (sweep.over() == sweep.file.trials) {
        sweep.state = SweepState::finished;
    } else if (fs::exists(folder / kEndFile, error)) {
        const auto end = fields::from_text<End>(read_file(folder / kEndFile), (folder / kEndFile).string());
        sweep.state = end.state;
        sweep.problem = end.problem;
    }
    return sweep;
}

std::string sweep_signature(const fs::path& folder) {
    std::string signature = is_locked(folder) ? "locked" : "free";
    for (const char* name : {"sweep.yaml", "begun.json", "trials.jsonl", kAskedFile, kEndFile}) {
        struct stat status {};
        if (::stat((folder / name).c_str(), &status) == 0)
            signature +=
                fmt::format(" {}:{}.{}:{}", name, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size);
    }
    return signature;
}

SweepLock::SweepLock(const fs::path& folder)
    : file_(::open((folder / kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (!file_)
        throw_file_error("cannot open", folder / kLockFile, errno);
    // A reader may look at it at this moment.
    for (int attempt = 0; !try_lock(file_); ++attempt) {
        if (attempt == 20)
            throw UserError("another process continues the sweep {}: `--show` prints its trials",
                            folder.filename().string());
        ::usleep(10'000);
    }
}

void ask_to_end(const fs::path& folder, bool stop_trials) {
    if (!is_locked(folder))
        throw UserError("no process continues the sweep {} now", folder.filename().string());
    write_file_atomically(folder / kAskedFile, stop_trials ? "stop" : "pause");
}

std::optional<SweepState> asked_end(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder / kAskedFile, error))
        return std::nullopt;
    return read_file(folder / kAskedFile) == "stop" ? SweepState::stopped : SweepState::paused;
}

void begin_again(const fs::path& folder) {
    std::error_code ignored;
    for (const char* name : {kAskedFile, kEndFile})
        fs::remove(folder / name, ignored);
}

void write_end(const fs::path& folder, SweepState state, const Message& problem) {
    write_file_atomically(folder / kEndFile, fields::to_text(End{state, problem}));
}

void delete_sweep(const fs::path& folder) {
    const SweepLock lock(folder);
    std::error_code error;
    fs::remove_all(folder, error);
    if (error)
        throw UserError("{} cannot be deleted: {}", folder.string(), error.message());
}

}  // namespace trainyard::sweep
