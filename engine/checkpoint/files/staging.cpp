// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/files/staging.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <random>
#include <regex>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/number.h"

namespace trainyard::checkpoint {

namespace {

constexpr std::size_t kMostOthers = 10'000;  ///< files in a replaced folder that do not belong to a checkpoint

/// What a rank other than 0 leaves for rank 0: its files, or why it could not write them.
struct Part {
    std::map<std::string, FileRecord> files;
    Message error;
    Message not_good;

    void fields(auto& field) const {
        field("files", files).at_most(kMostNames);
        field("error", error).omit_if_default();
        field("not_good", not_good).omit_if_default();
    }
};

std::string lock_name(int rank) {
    return fmt::format(".rank_{}", rank);
}
std::string part_name(int rank) {
    return fmt::format("part_{}.json", rank);
}

std::uint64_t random_number() {
    std::random_device device;
    return static_cast<std::uint64_t>(device()) << 32 | device();
}

std::string digits_of(std::uint64_t attempt) {
    return fmt::format("{:016x}", attempt);
}

fs::path beside(const fs::path& target, std::uint64_t attempt, const char* ending) {
    return target.parent_path() / fmt::format(".{}.{}.{}", target.filename().string(), digits_of(attempt), ending);
}

/// Rank 0 locks the folder itself, whatever name it has.
FileDescriptor open_lock(const fs::path& folder, int rank, int flags = 0) {
    if (rank == 0)
        return FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return FileDescriptor(::open((folder / lock_name(rank)).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
}

/// On a file system without locks, every process is assumed to be alive.
bool is_held(const FileDescriptor& lock) {
    return lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0;
}

bool has_living_rank(const fs::path& folder) {
    if (is_held(open_lock(folder, 0)))
        return true;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().filename().string().starts_with(".rank_") &&
            is_held(FileDescriptor(::open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW))))
            return true;
    return false;
}

/// Links every file of a replaced folder that does not belong to a checkpoint into the new folder.
void keep_others(const fs::path& from, const fs::path& to, const std::set<std::string>& own, std::size_t& left) {
    for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
        std::string name = entry.path().filename().string();
        if (own.contains(name) || is_checkpoint_file(name))
            continue;
        if (left-- == 0)
            throw UserError("{} holds more than {} files besides the checkpoint: name another folder", from.string(),
                            kMostOthers);
        std::error_code error;
        if (entry.is_symlink()) {
            fs::copy_symlink(entry.path(), to / name);
        } else if (entry.is_directory()) {
            make_private_folder(to / name);
            keep_others(entry.path(), to / name, {}, left);
        } else {
            fs::create_hard_link(entry.path(), to / name, error);
            if (error)
                fs::copy_file(entry.path(), to / name);
        }
    }
}

std::set<std::string> files_of_manifest(const fs::path& folder) {
    std::set<std::string> names;
    try {
        if (has_manifest(folder))
            for (const auto& [name, record] : read_manifest(folder).files)
                names.insert(fs::path(name).begin()->string());
    } catch (const UserError&) {  // damaged: the patterns of names decide
    }
    return names;
}

}  // namespace

bool is_checkpoint_file(const std::string& name) {
    static const std::regex pattern(
        R"((model|pytorch_model)(_\d+)?(-\d{5}-of-\d{5})?\.(safetensors|bin)(\.index\.json)?|(optimizer|scheduler|sampler)(_\d+)?\.bin)"
        R"(|pytorch_model_fsdp(_\d+)?\.bin|(pytorch_model(_fsdp)?|optimizer)_\d+)"
        R"(|dl_state_dict(_\d+)?(_rank\d+)?\.bin|scaler(_rank\d+)?\.pt|random_states_\d+\.pkl|custom_checkpoint_\d+\.pkl)"
        R"(|manifest\.json|position\.json|config\.json|optimizer\.safetensors|part_\d+\.json|\.rank_\d+|.*\.\d+\.tmp)");
    return std::regex_match(name, pattern);
}

Staging::Staging(fs::path target, fs::path folder, std::uint64_t attempt, int rank)
    : target_(std::move(target)), folder_(std::move(folder)), attempt_(attempt), rank_(rank) {
    lock_ = open_lock(folder_, rank_, O_CREAT);
    if (!lock_)
        throw_file_error("cannot write", folder_, errno);
    ::flock(lock_.get(), LOCK_EX | LOCK_NB);
}

Staging Staging::create(const fs::path& target) {
    fs::path absolute = fs::absolute(target).lexically_normal();
    if (!absolute.has_filename())
        absolute = absolute.parent_path();
    std::error_code error;
    if (absolute == absolute.root_path() || (fs::exists(absolute, error) && !fs::is_directory(absolute, error)))
        throw UserError("cannot save in {}: it is not a folder", target.string());
    make_private_folder(absolute.parent_path());
    std::uint64_t attempt = random_number() >> 1;  // also a positive signed number
    fs::path folder = beside(absolute, attempt, "tmp");
    make_private_folder(folder);
    return Staging(std::move(absolute), std::move(folder), attempt, 0);
}

Staging Staging::join(const fs::path& target, std::uint64_t attempt, int rank) {
    fs::path absolute = fs::absolute(target).lexically_normal();
    if (!absolute.has_filename())
        absolute = absolute.parent_path();
    fs::path folder = beside(absolute, attempt, "tmp");
    std::error_code error;
    if (!fs::exists(folder, error))
        throw UserError(
            "the folder that rank 0 has made for {} does not exist here: save to a folder that all "
            "ranks see (or, where each machine has a disk of its own, set project.save_on_each_node "
            "of the Accelerator)",
            target.string());
    return Staging(std::move(absolute), std::move(folder), attempt, rank);
}

