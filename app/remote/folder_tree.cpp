#include "remote/folder_tree.h"

#include <deque>
#include <optional>

#include <fmt/format.h>

namespace trainyard::remote {

namespace {

constexpr std::uint32_t kKindOfFile = 0170000, kRegularFile = 0100000, kSymbolicLink = 0120000;  // st_mode

struct FolderToList {
    std::string there;
    std::optional<SafePath> name;  ///< empty: the folder that is walked
    int depth = 0;
};

}  // namespace

FolderTree list_tree(Sftp& sftp, const std::string& folder, const TreeOptions& options) {
    FolderTree tree;
    CopyBudget budget(options.limits, HostText(folder).text());
    std::deque<FolderToList> left{{folder, std::nullopt, 0}};
    try {
        while (!left.empty() && (!options.go_on || options.go_on())) {
            const FolderToList here = std::move(left.front());
            left.pop_front();
            std::vector<RemoteFile> entries;
            std::size_t left_out = 0;
            try {
                entries = sftp.list(here.there, options.limits, &left_out);
            } catch (const ConnectionError& error) {
                if (error.cause() != Cause::remote_file || here.depth == 0 || !options.skip_unreadable)
                    throw;
                tree.problems.push_back(error.what());
                continue;
            }
            if (left_out > 0)
                tree.problems.push_back(
                    fmt::format("{}: files are left out whose names contain control characters or are "
                                "not UTF-8: {}",
                                HostText(here.there).text(), left_out));
            for (const RemoteFile& entry : entries) {
                budget.add_entry(0);
                const std::string there = here.there + (here.there.ends_with('/') ? "" : "/") + entry.name.text();
                const SafePath name = here.name ? *here.name / entry.name : safe_path(entry.name);
                if (entry.is_folder()) {
                    if (here.depth >= options.depth)
                        continue;
                    if (here.depth >= options.limits.depth) {
                        tree.problems.push_back(fmt::format("{} is not looked into: it is more than {} folders deep",
                                                            HostText(there).text(), options.limits.depth));
                    } else {
                        tree.folders.push_back(name);
                        left.push_back({there, name, here.depth + 1});
                    }
                    continue;
                }
                if (options.wanted && !options.wanted(entry.name))
                    continue;
                std::optional<RemoteFile> file = entry;
                if ((entry.mode & kKindOfFile) == kSymbolicLink && options.follow_links)
                    file = sftp.find(there);
                if (!file || (file->mode & kKindOfFile) != kRegularFile)
                    continue;
                budget.add_bytes(file->size);
                tree.files.push_back({there, name, file->size, file->modified});
            }
        }
    } catch (const LimitReached& error) {
        tree.problems.push_back(error.what());
    }
    tree.bytes = budget.bytes();
    return tree;
}

}  // namespace trainyard::remote
