// SPDX-License-Identifier: GPL-3.0-or-later
// MirrorFolder: frames of run_stream.h become files.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <iterator>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/number.h"
#include "base/regular_file.h"
#include "base/system_call.h"
#include "remote/copied_file.h"
#include "remote/mirror.h"
#include "remote/stream_messages.h"

namespace trainyard::remote {

namespace {

constexpr std::uint64_t kLargestOwn = 64ull << 20;  ///< bytes of a file that is not a growing one
constexpr std::size_t kLongestHead = 16u << 10;     ///< bytes of the JSON of a frame: a path, an id and a number
constexpr std::size_t kLongestFileId = 200;         ///< characters: numbers of an inode and a time
/// Folders that every run has; they stay when they become empty.
constexpr std::array<std::string_view, 4> kFoldersOfEveryRun{"requests", "requests/done", "logs", "metrics"};

bool is_of_every_run(const fs::path& folder) {
    return std::ranges::find(kFoldersOfEveryRun, folder.string()) != kFoldersOfEveryRun.end();
}

fs::path ids_file(const run::RunPaths& run) {
    return run.root() / "mirror-files.json";
}

/// Only files that a run's folder has: the host may not write elsewhere.
std::string checked_path(const std::string& path, bool growing) {
    if (!is_mirrored(path) || is_growing(path) != growing)
        throw UserError("the host sent a file that does not belong to a run's folder: '{}'",
                        HostText(path, 100).text());
    return path;
}

std::uint64_t size_or_none(const fs::path& file) {
    std::error_code error;
    std::uint64_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

/// A copied checkpoint, unlike the manifest alone that a mirror has of it.
bool is_copied_checkpoint(const fs::path& folder) {
    std::error_code error;
    const fs::directory_iterator entries(folder, error);
    return !error && std::distance(begin(entries), end(entries)) > 1;
}

}  // namespace

Limits mirror_limits() {
    Limits limits{.files = 20'000, .bytes = 64ull << 30};
    const char* bytes = std::getenv("TRAINYARD_MIRROR_LIMIT");
    if (bytes == nullptr)
        return limits;
    const std::string_view text = bytes;
    const auto number = parse_number<std::uint64_t>(text);
    if (!number)
        throw UserError("TRAINYARD_MIRROR_LIMIT is '{}': it must be a number of bytes", HostText(text, 40).text());
    limits.bytes = *number;
    return limits;
}

MirrorFolder::MirrorFolder(run::RunPaths run, const Limits& limits)
    : run_(std::move(run)), budget_(limits, Message("the copy of run {}", run_.id())) {
    make_private_folder(run_.root());
    for (const std::string_view folder : kFoldersOfEveryRun) {
        refuse_links(run_.root(), folder);
        make_private_folder(run_.root() / folder);
    }
    std::error_code error;
    for (fs::recursive_directory_iterator entry(run_.root(), error), end; !error && entry != end;
         entry.increment(error)) {
        const fs::path path = entry->path().lexically_relative(run_.root());
        std::error_code ignored;
        if (entry->is_symlink(ignored))
            continue;
        if (entry->is_directory(ignored)) {
            folders_.insert(path.string());
            if (!is_of_every_run(path))
                budget_.add_entry();
        }
        if (!entry->is_regular_file(ignored) || !is_mirrored(path))
            continue;
        sizes_[path.string()] = size_or_none(entry->path());
        budget_.add_entry();
        budget_.add_bytes(sizes_[path.string()]);
    }
    if (!fs::exists(ids_file(run_), error))
        return;
    try {
        const fields::Json ids =
            fields::parse_object(read_regular_file(ids_file(run_), kLargestOwn), ids_file(run_).string());
        saved_ids_ = fields::from_json<std::map<std::string, std::string>>(ids, ids_file(run_).string());
        for (const auto& [path, id] : *saved_ids_)
            if (is_mirrored(path) && is_growing(path) && sizes_.contains(path) &&
                fs::hard_link_count(run_.root() / path, error) == 1)
                growing_[path] = {id, sizes_[path]};
    } catch (const UserError&) {
        growing_.clear();  // everything is sent again
        saved_ids_.reset();
    }
}

std::string MirrorFolder::have() const {
    HaveMessage have;
    for (const auto& [path, file] : growing_)
        if (auto sum = tail_checksum(run_.root() / path, file.size))
            have.growing.push_back({path, file.id, file.size, *sum});
    for (const auto& [path, size] : sizes_)
        if (!is_growing(path))
            have.whole.push_back({path, checksum(read_regular_file(run_.root() / path, kLargestOwn))});
    return fields::to_text(have);
}

void MirrorFolder::save_ids() {
    std::map<std::string, std::string> ids;
    for (const auto& [path, file] : growing_)
        ids[path] = file.id;
    // A host may begin the same files again and again.
    if (ids == saved_ids_)
        return;
    write_file_atomically(ids_file(run_), fields::to_text(ids), false);
    saved_ids_ = std::move(ids);
}

void MirrorFolder::forget_file(const std::string& path) {
    if (const auto known = sizes_.find(path); known != sizes_.end()) {
        budget_.release_bytes(known->second);
        budget_.release_entry();
        sizes_.erase(known);
    }
}

void MirrorFolder::make_parents(const std::string& path) {
    fs::path folder;
    for (const fs::path& component : fs::path(path).parent_path()) {
        folder /= component;
        if (folders_.insert(folder.string()).second)
            budget_.add_entry();
        make_private_folder(run_.root() / folder);
    }
}

void MirrorFolder::remove_empty_parents(const std::string& path) {
    for (fs::path folder = fs::path(path).parent_path(); !folder.empty(); folder = folder.parent_path()) {
        if (is_of_every_run(folder) || ::rmdir((run_.root() / folder).c_str()) != 0)
            return;
        if (folders_.erase(folder.string()) > 0)
            budget_.release_entry();
    }
}

void MirrorFolder::replace_whole(const std::string& path, std::string_view content) {
    const fs::path file = run_.root() / path;
    refuse_links(run_.root(), fs::path(path).parent_path());
    forget_file(path);
    budget_.add_entry();
    budget_.add_bytes(content.size());
    sizes_[path] = content.size();
    budget_.require_room(run_.root(), content.size());
    make_parents(path);
    write_file_atomically(file, content, false);
    std::error_code ignored;
    if (path.starts_with("requests/done/"))
        fs::remove(run_.requests() / file.filename(), ignored);
}

void MirrorFolder::begin_growing(const std::string& path, const std::string& id) {
    if (id.size() > kLongestFileId)
        throw UserError("the host sent a mark of a file that is too long");
    refuse_links(run_.root(), path);
    forget_file(path);
    budget_.add_entry();
    make_parents(path);
    // The old content is removed before the new id is stored: after a crash in between, an empty file has the old id
    // and is sent again.
    open_copied_file(run_.root() / path, O_TRUNC);
    sizes_[path] = 0;
    growing_[path] = {id, 0};
    save_ids();
}

void MirrorFolder::move_growing(const std::string& from, const std::string& to) {
    const auto entry = growing_.find(from);
    if (entry == growing_.end())
        throw UserError("the host moved a file that is not here: {}", from);
    refuse_links(run_.root(), from);
    refuse_links(run_.root(), to);
    if (from == to)
        return;
    make_parents(to);
    if (::rename((run_.root() / from).c_str(), (run_.root() / to).c_str()) != 0)
        throw_file_error("cannot rename", run_.root() / from, errno);
    const Growing file = entry->second;
    growing_.erase(entry);
    growing_[to] = file;
    forget_file(to);
    sizes_[to] = file.size;
    sizes_.erase(from);
    remove_empty_parents(from);
    save_ids();
}

void MirrorFolder::append(const std::string& path, std::uint64_t offset, std::string_view bytes) {
    const auto entry = growing_.find(path);
    if (entry == growing_.end() || offset != entry->second.size)
        throw UserError("the host sent a part of {} that does not follow on what is here", path);
    const fs::path file = run_.root() / path;
    refuse_links(run_.root(), fs::path(path).parent_path());
    FileDescriptor opened(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
    struct stat info {};
    if (!opened || ::fstat(opened.get(), &info) != 0)
        throw_file_error("cannot write", file, errno);
    if (static_cast<std::uint64_t>(info.st_size) != entry->second.size || info.st_nlink != 1)
        throw UserError("{} was changed by another program", file.string());
    budget_.require_room(run_.root(), bytes.size());
    budget_.add_bytes(bytes.size());
    while (!bytes.empty()) {
        const ssize_t n = retry_interrupted([&] { return ::write(opened.get(), bytes.data(), bytes.size()); });
        if (n < 0)
            throw_file_error("cannot write", file, errno);
        bytes.remove_prefix(static_cast<std::size_t>(n));
        entry->second.size += static_cast<std::uint64_t>(n);
        sizes_[path] = entry->second.size;
    }
}

void MirrorFolder::remove(const std::string& path) {
    refuse_links(run_.root(), fs::path(path).parent_path());
    const fs::path file = run_.root() / path;
    // A checkpoint that was copied stays whole when the host removes its own.
    if (file.filename() == "manifest.json" && is_copied_checkpoint(file.parent_path()))
        return;
    std::error_code ignored;
    fs::remove(file, ignored);
    forget_file(path);
    remove_empty_parents(path);
    if (growing_.erase(path) > 0)
        save_ids();
}

void MirrorFolder::apply(const StreamMessage& message) {
    const bool has_bytes = message.kind == StreamFrame::bytes || message.kind == StreamFrame::file;
    const std::size_t line =
        has_bytes ? std::min(message.payload.find('\n'), message.payload.size()) : message.payload.size();
    if (line > kLongestHead)
        throw UserError("the host sent a message that is too long");
    const std::string head = message.payload.substr(0, line);
    const std::string sent = "what the host sent";
    const std::string_view bytes = std::string_view(message.payload).substr(std::min(line + 1, message.payload.size()));
    switch (message.kind) {
        case StreamFrame::file:
            return replace_whole(checked_path(fields::from_text<PathMessage>(head, sent).path, false), bytes);
        case StreamFrame::begin: {
            const auto file = fields::from_text<BeginMessage>(head, sent);
            return begin_growing(checked_path(file.path, true), file.id);
        }
        case StreamFrame::moved: {
            const auto move = fields::from_text<MovedMessage>(head, sent);
            return move_growing(checked_path(move.from, true), checked_path(move.to, true));
        }
        case StreamFrame::bytes: {
            const auto piece = fields::from_text<BytesMessage>(head, sent);
            return append(checked_path(piece.path, true), piece.offset, bytes);
        }
        case StreamFrame::gone: {
            const std::string path = fields::from_text<PathMessage>(head, sent).path;
            return remove(checked_path(path, is_growing(path)));
        }
        default:
            return;
    }
}

}  // namespace trainyard::remote
