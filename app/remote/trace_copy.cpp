// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/trace_copy.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "observe/traces/rank_set.h"
#include "remote/folder_tree.h"

namespace trainyard::remote {

namespace {

constexpr std::uint64_t kMostTraceBytes = 64ull << 30;  ///< of all files of a profile
constexpr int kDeepestTraces = 2;                       ///< folders below `traces`, as traces::profiles_in looks

struct TraceListing {
    std::map<std::string, std::uint64_t> sizes;
    std::vector<traces::ListedTrace> files;

    void look(Sftp& sftp, const std::string& folder, int depth) {
        TreeOptions options{.depth = depth, .follow_links = true, .skip_unreadable = true};
        options.wanted = [](const SafeFileName& name) { return traces::looks_like_trace(name.text()); };
        for (const TreeFile& file : list_tree(sftp, folder, options).files) {
            sizes[file.there] = file.size;
            files.push_back({file.there, file.modified});
        }
    }
};

}  // namespace

std::vector<std::filesystem::path> copy_traces(Session& session, const std::string& place,
                                               const std::filesystem::path& to,
                                               const std::function<bool(const TraceCopyProgress&)>& on_progress) {
    Sftp sftp = session.sftp();
    return copy_traces(sftp, place, to, on_progress);
}

std::vector<std::filesystem::path> copy_traces(Sftp& sftp, const std::string& place, const std::filesystem::path& to,
                                               const std::function<bool(const TraceCopyProgress&)>& on_progress) {
    const std::string path = sftp.real_path(place.empty() ? "." : place);
    const auto found = sftp.find(path);
    if (!found)
        throw UserError("{}: it is not there", text::printable(place));
    TraceListing listing;
    std::vector<std::filesystem::path> chosen;
    if (found->is_folder()) {
        listing.look(sftp, path, 0);
        if (const auto inside = sftp.find(path + "/traces"); inside && inside->is_folder())
            listing.look(sftp, path + "/traces", kDeepestTraces);
        auto profiles = traces::profiles_of(listing.files);
        if (profiles.empty())
            throw UserError("{}: there is no trace in it or in its folder traces", text::printable(place));
        chosen = std::move(profiles.front());
    } else {
        listing.look(sftp, std::filesystem::path(path).parent_path().string(), 0);
        listing.sizes[path] = found->size;
        chosen = {path};
        for (auto& profile : traces::profiles_of(listing.files))
            if (std::find(profile.begin(), profile.end(), std::filesystem::path(path)) != profile.end())
                chosen = std::move(profile);
    }
    TraceCopyProgress progress;
    progress.files = static_cast<int>(chosen.size());
    for (const std::filesystem::path& file : chosen)
        progress.total += listing.sizes[file.string()];
    std::vector<std::filesystem::path> brought;
    std::uint64_t before = 0;
    const Limits limits{.bytes = kMostTraceBytes};
    const std::string what = Message("the copy of the traces of {}", text::printable(place));
    CopyBudget(limits, what).add_bytes(progress.total);  // as they are listed: refused before anything is copied
    CopyBudget budget(limits, what);                     // as they come
    for (const std::filesystem::path& file : chosen) {
        ++progress.file;
        // The last part of what the host listed, which list_tree() has checked, or of what the caller asked for.
        const std::filesystem::path here = to / file.filename();
        TransferOptions options;
        options.durable = false;
        options.limits = {.bytes = limits.bytes - budget.bytes()};
        options.on_progress = [&](const TransferProgress& one) {
            progress.done = before + one.done;
            return !on_progress || on_progress(progress);
        };
        sftp.download(file.string(), here, options);
        budget.add_bytes(std::filesystem::file_size(here));
        before += listing.sizes[file.string()];
        brought.push_back(here);
    }
    return brought;
}

}  // namespace trainyard::remote