std::string Staging::attempt_text() const {
    return digits_of(attempt_);
}

void Staging::finish_part(const std::map<std::string, FileRecord>& files, const Message& error,
                          const Message& not_good) {
    write_file_atomically(folder_ / part_name(rank_), fields::to_text(Part{files, error, not_good}));
}

bool Staging::is_alive(int rank) const {
    return is_held(open_lock(folder_, rank));
}

bool Staging::read_part(int rank, std::map<std::string, FileRecord>& files, Message& not_good) const {
    fs::path path = folder_ / part_name(rank);
    bool alive = is_alive(rank);  // asked before looking: a rank finishes its part before it goes
    if (!fs::exists(path)) {
        if (!alive)
            throw UserError("rank {} died while {} was being saved", rank, target_.string());
        return false;
    }
    Part part;
    fields::Reading in;
    fields::read(in, read_json(read_file(path)), part);
    if (!in.problems().empty())
        throw UserError("{} is damaged: {}", path.string(), problem_text(in.problems().front()));
    if (!part.error.empty())
        throw UserError("rank {}: {}", rank, part.error);
    check_records(part.files, path.string());
    for (auto& [name, record] : part.files)
        if (!files.emplace(name, std::move(record)).second)
            throw UserError("two ranks wrote {}", (folder_ / name).string());
    if (not_good.empty())
        not_good = part.not_good;
    return true;
}

void Staging::commit(const Manifest& manifest) {
    std::error_code ignored;
    for (int rank = 1; rank < manifest.world_size; ++rank) {
        fs::remove(folder_ / part_name(rank), ignored);
        fs::remove(folder_ / lock_name(rank), ignored);
    }
    bool replaces = fs::exists(target_);
    if (replaces) {
        std::size_t left = kMostOthers;
        keep_others(target_, folder_, files_of_manifest(target_), left);
    }
    failpoint("checkpoint.manifest");
    write_manifest(folder_, manifest);
    failpoint("checkpoint.rename");
    if (!replaces) {
        if (::rename(folder_.c_str(), target_.c_str()) != 0)
            throw_file_error("cannot save", target_, errno);
    } else if (::renameat2(AT_FDCWD, folder_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
        failpoint("checkpoint.replaced");
        fs::remove_all(folder_, ignored);
    } else {
        fs::path old = beside(target_, attempt_, "old");
        if (::rename(target_.c_str(), old.c_str()) != 0)
            throw_file_error("cannot save", target_, errno);
        failpoint("checkpoint.replaced");
        if (::rename(folder_.c_str(), target_.c_str()) != 0) {
            int error = errno;
            fs::rename(old, target_, ignored);
            throw_file_error("cannot save", target_, error);
        }
        fs::remove_all(old, ignored);
    }
    sync_path(target_.parent_path());
    failpoint("checkpoint.committed");
}

void Staging::abandon() noexcept {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

Staging::Outcome Staging::outcome() const {
    auto committed = [&] {
        try {
            return has_manifest(target_) && read_manifest(target_).attempt == attempt_text();
        } catch (const UserError&) {
            return false;
        }
    };
    if (committed())
        return Outcome::committed;
    if (is_alive(0))
        return Outcome::open;
    return committed() ? Outcome::committed : Outcome::abandoned;
}

std::vector<fs::path> sweep_leftovers(const fs::path& parent) {
    static const std::regex pattern(R"(\.(.+)\.[0-9a-f]{16}\.(tmp|old|gone))");
    std::vector<fs::path> removed;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
        std::string name = entry.path().filename().string();
        std::smatch parts;
        if (!std::regex_match(name, parts, pattern) || entry.is_symlink(error) || !entry.is_directory(error))
            continue;
        fs::path target = parent / parts[1].str();
        if (parts[2] == "old" && !fs::exists(target, error) && has_manifest(entry.path())) {
            fs::rename(entry.path(), target, error);
            continue;
        }
        if (has_living_rank(entry.path()))
            continue;
        fs::remove_all(entry.path(), error);
        if (!fs::exists(entry.path(), error))
            removed.push_back(entry.path());
    }
    return removed;
}

std::int64_t checkpoint_number(const fs::path& folder) {
    constexpr std::string_view kPrefix = "checkpoint_";
    std::string name =
        folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string();
    if (!name.starts_with(kPrefix))
        return -1;
    return parse_number<std::int64_t>(std::string_view(name).substr(kPrefix.size()), 0).value_or(-1);
}

std::vector<std::string> saves_under_way(const fs::path& parent) {
    static const std::regex pattern(R"(\.(.+)\.[0-9a-f]{16}\.tmp)");
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
        const std::string name = entry.path().filename().string();
        std::smatch parts;
        if (std::regex_match(name, parts, pattern) && !entry.is_symlink(error) && entry.is_directory(error) &&
            has_living_rank(entry.path()))
            names.push_back(parts[1]);
    }
    return names;
}

bool remove_checkpoint(const fs::path& folder) {
    fs::path gone = beside(folder, random_number(), "gone");
    if (::rename(folder.c_str(), gone.c_str()) != 0)
        return false;
    failpoint("checkpoint.remove");
    std::error_code error;
    fs::remove_all(gone, error);
    return true;
}

}  // namespace trainyard::checkpoint
