// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/remote_checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/mapped_file.h"
#include "base/files/zip_directory.h"
#include "base/regular_file.h"
#include "base/system_call.h"
#include "base/text.h"
#include "checkpoint/files/staging.h"
#include "formats/weights/gguf_file.h"
#include "formats/weights/safetensors_header.h"
#include "remote/failure.h"
#include "remote/folder_tree.h"

namespace trainyard::remote {

namespace fs = std::filesystem;

namespace {

constexpr Limits kCheckpointLimits{.files = 20'000,
                                   .bytes = 1ull << 50};  // of the listing: only little of it is downloaded
constexpr std::uint64_t kMostHeaderBytes = 4ull << 30;    // of all headers together
constexpr int kDeepestFolder = 2, kMostRangeRounds = 12;
constexpr std::uint64_t kSmallFile = 64u << 10;     ///< downloaded completely
constexpr std::uint64_t kFirstHeader = 64u << 10;   ///< of safetensors: most headers are smaller
constexpr std::uint64_t kFirstOfGguf = 256u << 10;  ///< lists of tokens are long
constexpr std::uint64_t kLargestHeaderFile = 64u
                                             << 20;  ///< of files that are downloaded completely, and of GGUF headers
constexpr std::uint64_t kEndOfZip = 66u << 10;       ///< the longest comment and the end record
constexpr std::uint64_t kReadAhead = 256u << 10;     ///< for elements: rows of a slice are close to each other

bool ends_with_one_of(const std::string& name, std::initializer_list<const char*> endings) {
    return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

bool begins_with_one_of(const std::string& name, std::initializer_list<const char*> beginnings) {
    return std::ranges::any_of(beginnings, [&](const char* begin) { return name.starts_with(begin); });
}

/// Whether readers need the whole file.
bool is_read_whole(const std::string& name) {
    const std::string base = name.substr(name.rfind('/') + 1);
    return base == ".metadata" || (base.ends_with(".json") &&
                                   !begins_with_one_of(base, {"tokenizer", "vocab", "special_tokens", "added_tokens"}));
}

}  // namespace

RemoteCheckpoint::RemoteCheckpoint(Session session, const std::string& path)
    : session_(std::move(session)), host_(session_->host().alias) {
    sftp_.emplace(session_->sftp());
    open(path);
}

RemoteCheckpoint::RemoteCheckpoint(Sftp sftp, std::string host, const std::string& path)
    : sftp_(std::move(sftp)), host_(std::move(host)) {
    open(path);
}

void RemoteCheckpoint::open(const std::string& path) {
    try {
        const std::optional<RemoteFile> found = sftp_->find(path.empty() ? "." : path);
        if (!found)
            throw UserError(
                "{}:{} does not exist: name the folder of a checkpoint, or a file of "
                "weights",
                host_, path);
        if (found->is_folder()) {
            there_ = find_folder(path.empty() ? "." : path);
            place_ = folder_.path();
            list();
        } else {
            const std::size_t slash = path.rfind('/');
            there_ = slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
            const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
            if (!SafeFileName::parse(name))
                throw UserError("{}:{} has a name that is not allowed for files on this machine", host_, path);
            place_ = folder_.path() / name;
            make_file(name, found->size);
        }
        name_ = host_ + ":" + (found->is_folder() ? there_ : path);
        bring_headers();
        contents_ = inspect::read_contents(place_);
        for (inspect::File& file : contents_.files)
            file.problem = with_name(file.problem);
        for (Message& problem : contents_.problems)
            problem = with_name(problem);
        if (!problems_.empty())
            contents_.state = inspect::CheckpointState::broken;
        contents_.problems.insert(contents_.problems.begin(), problems_.begin(), problems_.end());
    } catch (const ConnectionError&) {
        throw;
    } catch (const UserError& error) {
        throw UserError(with_name(message_of(error)));
    }
}

inspect::Need RemoteCheckpoint::need() {
    return
        [this](const inspect::ByteRange& range) { bring(contents_.files[range.file].name, range.offset, range.bytes); };
}

/// Replaces the path of the local folder in a message by the host and the path there.
Message RemoteCheckpoint::with_name(const Message& message) const {
    return text::replaced(message, folder_.path().string(), host_ + ":" + there_);
}

std::uint64_t RemoteCheckpoint::received() const {
    std::lock_guard lock(mutex_);
    return received_;
}

/// Returns the folder of the newest checkpoint if `path` is a run or a folder of checkpoints, else `path`.
std::string RemoteCheckpoint::find_folder(std::string path) {
    for (int depth = 0; depth < 2; ++depth) {
        std::string below;
        std::int64_t newest = -1;
        bool weights = false;
        for (const RemoteFile& file : sftp_->list(path, kCheckpointLimits)) {
            const std::string& name = file.name.text();
            weights = weights ||
                      (!file.is_folder() && (name == "manifest.json" || name == ".metadata" ||
                                             ends_with_one_of(name, {".safetensors", ".bin", ".pt", ".pth", ".gguf"})));
            if (!file.is_folder())
                continue;
            if (const std::int64_t number = checkpoint::checkpoint_number(name); number > newest) {
                newest = number;
                below = name;
            } else if (name == "checkpoints" && newest < 0) {
                below = name;
            }
        }
        if (weights || below.empty())
            return path;
        path += (path.ends_with('/') ? "" : "/") + below;
    }
    return path;
}

void RemoteCheckpoint::list() {
    FolderTree tree = list_tree(*sftp_, there_, {.limits = kCheckpointLimits, .depth = kDeepestFolder});
    for (const SafePath& folder : tree.folders)
        fs::create_directory(folder_.path() / folder);
    for (const TreeFile& file : tree.files)
        make_file(file.name.text(), file.size);
    problems_.insert(problems_.end(), tree.problems.begin(), tree.problems.end());
}

void RemoteCheckpoint::make_file(const std::string& name, std::uint64_t size) {
    const fs::path path = folder_.path() / name;
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (size > INT64_MAX)
        throw_file_error("cannot write", path, EFBIG);
    if (!file || ::ftruncate(file.get(), static_cast<off_t>(size)) != 0)
        throw_file_error("cannot write", path, errno);
    files_[name].size = size;
}

/// Downloads headers in rounds, each with all requests that are possible at the time, until every header is complete.
void RemoteCheckpoint::bring_headers() {
    for (int round = 0; round < kMostRangeRounds; ++round) {
        std::vector<std::pair<std::string, Part>> parts;
        for (const auto& [name, file] : files_)
            if (!file.refused)
                for (const Part& wanted : wanted_header(name, file))
                    for (const Part& part : missing(file, wanted))
                        parts.emplace_back(name, part);
        if (parts.empty())
            return;
        std::uint64_t bytes = received_;
        for (const auto& [name, part] : parts)
            bytes += part.end - part.begin;
        CopyBudget budget({.bytes = kMostHeaderBytes}, Message("the headers of {}", name_));
        budget.add_bytes(bytes);
        budget.require_room(folder_.path(), bytes - received_);
        fetch(parts);
    }
}

/// The parts of a file that its reader needs next, as far as they are known from the bytes already downloaded.
std::vector<RemoteCheckpoint::Part> RemoteCheckpoint::wanted_header(const std::string& name, const File& file) const {
    const std::uint64_t size = file.size;
    if (size <= kSmallFile || (is_read_whole(name) && size <= kLargestHeaderFile))
        return {{0, size}};
    const auto is_here = [&](Part part) { return missing(file, part).empty(); };
    const fs::path path = folder_.path() / name;
    try {
        if (name.ends_with(".safetensors")) {
            const Part first{0, std::min(size, kFirstHeader)};
            if (!is_here(first))
                return {first};
            const std::string begin = read_head(path, weights::kSafetensorsLength);
            return {{0, weights::safetensors_data_offset(std::as_bytes(std::span(begin)), size, name)}};
        }
        if (name.ends_with(".gguf")) {
            std::uint64_t length = std::min(size, kFirstOfGguf);
            if (!is_here({0, length}))
                return {{0, length}};
            const files::MappedFile mapped(path);
            for (; length < size && length < kLargestHeaderFile; length = std::min(size, 2 * length)) {
                if (!is_here({0, length}))
                    return {{0, length}};
                try {
                    weights::read_gguf_header(mapped.bytes().first(length), size, name);
                    return {};
                } catch (const UserError&) {
                    // The header is damaged, or longer than that.
                }
            }
            return {};
        }
        if (ends_with_one_of(name, {".bin", ".pt", ".pth", ".pkl", ".ckpt"})) {
            const Part head{0, 64}, tail{size - std::min(size, kEndOfZip), size};
            if (!is_here(head) || !is_here(tail))
                return {head, tail};
            const files::MappedFile mapped(path);
            if (!files::begins_like_zip(mapped.bytes()))
                return size <= kLargestHeaderFile ? std::vector<Part>{{0, size}} : std::vector<Part>{};
            const files::ZipPart directory = files::zip_directory_place(mapped.bytes(), Message::verbatim(name));
            if (const Part place{directory.begin, directory.begin + directory.bytes}; !is_here(place))
                return {place};
            std::vector<Part> parts;
            for (const files::ZipPart& part : files::zip_entry_heads(mapped.bytes(), 4096, Message::verbatim(name)))
                parts.push_back({part.begin, part.begin + part.bytes});
            return parts;
        }
    } catch (const UserError&) {
        // The reader reports the problem.
    }
    return {};
}

std::vector<RemoteCheckpoint::Part> RemoteCheckpoint::missing(const File& file, Part part) const {
    std::vector<Part> found;
    part.end = std::min(part.end, file.size);
    std::uint64_t at = part.begin;
    auto next = file.here.upper_bound(at);
    if (next != file.here.begin() && std::prev(next)->second > at)
        at = std::prev(next)->second;
    for (; at < part.end; ++next) {
        const std::uint64_t end = next == file.here.end() ? part.end : std::min(part.end, next->first);
        if (at < end)
            found.push_back({at, end});
        if (next == file.here.end())
            break;
        at = next->second;
    }
    return found;
}

void RemoteCheckpoint::fetch(const std::vector<std::pair<std::string, Part>>& parts) {
    std::vector<RemoteRange> ranges;
    for (const auto& [name, part] : parts)
        ranges.push_back({there_ + "/" + name, part.begin, part.end - part.begin});
    std::string opened;
    FileDescriptor file;
    std::vector<std::uint64_t> came(parts.size());  // bytes
    sftp_->read_ranges(
        ranges,
        [&](std::size_t range, std::uint64_t offset, std::string_view bytes) {
            const std::string& name = parts[range].first;
            came[range] += bytes.size();
            if (name != opened) {
                file = FileDescriptor(::open((folder_.path() / name).c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
                opened = name;
            }
            received_ += bytes.size();
            if (!write_all_at(file.get(), bytes, offset))
                throw_file_error("cannot write", folder_.path() / name, errno);
        },
        [&](std::size_t range, const Message& sentence) {
            files_[parts[range].first].refused = true;
            problems_.push_back(sentence);
        });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto& [name, part] = parts[i];
        File& of = files_[name];
        if (came[i] < part.end - part.begin && !std::exchange(of.refused, true))
            problems_.push_back(Message("{}/{} became shorter while it was read", name_, name));
        std::uint64_t begin = part.begin, end = part.end;
        auto next = of.here.upper_bound(end);
        while (next != of.here.begin() && std::prev(next)->second >= begin) {
            --next;
            begin = std::min(begin, next->first);
            end = std::max(end, next->second);
            next = of.here.erase(next);
        }
        of.here[begin] = end;
    }
}

void RemoteCheckpoint::bring(const std::string& file, std::uint64_t offset, std::uint64_t bytes) {
    std::lock_guard lock(mutex_);
    const auto found = files_.find(file);
    if (found == files_.end() || bytes == 0)
        return;
    if (missing(found->second, {offset, offset + bytes}).empty())
        return;
    const std::size_t known = problems_.size();
    std::vector<std::pair<std::string, Part>> parts;
    for (const Part& part : missing(found->second, {offset, std::max(offset + bytes, offset + kReadAhead)}))
        parts.emplace_back(file, part);
    fetch(parts);
    if (problems_.size() > known)
        throw UserError(problems_.back());
}

}  // namespace trainyard::remote
