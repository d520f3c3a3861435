// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/log_mirror.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <set>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/regular_file.h"
#include "base/system_call.h"
#include "base/text.h"
#include "remote/copied_file.h"
#include "remote/folder_tree.h"

namespace trainyard::remote {

namespace {

constexpr std::uint64_t kFetchBytes = 2u << 20;  // bytes fetched between two calls of go_on
constexpr std::uint64_t kTurn = 8u << 20;        // bytes of a file in one pass
constexpr std::size_t kMostLogsNamed = 100;      // files in messages of a pass
constexpr std::uint64_t kOverlap = 64;           // bytes that must be equal to treat a file as grown

std::string tail_of(const fs::path& path, std::uint64_t size, std::uint64_t wanted) {
    const FileDescriptor file = try_open_regular_file(path);
    const std::uint64_t length = std::min(size, wanted);
    std::string bytes(length, '\0');
    const ssize_t got = file ? ::pread(file.get(), bytes.data(), length, static_cast<off_t>(size - length)) : 0;
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    return bytes;
}

void append(const fs::path& path, std::string_view bytes) {
    const FileDescriptor file = open_copied_file(path, O_APPEND);
    if (!write_all(file.get(), bytes))
        throw_file_error("cannot write", path, errno);
}

std::uint64_t size_here(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    return error ? 0 : static_cast<std::uint64_t>(size);
}

/// The number of entries to create for a file and its folders.
std::uint64_t missing_entries(const fs::path& root, const fs::path& file) {
    std::uint64_t missing = 0;
    std::error_code error;
    for (fs::path at = file; at != root && !fs::exists(at, error); at = at.parent_path())
        ++missing;
    return missing;
}

}  // namespace

bool is_log_name(const std::string& name) {
    return name.find("tfevents") != std::string::npos || name.ends_with(".jsonl") || name.ends_with(".csv") ||
           name.ends_with(".wandb") || name == "trainer_state.json";
}

LogMirror::LogMirror(std::string remote, fs::path local, LogMirrorLimits limits)
    : remote_(std::move(remote)), local_(std::move(local)), limits_(limits) {
    while (remote_.size() > 1 && remote_.ends_with('/'))
        remote_.pop_back();
    local_ = local_.lexically_normal();
    if (!local_.has_filename())
        local_ = local_.parent_path();
}

std::uint64_t LogMirror::bring(Sftp& sftp, const Found& file, std::uint64_t have, const std::function<bool()>& go_on) {
    std::uint64_t copied = 0;
    if (have > 0) {
        const std::string here = tail_of(file.place, have, kOverlap);
        const bool grew = file.size >= have && sftp.read_range(file.path, have - here.size(), here.size()) == here;
        if (!grew) {
            // Write a new file, so that readers of the old one notice the replacement.
            std::error_code ignored;
            fs::remove(file.place, ignored);
            have = 0;
        }
    }
    while (have < file.size && copied < kTurn && go_on()) {
        const std::string bytes = sftp.read_range(file.path, have, std::min(kFetchBytes, file.size - have));
        if (bytes.empty())
            break;  // became shorter meanwhile; handled by the next pass
        append(file.place, bytes);
        have += bytes.size();
        copied += bytes.size();
    }
    return copied;
}

/// The files in the local folder.
struct LogMirror::Copies {
    struct File {
        fs::path path;
        std::uint64_t size = 0;
        fs::file_time_type written;
    };
    std::vector<File> files;
    std::uint64_t bytes = 0;
    std::uint64_t entries = 0;  ///< files and folders

