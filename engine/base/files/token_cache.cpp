// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/token_cache.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/files/hash.h"
#include "base/files/user_folders.h"
#include "base/system_call.h"

namespace trainyard::files {

namespace {

constexpr double kUnusedSeconds = 30.0 * 24 * 3600;
constexpr double kAbandonedSeconds = 24.0 * 3600;  // files that are being written are younger
/// A file whose checksum another rank has verified this recently is not verified again: the ranks of a run start
/// together.
constexpr double kCheckedSeconds = 60;
constexpr const char* kTokenEnding = ".tokens";

std::string hash_of(const std::string& text) {
    Xxh128 hash;
    hash.add(std::as_bytes(std::span(text)));
    return hash.digest();
}

struct Key {
    std::string set, state;
    std::uint64_t bytes = 0;  ///< of all files
};

Key key_of(const TokenSource& source) {
    std::string set = fmt::format("tokens 2\n{}\n", source.how), state;
    Key key;
    for (const fs::path& file : source.files) {
        struct stat info {};
        if (::stat(file.c_str(), &info) != 0)
            throw_file_error("cannot read", file, errno);
        set += fs::absolute(file).lexically_normal().string() + '\n';
        state += fmt::format("{} {}.{:09} {} {}\n", info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                             info.st_dev, info.st_ino);
        key.bytes += static_cast<std::uint64_t>(info.st_size);
    }
    key.set = hash_of(set);
    key.state = hash_of(state);
    return key;
}

double age_of(const struct stat& info) {
    return wall_seconds() - static_cast<double>(info.st_mtim.tv_sec) - static_cast<double>(info.st_mtim.tv_nsec) * 1e-9;
}

/// nullptr if the file does not exist or is incomplete.
std::shared_ptr<const TokenFile> open_whole(const fs::path& path) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return nullptr;
    const double age = age_of(info);
    const bool checked = age >= 0 && age < kCheckedSeconds;
    try {
        auto tokens = std::make_shared<const TokenFile>(file.get(), path, !checked);
        // Marks the file as used and verified. On a read-only disk this fails without harm.
        ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
        return tokens;
    } catch (const TokenFileError&) {
        return nullptr;
    } catch (const UserError&) {
        return nullptr;
    }
}

PreparedTokens in_memory(const TokenSource& source, Message remark) {
    const FileDescriptor memory(::memfd_create("tokens", MFD_CLOEXEC));
    if (!memory)
        throw_file_error("cannot keep the tokens of the data in memory for", source.files.front(), errno);
    try {
        source.prepare(memory.get());
        return {std::make_shared<const TokenFile>(memory.get(), source.files.front(), false), true, std::move(remark)};
    } catch (const TokenFileError& error) {
        throw UserError("the tokens of {} cannot be kept in memory: {}", source.files.front().string(),
                        message_of(error));
    }
}

void remove_old(const fs::path& folder, const Key& key, const fs::path& kept) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        struct stat info {};
        if (entry->path() == kept || ::lstat(entry->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        const bool tokens = name.ends_with(kTokenEnding);
        const bool stale = tokens && name.starts_with(key.set + "-");
        const bool unused = tokens && age_of(info) > kUnusedSeconds;
        const bool abandoned = name.find(".tokens.part") != std::string::npos && age_of(info) > kAbandonedSeconds;
        std::error_code gone;
        if (stale || unused || abandoned)
            fs::remove(entry->path(), gone);
    }
}

/// The lock; closing the descriptor releases it.
FileDescriptor lock_of(const fs::path& path) {
    FileDescriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (lock && retry_interrupted([&] { return ::flock(lock.get(), LOCK_EX); }) != 0) {
        const int problem = errno;
        lock.close();
        errno = problem;
    }
    return lock;
}

void prepare_file(const TokenSource& source, const fs::path& path) {
    const fs::path part = fmt::format("{}.part{}", path.string(), ::getpid());
    struct Removed {
        const fs::path& path;
        ~Removed() { ::unlink(path.c_str()); }  // does nothing after the rename
    } removed{part};
    const FileDescriptor file(::open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file)
        throw TokenFileError(std::strerror(errno));
    source.prepare(file.get());
    // Not flushed to the disk: after a power failure the checksum does not match, and the tokens are prepared again.
    if (::rename(part.c_str(), path.c_str()) != 0)
        throw TokenFileError(std::strerror(errno));
}

}  // namespace

fs::path token_cache_folder() {
    const fs::path folder = cache_folder();
    return folder.empty() ? folder : folder / "tokens";
}

PreparedTokens prepared_tokens(const TokenSource& source, const fs::path& folder) {
    const Key key = key_of(source);
    if (key.bytes < kSmallestCached)
        return in_memory(source, {});
    const auto kept_in_memory = [&](const Message& why) {
        return in_memory(source,
                         Message("every rank holds the tokens of the data in its own memory, because "
                                 "they cannot be kept in {}: {} (set TRAINYARD_CACHE to a folder "
                                 "with room)",
                                 folder.empty() ? Message("a cache") : Message::verbatim(folder.string()), why));
    };
    if (folder.empty())
        return kept_in_memory("neither TRAINYARD_CACHE, XDG_CACHE_HOME nor HOME is set");
    const fs::path path = folder / (key.set + "-" + key.state + kTokenEnding);
    try {
        make_private_folder(folder);
    } catch (const UserError& error) {
        return kept_in_memory(message_of(error));
    }
    const FileDescriptor lock = lock_of(folder / (key.set + ".lock"));
    const int problem = errno;
    if (std::shared_ptr<const TokenFile> tokens = open_whole(path))
        return {std::move(tokens), false, {}};
    if (!lock)
        return kept_in_memory(system_message(problem));
    try {
        prepare_file(source, path);
    } catch (const TokenFileError& error) {
        return kept_in_memory(message_of(error));
    }
    remove_old(folder, key, path);
    if (std::shared_ptr<const TokenFile> tokens = open_whole(path))
        return {std::move(tokens), true, {}};
    return kept_in_memory("what was written cannot be read again");
}

namespace {

CacheContent walk_cache(const fs::path& folder, bool remove) {
    CacheContent content;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code gone;
        if (!entry->path().filename().string().ends_with(kTokenEnding) || !entry->is_regular_file(gone))
            continue;
        const std::uint64_t bytes = entry->file_size(gone);
        if (gone || (remove && (!fs::remove(entry->path(), gone) || gone)))
            continue;
        ++content.files;
        content.bytes += bytes;
    }
    return content;
}

}  // namespace

CacheContent token_cache_content(const fs::path& folder) {
    return walk_cache(folder, false);
}

CacheContent clear_token_cache(const fs::path& folder) {
    return walk_cache(folder, true);
}

}  // namespace trainyard::files
