// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/folder_tree.h"

#include <deque>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::remote {

namespace {

constexpr std::size_t kMostProblems = 100;         // sentences; the others are counted
constexpr std::size_t kMostPathBytes = 32u << 20;  // of all paths together
constexpr std::uint32_t kKindOfFile = 0170000, kRegularFile = 0100000, kSymbolicLink = 0120000;  // st_mode

struct FolderToList {
    std::string there;
    std::optional<SafePath> name;  ///< empty: the folder that is walked
    int depth = 0;
};

/// The first problems, and how many more there are: a host can make as many as it likes.
class Problems {
  public:
    void add(Message sentence) {
        if (sentences_.size() < kMostProblems)
            sentences_.push_back(std::move(sentence));
        else
            ++more_;
    }
    std::vector<Message> sentences() const {
        std::vector<Message> all = sentences_;
        if (more_ > 0)
            all.push_back(Message("{} more problems like these", more_));
        return all;
    }

  private:
    std::vector<Message> sentences_;
    std::size_t more_ = 0;
};

}  // namespace

FolderTree list_tree(Sftp& sftp, const std::string& folder, const TreeOptions& options) {
    FolderTree tree;
    CopyBudget budget(options.limits, HostText(folder).text());
    std::size_t path_bytes = 0;
    Problems problems;
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
                problems.add(error.message());
                continue;
            }
            if (left_out > 0)
                problems.add(
                    Message("{}: files are left out whose names contain control characters or are not UTF-8: "
                            "{}",
                            HostText(here.there).text(), left_out));
            for (const RemoteFile& entry : entries) {
                budget.add_entry();
                budget.require_time();
                const std::string there = here.there + (here.there.ends_with('/') ? "" : "/") + entry.name.text();
                const bool is_folder = entry.is_folder();
                if (is_folder ? here.depth >= options.depth : options.wanted && !options.wanted(entry.name))
                    continue;
                if (is_folder && here.depth >= options.limits.depth) {
                    problems.add(Message("{} is not looked into: it is more than {} folders deep",
                                         HostText(there).text(), options.limits.depth));
                    continue;
                }
                const std::optional<SafePath> name = here.name ? here.name->child(entry.name) : safe_path(entry.name);
                if (!name) {
                    problems.add(Message("{} is left out: its path is too long", HostText(there).text()));
                    continue;
                }
                path_bytes += there.size();
                if (path_bytes > kMostPathBytes)
                    throw LimitReached("{} is limited to {} MB of file names", HostText(folder).text(),
                                       kMostPathBytes >> 20);
                if (is_folder) {
                    tree.folders.push_back(*name);
                    left.push_back({there, name, here.depth + 1});
                    continue;
                }
                std::optional<RemoteFile> file = entry;
                if ((entry.mode & kKindOfFile) == kSymbolicLink && options.follow_links)
                    file = sftp.find(there);
                if (!file || (file->mode & kKindOfFile) != kRegularFile)
                    continue;
                budget.add_bytes(file->size);
                tree.files.push_back({there, *name, file->size, file->modified});
            }
        }
        tree.problems = problems.sentences();
    } catch (const LimitReached& error) {
        tree.problems = problems.sentences();
        tree.problems.push_back(error.message());
    }
    tree.bytes = budget.bytes();
    return tree;
}

}  // namespace trainyard::remote
