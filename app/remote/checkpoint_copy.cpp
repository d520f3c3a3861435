// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/checkpoint_copy.h"

#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "checkpoint/files/manifest.h"
#include "checkpoint/files/staging.h"

namespace trainyard::remote {

namespace fs = std::filesystem;

namespace {

struct CheckpointFile {
    fs::path here;
    std::string there;
    std::uint64_t size = 0;
};

std::vector<CheckpointFile> files_of_checkpoint(const fs::path& folder) {
    std::vector<CheckpointFile> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files.push_back({entry.path(), entry.path().string(), entry.file_size()});
    return files;
}

[[noreturn]] void refuse_copy(const fs::path& folder, const std::string& host, const Message& why) {
    throw UserError(
        "checkpoint.resume_from: {} is a folder of this machine and cannot be copied to "
        "{}: {}: bring it to the same path there, or name a checkpoint that all hosts "
        "have",
        folder.string(), host, why);
}

bool is_whole_and_good(const fs::path& folder) {
    try {
        const checkpoint::Manifest manifest = checkpoint::read_manifest(folder);
        return manifest.not_good.empty() && checkpoint::check_sizes(folder, manifest).empty();
    } catch (const UserError&) {
        return false;
    }
}

}  // namespace

fs::path checkpoint_here(const fs::path& from) {
    std::error_code error;
    if (!fs::is_directory(from, error))
        return {};
    fs::path chosen = from;
    std::int64_t newest = -1;
    bool several = false;
    for (const fs::path& folder : {from, from / "checkpoints"})
        for (const auto& entry : fs::directory_iterator(folder, error)) {
            const std::int64_t number = checkpoint::checkpoint_number(entry.path());
            several = several || number >= 0;
            if (number > newest && is_whole_and_good(entry.path())) {
                newest = number;
                chosen = entry.path();
            }
        }
    if (several && newest < 0)
        return {};
    return fs::absolute(chosen).lexically_normal();
}

std::uint64_t copy_checkpoint(Session& session, const fs::path& folder,
                              const std::function<bool(const CopyProgress&)>& on_progress) {
    const std::string& host = session.host().alias;
    Sftp sftp = session.sftp();
    std::vector<CheckpointFile> missing;
    CopyProgress progress;
    progress.checkpoint = true;
    for (CheckpointFile& file : files_of_checkpoint(folder)) {
        const std::optional<RemoteFile> there = sftp.find(file.there);
        if (there && !there->is_folder() && there->size == file.size)
            continue;
        progress.total += file.size;
        missing.push_back(std::move(file));
    }
    if (missing.empty())
        return 0;
    try {
        for (const CheckpointFile& file : missing)
            sftp.make_folders(fs::path(file.there).parent_path().string());
    } catch (const ConnectionError& error) {
        if (error.cause() == Cause::cancelled)
            throw;
        refuse_copy(folder, host, error.message());
    }
    if (const std::optional<std::uint64_t> room = sftp.free_bytes(folder.string()); room && *room < progress.total)
        refuse_copy(
            folder, host,
            Message("it has {}, and {} are free there", text::file_size(progress.total), text::file_size(*room)));
    std::uint64_t before = 0;
    for (const CheckpointFile& file : missing) {
        TransferOptions options;
        options.on_progress = [&](const TransferProgress& part) {
            progress.done = before + part.done;
            progress.file = file.here.filename().string();
            return !on_progress || on_progress(progress);
        };
        sftp.upload(file.here, file.there, options);
        before += file.size;
    }
    return progress.total;
}

}  // namespace trainyard::remote
