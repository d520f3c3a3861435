// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/trash.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "run/listing.h"
#include "run/state.h"

namespace trainyard::run {

namespace {
constexpr const char* kFolder = ".trash";
constexpr const char* kBetween = "--";

void rename_or_throw(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error)
        throw UserError("cannot move {} to {}: {}", from.string(), to.string(), system_message(error.value()));
}

/// Returns the id of the deleted run in this folder. Throws UserError if it is not a deleted run.
std::string id_of(const fs::path& trashed) {
    const std::string name = trashed.filename().string();
    const std::size_t between = name.find(kBetween);
    if (between == std::string::npos || trashed.parent_path().filename() != kFolder)
        throw UserError("{} is not a deleted run", trashed.string());
    return name.substr(between + 2);
}
}  // namespace

fs::path move_folder_to_trash(const fs::path& folder) {
    std::error_code error;
    const fs::path trash = folder.parent_path() / kFolder;
    make_private_folder(trash);
    // The time is an integer of seconds: names sort by it, and no clock zone can shift it.
    auto second = static_cast<long long>(std::floor(wall_seconds()));
    fs::path to;
    do
        to = trash / (std::to_string(second++) + kBetween + folder.filename().string());
    while (fs::exists(to, error));
    rename_or_throw(folder, to);
    return to;
}

fs::path move_to_trash(const RunPaths& run) {
    std::error_code error;
    if (!fs::is_directory(run.root(), error))
        throw UserError("there is no run in {}: it was moved or deleted already", run.root().string());
    std::optional<RunState> state;
    try {
        state = read_state(run);
    } catch (const UserError&) {
        // A run that cannot be read may be deleted: there is nobody who could be writing a torn state for long.
    }
    if (state && !is_over(state->status) && !is_lost(*state, wall_seconds()))
        throw UserError("run {} is {}: stop it before it is deleted", run.id(), shown_status(*state, wall_seconds()));
    return move_folder_to_trash(run.root());
}

RunPaths restore_from_trash(const fs::path& trashed) {
    const fs::path to = trashed.parent_path().parent_path() / id_of(trashed);
    std::error_code error;
    if (fs::exists(to, error))
        throw UserError("{} exists again: rename it before you restore the deleted run", to.string());
    if (!fs::exists(trashed, error))
        throw UserError("{} is no longer in the trash: it was purged", to.filename().string());
    rename_or_throw(trashed, to);
    return RunPaths(to);
}

std::vector<TrashedRun> list_trash(const fs::path& root) {
    std::vector<TrashedRun> trashed;
    std::error_code error;
    for (fs::directory_iterator entry(root / kFolder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        const std::size_t between = name.find(kBetween);
        if (between == std::string::npos || between == 0 || between > 12 ||
            name.find_first_not_of("0123456789") != between)
            continue;
        trashed.push_back({entry->path(), name.substr(between + 2), std::stod(name.substr(0, between))});
    }
    std::sort(trashed.begin(), trashed.end(),
              [](const TrashedRun& a, const TrashedRun& b) { return a.deleted > b.deleted; });
    return trashed;
}

std::string shown_name(const TrashedRun& run) {
    ListedRun listed{RunPaths(run.folder), std::nullopt, "", labels_or_none(RunPaths(run.folder))};
    try {
        listed.state = read_state(listed.paths);
    } catch (const UserError&) {
        // Its id says enough.
    }
    const std::string name = shown_name(listed);
    return name.empty() ? run.id : name;
}

std::uint64_t size_of(const TrashedRun& run) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(run.folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->symlink_status(ignored).type() == fs::file_type::regular) {
            const std::uintmax_t size = entry->file_size(ignored);
            bytes += ignored ? 0 : size;
        }
    }
    return bytes;
}

void delete_for_good(const fs::path& trashed) {
    id_of(trashed);
    std::error_code error;
    fs::remove_all(trashed, error);
    if (error)
        throw_file_error("cannot delete", trashed, error.value());
}

int purge_trash(const fs::path& root, double age_s) {
    const double now = wall_seconds();
    int gone = 0;
    for (const TrashedRun& run : list_trash(root)) {
        if (now - run.deleted < age_s)
            continue;
        delete_for_good(run.folder);
        ++gone;
    }
    return gone;
}

}  // namespace trainyard::run
