// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/listing.h"

#include <algorithm>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "checkpoint/files/staging.h"

namespace trainyard::run {

namespace {
/// The part of a checkpoint's manifest.json that is read here.
struct Verdict {
    std::string not_good;
    void fields(auto& field) const { field("not_good", not_good); }
};

bool is_run(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / "run.yaml", error) || fs::exists(folder / "state.json", error);
}

ListedRun read_run(const fs::path& folder) {
    ListedRun run{RunPaths(folder), std::nullopt, {}, labels_or_none(RunPaths(folder))};
    try {
        run.state = read_state(run.paths);
        if (!run.state)
            run.problem = Message("{} is not there yet", run.paths.state().string());
    } catch (const std::exception& error) {
        run.problem = message_of(error);
    }
    return run;
}
}  // namespace

std::string shown_name(const ListedRun& run) {
    return !run.labels.name.empty() ? run.labels.name : run.state ? run.state->name : std::string();
}

void check_runs_folder(const fs::path& root) {
    std::error_code error;
    const fs::directory_iterator entries(root, error);
    if (error == std::errc::not_a_directory)
        throw UserError(
            "the place for runs, {}, is not a folder: set TRAINYARD_RUNS to a folder, or "
            "remove what is there",
            root.string());
    if (error && error != std::errc::no_such_file_or_directory)
        throw_file_error("cannot read the folder of runs", root, error.value());
}

std::vector<ListedRun> list_runs(const fs::path& root) {
    std::vector<ListedRun> runs;
    std::error_code error;
    for (fs::directory_iterator entry(root, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_directory(ignored) && is_run(entry->path()))
            runs.push_back(read_run(entry->path()));
    }
    // An unreadable run still has its time in its name; a named folder has none and goes by its state.
    auto key = [](const ListedRun& run) { return std::pair(run.state ? run.state->created : 0.0, run.paths.id()); };
    std::sort(runs.begin(), runs.end(), [&](const ListedRun& a, const ListedRun& b) {
        if (a.state && b.state)
            return key(a) > key(b);
        return a.paths.id() > b.paths.id();
    });
    return runs;
}

std::optional<std::int64_t> newest_good_checkpoint(const RunPaths& run) {
    constexpr std::uint64_t kLongestManifest = 64 << 20;
    std::optional<std::int64_t> newest;
    std::error_code error;
    for (fs::directory_iterator entry(run.checkpoints(), error), end; !error && entry != end; entry.increment(error)) {
        const std::int64_t number = checkpoint::checkpoint_number(entry->path());
        if (number < 0 || (newest && number <= *newest))
            continue;
        try {
            const fs::path manifest = entry->path() / "manifest.json";
            if (fields::from_text<Verdict>(read_regular_file(manifest, kLongestManifest), manifest.string())
                    .not_good.empty())
                newest = number;
        } catch (const std::exception&) {  // missing or damaged: no run can resume from it
        }
    }
    return newest;
}

RunPaths find_run(const fs::path& root, const std::string& text) {
    std::error_code error;
    if (text.find('/') != std::string::npos || text == "." || text == "..") {
        fs::path folder = fs::absolute(text).lexically_normal();
        if (folder.filename().empty())
            folder = folder.parent_path();
        if (!fs::exists(folder, error))
            throw UserError("{} does not exist", folder.string());
        if (!is_run(folder))
            throw UserError("{} is not a run's folder: it has neither run.yaml nor state.json", folder.string());
        return RunPaths(folder);
    }
    if (!text.empty() && is_run(root / text))
        return RunPaths(root / text);
    check_runs_folder(root);
    std::vector<ListedRun> runs = list_runs(root);
    std::vector<const ListedRun*> fitting;
    std::vector<std::string> known;
    for (const ListedRun& run : runs) {
        std::string id = run.paths.id();
        if (!text.empty() && (id.starts_with(text) || id.ends_with(text)))
            fitting.push_back(&run);
        known.push_back(id);
        if (std::string name = shown_name(run); !name.empty())
            known.push_back(std::move(name));
    }
    if (fitting.size() == 1)
        return fitting.front()->paths;
    for (const ListedRun& run : runs)
        if (run.labels.name == text || (run.state && run.state->name == text))
            return run.paths;
    if (fitting.size() > 1) {
        std::string ids;
        for (const ListedRun* run : fitting)
            ids += (ids.empty() ? "" : ", ") + run->paths.id();
        throw UserError("'{}' fits more than one run: {}", text, ids);
    }
    if (runs.empty())
        throw UserError("no run '{}': there are no runs in {}", text, root.string());
    if (auto name = text::nearest(text, known))
        throw UserError("no run '{}' in {}: did you mean '{}'?", text, root.string(), *name);
    throw UserError("no run '{}' in {}: `trainyard runs list` names them", text, root.string());
}

}  // namespace trainyard::run