    /// Removes files below `root` that are not in `listed`, oldest first, until enough space is free. Returns false if
    /// it is not enough.
    bool make_room(const fs::path& root, const std::set<fs::path>& listed, const Limits& limits,
                   std::uint64_t new_bytes, std::uint64_t new_entries) {
        const auto has_room = [&] {
            return bytes + new_bytes <= limits.bytes && entries + new_entries <= limits.files;
        };
        if (has_room())
            return true;
        std::ranges::sort(files, std::greater{}, &File::written);
        for (std::size_t i = files.size(); i-- > 0 && !has_room();) {
            if (listed.contains(files[i].path))
                continue;
            std::error_code error;
            if (!fs::remove(files[i].path, error))
                continue;
            bytes -= std::min(bytes, files[i].size);
            --entries;
            for (fs::path folder = files[i].path.parent_path(); folder != root && ::rmdir(folder.c_str()) == 0;
                 folder = folder.parent_path())
                --entries;
            files.erase(files.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return has_room();
    }
};

LogMirror::Copies LogMirror::measure() const {
    Copies copies;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(local_, error), end; !error && entry != end; entry.increment(error)) {
        ++copies.entries;
        std::error_code ignored;
        if (!fs::is_regular_file(entry->symlink_status(ignored)))
            continue;
        copies.files.push_back({entry->path(), entry->file_size(ignored), entry->last_write_time(ignored)});
        copies.bytes += copies.files.back().size;
    }
    return copies;
}

LogMirrorPass LogMirror::pass(Sftp& sftp, const std::function<bool()>& go_on) {
    LogMirrorPass pass;
    make_private_folder(local_);
    std::vector<Found> found;
    const std::optional<RemoteFile> there = sftp.find(remote_);
    if (there && !there->is_folder()) {
        found.push_back({remote_, local_ / fs::path(remote_).filename(), there->size, there->modified});
    } else {
        TreeOptions options{.limits = limits_.all, .skip_unreadable = true, .wanted = is_log_name, .go_on = go_on};
        options.limits.bytes = UINT64_MAX;  // of all logs there; the copied ones are counted below
        FolderTree tree = list_tree(sftp, remote_, options);
        for (const TreeFile& file : tree.files)
            found.push_back({file.there, local_ / file.name, file.size, file.modified});
        pass.missing = std::move(tree.problems);
    }
    if (found.size() > limits_.logs) {
        // Prefer the newest files, which users look at most.
        std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.modified > b.modified; });
        pass.missing.push_back(Message("{} of {} files are not copied: the newest {} are", found.size() - limits_.logs,
                                       found.size(), limits_.logs));
        found.resize(limits_.logs);
    }
    pass.files = found.size();
    std::set<fs::path> listed;
    std::set<std::string> paths;
    for (const Found& file : found) {
        listed.insert(file.place);
        paths.insert(file.path);
    }
    std::erase_if(seen_, [&](const auto& one) { return !paths.contains(one.first); });
    Copies copies = measure();
    bool full = false;
    std::size_t unreadable = 0;
    const CopyBudget room(limits_.all, Message("the copy of {}", HostText(remote_).text()));
    for (const Found& file : found) {
        const std::uint64_t have = size_here(file.place);
        const auto known = seen_.find(file.path);
        const bool same = have == file.size && known != seen_.end() && known->second == file.modified;
        if (!same && go_on()) {
            const std::uint64_t more = std::min(kTurn, file.size - std::min(file.size, have));
            const std::uint64_t new_entries = missing_entries(local_, file.place);
            if (!copies.make_room(local_, listed, limits_.all, more, new_entries)) {
                full = true;
                continue;
            }
            make_private_folder(file.place.parent_path());
            room.require_room(local_, more);
            copies.entries += new_entries;
            try {
                const std::uint64_t copied = bring(sftp, file, have, go_on);
                pass.copied += copied;
                copies.bytes += copied;
                seen_[file.path] = file.modified;
            } catch (const ConnectionError& error) {
                if (error.cause() != Cause::remote_file)
                    throw;
                if (++unreadable <= kMostLogsNamed)
                    pass.missing.push_back(error.message());
                continue;
            }
        }
        // Skipped files are not part of the progress total.
        pass.there += file.size;
        pass.here += std::min(size_here(file.place), file.size);
    }
    if (unreadable > kMostLogsNamed)
        pass.missing.push_back(Message("{} more files cannot be read", unreadable - kMostLogsNamed));
    if (full)
        pass.missing.push_back(
            Message("the copy is limited to {} and {} files and folders: what exceeds "
                    "that stays on the host",
                    text::file_size(limits_.all.bytes), limits_.all.files));
    return pass;
}

void prune_log_copies(const fs::path& root, const fs::path& keep, int days) {
    std::error_code error;
    const auto oldest = fs::file_time_type::clock::now() - std::chrono::hours(24 * days);
    for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
        std::error_code ignored;
        if (entry.path() == keep || !entry.is_directory(ignored))
            continue;
        if (entry.last_write_time(ignored) < oldest && !ignored)
            fs::remove_all(entry.path(), ignored);
    }
}

}  // namespace trainyard::remote
