// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/folder_record.h"

#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "base/regular_file.h"
#include "run/mirror.h"

namespace trainyard::run {

namespace {

constexpr std::uint64_t kLargestTrusted = 16u << 20;   // bytes, as readers of run.yaml take it
constexpr std::uint64_t kLargestRecord = 64u << 20;    // bytes; it holds a whole run.yaml
constexpr auto kOldest = std::chrono::hours(24 * 90);  // of records whose folder is missing

/// The file of a record.
struct FolderRecord {
    std::string folder;
    std::optional<MirrorSource> mirror = {};
    bool refused_mirror = false;
    bool own = false;
    std::string trusted_spec = {};

    void fields(auto& field) const {
        field("folder", folder).required();
        field("mirror", mirror).omit_if_default();
        field("refused_mirror", refused_mirror).omit_if_default();
        field("own", own).omit_if_default();
        field("trusted_spec", trusted_spec).omit_if_default();
    }
};

std::string key_of(const RunPaths& run) {
    std::error_code error;
    const fs::path folder = fs::weakly_canonical(fs::absolute(run.root()), error);
    return error ? fs::absolute(run.root()).string() : folder.string();
}

/// The name is a hash only to be short: the record itself has the folder, which is compared.
fs::path record_file(const std::string& folder) {
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (const unsigned char byte : folder)
        sum = (sum ^ byte) * 0x100000001b3u;
    return folder_records() / fmt::format("{:016x}.json", sum);
}

/// An empty record if there is none of this folder.
FolderRecord read_record(const RunPaths& run) {
    try {
        const std::string folder = key_of(run);
        const fs::path file = record_file(folder);
        std::error_code error;
        if (!fs::exists(file, error))
            return {};
        auto record = fields::from_text<FolderRecord>(read_regular_file(file, kLargestRecord), file.string());
        return record.folder == folder ? record : FolderRecord{};
    } catch (const UserError&) {
        return {};
    }
}

void remove_old_records(const fs::path& folder) {
    std::error_code error;
    const auto oldest = fs::file_time_type::clock::now() - kOldest;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (entry->last_write_time(ignored) >= oldest || ignored)
            continue;
        FolderRecord record;
        fields::Reading in;
        fields::read(in, read_json(read_head(entry->path(), 1u << 20)), record);
        if (in.problems().empty() && !fs::exists(record.folder, ignored) && !ignored)
            fs::remove(entry->path(), ignored);
    }
}

template <typename Change>
void change_record(const RunPaths& run, Change change) {
    const std::string folder = key_of(run);
    FolderRecord record = read_record(run);
    record.folder = folder;
    change(record);
    make_private_folder(folder_records());
    const fs::path file = record_file(folder);
    std::error_code error;
    const bool fresh = !fs::exists(file, error);
    write_file_atomically(file, fields::to_text(record), false);
    if (fresh)
        remove_old_records(folder_records());
}

}  // namespace

fs::path folder_records() {
    return files::state_folder() / "folders";
}

std::optional<MirrorSource> mirror_source(const RunPaths& run) {
    std::optional<MirrorSource> source = read_record(run).mirror;
    return source && (source->host.empty() || source->path.empty()) ? std::nullopt : source;
}

void record_mirror_source(const RunPaths& run, const MirrorSource& source) {
    change_record(run, [&](FolderRecord& record) { record = {.folder = record.folder, .mirror = source}; });
}

void record_refused_mirror(const RunPaths& run) {
    change_record(run, [](FolderRecord& record) { record.refused_mirror = true; });
}

bool is_refused_mirror(const RunPaths& run) {
    return read_record(run).refused_mirror;
}

RunOrigin origin_of(const RunPaths& run) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(mirror_file(run), error)) || mirror_source(run))
        return RunOrigin::mirror;
    return read_record(run).own ? RunOrigin::own : RunOrigin::foreign;
}

void record_own_run(const RunPaths& run) noexcept {
    try {
        const std::string spec = read_regular_file(run.spec(), kLargestTrusted);
        change_record(
            run, [&](FolderRecord& record) { record = {.folder = record.folder, .own = true, .trusted_spec = spec}; });
    } catch (const std::exception&) {
        // Best effort: a run without a record is not trusted, so the user is asked.
    }
}

bool is_trusted(const RunPaths& run) {
    const std::string trusted = read_record(run).trusted_spec;
    try {
        return !trusted.empty() && trusted == read_regular_file(run.spec(), kLargestTrusted);
    } catch (const UserError&) {
        return false;
    }
}

void trust(const RunPaths& run, const std::string& run_yaml) {
    change_record(run, [&](FolderRecord& record) { record.trusted_spec = run_yaml; });
}

}  // namespace trainyard::run
