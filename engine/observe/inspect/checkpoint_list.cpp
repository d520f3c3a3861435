// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/checkpoint_list.h"

#include <algorithm>
#include <charconv>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_mode.h"
#include "checkpoint/files/manifest.h"
#include "checkpoint/files/staging.h"
#include "formats/weights/zero_folder.h"
#include "run/listing.h"
#include "run/paths.h"
#include "run/remote_checkpoint.h"
#include "run/spec.h"

namespace trainyard::inspect {

namespace {

std::string time_of(const fs::path& path) {
    std::error_code error;
    const auto written = fs::last_write_time(path, error);
    if (error)
        return "";
    const auto system = std::chrono::file_clock::to_sys(written);
    return iso_time(std::chrono::duration<double>(system.time_since_epoch()).count());
}

Message layout_of(const std::vector<std::string>& names) {
    static const std::regex shard(R"(.*-(\d+)-of-(\d+)\.(safetensors|bin))");
    int most = 0;
    std::size_t distributed = 0;
    for (const std::string& name : names) {
        std::smatch parts;
        if (std::regex_match(name, parts, shard))
            most = std::max(most, static_cast<int>(std::strtol(parts[2].str().c_str(), nullptr, 10)));
        distributed += name.ends_with(".distcp") || name.ends_with("_optim_states.pt") ? 1 : 0;
    }
    if (distributed > 0)
        return Message("distributed, {}", distributed);
    return most > 1 ? Message("sharded, {}", most) : "one file";
}

void read_manifest_into(CheckpointEntry& item) {
    try {
        const checkpoint::Manifest manifest = checkpoint::read_manifest(item.folder);
        std::vector<std::string> names;
        for (const auto& [name, record] : manifest.files) {
            item.bytes += record.bytes;
            names.push_back(name);
        }
        item.step = manifest.number;
        item.metric = manifest.metric;
        item.world_size = manifest.world_size;
        item.not_good = manifest.not_good;
        item.layout = layout_of(names);
        if (!manifest.saved_at.empty())
            item.saved_at = manifest.saved_at;
        if (item.host = run::host_of_checkpoint(item.folder); !item.host.empty()) {
            item.state = CheckpointState::remote;
            item.problem = run::not_fetched(item.folder);
        } else if (const auto problems = checkpoint::check_sizes(item.folder, manifest); !problems.empty()) {
            item.state = CheckpointState::broken;
            item.problem = problems.front();
        }
    } catch (const UserError& error) {
        item.state = CheckpointState::broken;
        item.problem = error.message();
    }
}

/// Returns false if the folder has files, and none of a checkpoint: only logs or settings, such as trainer_state.json.
bool read_headers_into(CheckpointEntry& item, const fs::path& path) {
    try {
        const Contents contents = read_contents(path);
        std::vector<std::string> names;
        for (const File& file : contents.files)
            names.push_back(fs::path(file.name).filename().string());
        item.bytes = contents.file_bytes();
        item.layout = layout_of(names);
        item.state = contents.state;
        if (!contents.problems.empty())
            item.problem = contents.problems.front();
    } catch (const UserError& error) {
        std::error_code ignored;
        if (!fs::is_empty(path, ignored) && !ignored)
            return false;
        item.state = CheckpointState::broken;
        item.problem = error.message();
    }
    return true;
}

CheckpointEntry named_item(const fs::path& path) {
    std::error_code error;
    CheckpointEntry item;
    item.folder = path;
    item.name = path.filename().empty() ? path.parent_path().filename().string() : path.filename().string();
    item.step = step_in_name(item.name);
    item.pinned = fs::exists(path / "keep", error);
    return item;
}

/// Returns nothing if the folder is not a checkpoint.
std::optional<CheckpointEntry> read_item(CheckpointEntry item) {
    item.saved_at = time_of(item.folder);
    item.trainyard = checkpoint::has_manifest(item.folder);
    if (item.trainyard)
        read_manifest_into(item);
    else if (!read_headers_into(item, item.folder))
        return std::nullopt;
    return item;
}

std::optional<checkpoint::Retention> policy_of_run(const fs::path& folder) {
    try {
        const checkpoint::Retention policy =
            checkpoint::retention_of(run::read_spec(run::RunPaths(folder).spec()).recipe.checkpoint);
        if (!policy.keeps_all())
            return policy;
    } catch (const UserError&) {
        // A run of another kind, or its recipe cannot be read: its checkpoints can be looked at all the same.
    }
    return std::nullopt;
}

void sort_by_step(std::vector<CheckpointEntry>& items) {
    std::ranges::stable_sort(items, [](const CheckpointEntry& a, const CheckpointEntry& b) {
        return a.step != b.step ? a.step > b.step : natural_less(b.name, a.name);
    });
}

}  // namespace

std::int64_t step_in_name(const std::string& name) {
    static const std::regex pattern(R"((?:checkpoint|step|epoch|global_step|iter)[_-]?(\d{1,15}))");
    std::smatch parts;
    return std::regex_match(name, parts, pattern) ? std::stoll(parts[1]) : -1;
}

std::vector<CheckpointEntry> numbered_folders(const fs::path& folder) {
    std::vector<CheckpointEntry> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (step_in_name(entry->path().filename().string()) >= 0 && entry->is_directory(ignored))
            found.push_back(named_item(entry->path()));
    }
    sort_by_step(found);
    return found;
}

std::uint64_t CheckpointList::bytes() const {
    std::uint64_t sum = 0;
    for (const CheckpointEntry& item : items)
        sum += item.bytes;
    return sum;
}

int CheckpointList::newest() const {
    for (std::size_t i = 0; i < items.size(); ++i)
        if (!latest.empty() && items[i].name == latest)
            return static_cast<int>(i);
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].state == CheckpointState::whole && items[i].not_good.empty())
            return static_cast<int>(i);
    return -1;
}

