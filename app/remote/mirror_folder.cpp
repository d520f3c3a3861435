// MirrorFolder: frames of run_stream.h become files.

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/regular_file.h"
#include "remote/json_field.h"
#include "remote/mirror.h"
#include "run/json_fields.h"

namespace trainyard::remote {

namespace {

using run::json::Json;

constexpr std::uint64_t kLargestOwn = 64ull << 20;  ///< bytes of a file that is not a growing one

fs::path ids_file(const run::RunPaths& run) {
    return run.root() / "mirror-files.json";
}

/// Only names that the rules allow: the host may not write elsewhere.
std::string checked_path(const Json& head, const char* key, bool growing) {
    std::string path = text_field(head, key);
    if (!is_mirrored(path) || is_growing(path) != growing)
        throw UserError("the host sent a file that is none of a run's: '" + path + "'");
    return path;
}

std::uint64_t size_or_none(const fs::path& file) {
    std::error_code error;
    std::uint64_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

void make_parents(const fs::path& file) {
    std::error_code error;
    if (!fs::is_directory(file.parent_path(), error))
        make_private_folder(file.parent_path());
}

}  // namespace

MirrorFolder::MirrorFolder(run::RunPaths run) : run_(std::move(run)) {
    make_private_folder(run_.root());
    for (const fs::path& folder : {run_.requests(), run_.requests_done(), run_.logs(), run_.metrics()})
        make_private_folder(folder);
    std::error_code error;
    if (!fs::exists(ids_file(run_), error))
        return;
    try {
        Json ids = run::json::parse_object(read_regular_file(ids_file(run_), kLargestOwn), ids_file(run_).string());
        for (const auto& [path, id] : ids.items())
            if (id.is_string() && is_mirrored(path) && is_growing(path))
                growing_.push_back({path, {id.get<std::string>(), size_or_none(run_.root() / path)}});
    } catch (const UserError&) {
        growing_.clear();  // all of it is sent anew
    }
}

std::string MirrorFolder::have() const {
    Json growing = Json::array(), whole = Json::array();
    for (const auto& [path, file] : growing_)
        if (auto sum = tail_checksum(run_.root() / path, file.size))
            growing.push_back({{"path", path}, {"id", file.id}, {"size", file.size}, {"sum", *sum}});
    std::error_code error;
    fs::recursive_directory_iterator entry(run_.root(), error);
    for (fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
        fs::path path = entry->path().lexically_relative(run_.root());
        std::error_code ignored;
        if (entry->is_regular_file(ignored) && is_mirrored(path) && !is_growing(path))
            whole.push_back(
                {{"path", path.string()}, {"sum", checksum(read_regular_file(entry->path(), kLargestOwn))}});
    }
    return run::json::dump({{"version", 1}, {"growing", growing}, {"whole", whole}});
}

void MirrorFolder::save_ids() const {
    Json ids = Json::object();
    for (const auto& [path, file] : growing_)
        ids[path] = file.id;
    write_file_atomically(ids_file(run_), run::json::dump(ids), false);
}

void MirrorFolder::apply(const StreamMessage& message) {
    std::size_t line = message.kind == StreamFrame::bytes || message.kind == StreamFrame::file
                           ? std::min(message.payload.find('\n'), message.payload.size())
                           : message.payload.size();
    Json head = run::json::parse_object(message.payload.substr(0, line), "what the host sent");
    auto known = [&](const std::string& path) {
        return std::ranges::find(growing_, path, &std::pair<std::string, Growing>::first);
    };
    switch (message.kind) {
        case StreamFrame::file: {
            std::string path = checked_path(head, "path", false);
            fs::path file = run_.root() / path;
            make_parents(file);
            write_file_atomically(file, std::string_view(message.payload).substr(line + 1), false);
            if (path.starts_with("requests/done/"))
                fs::remove(run_.requests() / file.filename());
            break;
        }
        case StreamFrame::begin: {
            std::string path = checked_path(head, "path", true);
            fs::path file = run_.root() / path;
            make_parents(file);
            // The old content goes before the new id is known: a crash in between finds an empty file under the old id and begins anew.
            FileDescriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
            if (!made)
                throw_file_error("cannot write", file, errno);
            if (auto entry = known(path); entry != growing_.end())
                growing_.erase(entry);
            growing_.push_back({path, {text_field(head, "id"), 0}});
            save_ids();
            break;
        }
        case StreamFrame::moved: {
            std::string from = checked_path(head, "from", true), to = checked_path(head, "to", true);
            auto entry = known(from);
            if (entry == growing_.end())
                throw UserError("the host moved a file that is not here: " + from);
            make_parents(run_.root() / to);
            if (::rename((run_.root() / from).c_str(), (run_.root() / to).c_str()) != 0)
                throw_file_error("cannot rename", run_.root() / from, errno);
            Growing file = entry->second;
            growing_.erase(entry);
            if (auto old = known(to); old != growing_.end())
                growing_.erase(old);
            growing_.push_back({to, file});
            save_ids();
            break;
        }
        case StreamFrame::bytes: {
            std::string path = checked_path(head, "path", true);
            auto entry = known(path);
            std::string_view bytes =
                std::string_view(message.payload).substr(std::min(line + 1, message.payload.size()));
            if (entry == growing_.end() || field(head, "offset", std::uint64_t{0}) != entry->second.size)
                throw UserError("the host sent a part of " + path + " that does not follow on what is here");
            fs::path file = run_.root() / path;
            FileDescriptor opened(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
            struct stat info {};
            if (!opened || ::fstat(opened.get(), &info) != 0)
                throw_file_error("cannot write", file, errno);
            if (static_cast<std::uint64_t>(info.st_size) != entry->second.size)
                throw UserError(file.string() + " was changed by another program");
            while (!bytes.empty()) {
                ssize_t n = ::write(opened.get(), bytes.data(), bytes.size());
                if (n < 0 && errno != EINTR)
                    throw_file_error("cannot write", file, errno);
                if (n > 0) {
                    bytes.remove_prefix(static_cast<std::size_t>(n));
                    entry->second.size += static_cast<std::uint64_t>(n);
                }
            }
            break;
        }
        case StreamFrame::gone: {
            std::string path = text_field(head, "path");
            if (!is_mirrored(path))
                throw UserError("the host removed a file that is none of a run's: '" + path + "'");
            std::error_code ignored;
            fs::remove(run_.root() / path, ignored);
            if (auto entry = known(path); entry != growing_.end()) {
                growing_.erase(entry);
                save_ids();
            }
            break;
        }
        default:
            break;
    }
}

}  // namespace trainyard::remote