int CheckpointList::best() const {
    // Of equal ones the earlier step wins; items are sorted by falling steps.
    const bool higher = policy && policy->better == checkpoint::Retention::Better::higher;
    const auto better = [higher](double a, double b) { return higher ? a >= b : a <= b; };
    int best = -1;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].metric && items[i].state == CheckpointState::whole && items[i].not_good.empty() &&
            (best < 0 || better(*items[i].metric, *items[static_cast<std::size_t>(best)].metric)))
            best = static_cast<int>(i);
    return best;
}

CheckpointList read_checkpoint_list(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error))
        throw UserError("{} does not exist: name a run, a folder of checkpoints, or a checkpoint", path.string());
    CheckpointList checkpoint_list;
    checkpoint_list.folder = path;
    const run::RunPaths run(path);
    if (fs::exists(run.spec(), error) || fs::exists(run.state(), error)) {
        checkpoint_list.run = path;
        checkpoint_list.folder = run.checkpoints();
    } else if (const run::RunPaths above(path.parent_path());
               path == above.checkpoints() && fs::exists(above.spec(), error)) {
        checkpoint_list.run = above.root();
    }
    if (!checkpoint_list.run.empty())
        checkpoint_list.policy = policy_of_run(checkpoint_list.run);
    std::vector<CheckpointEntry> folders = numbered_folders(checkpoint_list.folder);
    if (const weights::ZeroPlace place = weights::ZeroFolder::locate(checkpoint_list.folder);
        !place.folder.empty() && place.folder != checkpoint_list.folder) {
        checkpoint_list.latest = place.folder.filename().string();
        if (!place.note.empty())
            checkpoint_list.notes.push_back(place.note);
    }
    // A folder of save_state may hold folders with numbers, too: files of a checkpoint in it decide.
    const bool one = checkpoint_list.run.empty() && (folders.empty() || checkpoint::has_manifest(path));
    if (one) {
        const Contents contents = read_contents(path);  // says what is missing
        if (auto item = read_item(named_item(path)))
            checkpoint_list.items.push_back(std::move(*item));
        checkpoint_list.folder = path.parent_path().empty() ? "." : path.parent_path();
        return checkpoint_list;
    }
    for (CheckpointEntry& folder : folders)
        if (auto item = read_item(std::move(folder)))
            checkpoint_list.items.push_back(std::move(*item));
    for (const std::string& name : checkpoint::saves_under_way(checkpoint_list.folder)) {
        CheckpointEntry item;
        item.folder = checkpoint_list.folder / name;
        item.name = name;
        item.step = step_in_name(name);
        item.state = CheckpointState::being_written;
        item.problem = "it is being written";
        if (std::ranges::none_of(checkpoint_list.items,
                                 [&](const CheckpointEntry& other) { return other.name == name; }))
            checkpoint_list.items.push_back(std::move(item));
    }
    sort_by_step(checkpoint_list.items);
    return checkpoint_list;
}

void set_pinned(const fs::path& checkpoint, bool pinned) {
    std::error_code error;
    const fs::path file = checkpoint / "keep";
    if (!fs::is_directory(checkpoint, error))
        throw UserError("{} is not the folder of a checkpoint", checkpoint.string());
    if (pinned) {
        write_file_atomically(file, "", false, kUserFileMode);
    } else if (fs::exists(file, error) && !fs::remove(file, error)) {
        throw_file_error("cannot remove", file, error.value());
    }
}

fs::path find_checkpoint(const fs::path& runs_root, const std::string& text) {
    std::error_code error;
    const std::size_t at = text.rfind('@');
    std::string name = text, step;
    if (at != std::string::npos && at + 1 < text.size() &&
        text.find_first_not_of("0123456789", at + 1) == std::string::npos && !fs::exists(text, error)) {
        name = text.substr(0, at);
        step = text.substr(at + 1);
    }
    fs::path place = name;
    if (!fs::exists(place, error))
        place = run::find_run(runs_root, name).root();
    if (!fs::is_directory(place, error))
        return place;
    if (const Message elsewhere = run::not_fetched(place); !elsewhere.empty() && step.empty())
        throw UserError(elsewhere);
    const CheckpointList checkpoint_list = [&] {
        try {
            return read_checkpoint_list(place);
        } catch (const UserError&) {
            CheckpointList unread;
            unread.folder = place;
            return unread;
        }
    }();
    if (checkpoint_list.items.empty() && checkpoint_list.run.empty())
        return place;  // the caller reports the problem when it reads the place
    if (!step.empty()) {
        for (const CheckpointEntry& item : checkpoint_list.items)
            if (std::to_string(item.step) == step) {
                if (const Message elsewhere = run::not_fetched(item.folder); !elsewhere.empty())
                    throw UserError(elsewhere);
                return item.folder;
            }
        std::vector<std::string> steps;
        for (const CheckpointEntry& item : checkpoint_list.items)
            steps.push_back(std::to_string(item.step));
        throw UserError(
            steps.empty() ? Message("{} has no checkpoint of step {}: it has none", name, step)
                          : Message("{} has no checkpoint of step {}: it has {}", name, step, fmt::join(steps, ", ")));
    }
    if (checkpoint_list.items.size() == 1 && checkpoint_list.items.front().folder == place)
        return place;
    if (!checkpoint_list.latest.empty())
        return place;  // readers take the step of `latest`, and say so where it is not there
    if (const int newest = checkpoint_list.newest(); newest >= 0)
        return checkpoint_list.items[static_cast<std::size_t>(newest)].folder;
    throw UserError("{} has no whole checkpoint", place.string());
}

}  // namespace trainyard::inspect
