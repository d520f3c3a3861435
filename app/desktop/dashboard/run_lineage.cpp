// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/run_lineage.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "observe/inspect/checkpoint_list.h"
#include "run/idle_time.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostAncestors = 64;

/// Returns the run that `checkpoint.resume_from` belongs to, and the step; nullopt if it is not a run of this machine.
std::optional<std::pair<run::RunPaths, std::int64_t>> origin_of(const run::RunSpec& spec) {
    if (spec.recipe.checkpoint.resume_from.empty())
        return std::nullopt;
    fs::path place = fs::path(spec.recipe.checkpoint.resume_from).lexically_normal();
    if (place.filename().empty())
        place = place.parent_path();
    std::error_code ignored;
    if (const std::int64_t step = inspect::step_in_name(place.filename().string()); step >= 0) {
        const run::RunPaths run(place.parent_path().parent_path());
        if (place.parent_path() == run.checkpoints() && fs::is_regular_file(run.spec(), ignored))
            return std::pair(run, step);
        return std::nullopt;
    }
    const run::RunPaths run(place);
    if (!fs::is_regular_file(run.spec(), ignored))
        return std::nullopt;
    // Use the newest checkpoint at that time.
    std::int64_t step = -1;
    for (const run::Event& event : run::JournalReader(run.journal()).poll())
        if (event.kind == "checkpoint" && event.time <= spec.created)
            step = std::max(step, event.step);
    if (step < 0)
        return std::nullopt;
    return std::pair(run, step);
}

std::unique_ptr<EventTail> tail_of(const run::RunPaths& run) {
    return std::make_unique<EventTail>(run.metrics(), events::EventFolder::Depth::folders);
}

}  // namespace

std::vector<Ancestor> ancestors_of(const run::RunSpec& spec) {
    std::vector<Ancestor> found;
    try {
        run::RunSpec child = spec;
        for (auto origin = origin_of(child); origin && found.size() < kMostAncestors; origin = origin_of(child)) {
            const auto& [run, seam] = *origin;
            if (std::ranges::find(found, run.root(), [](const Ancestor& one) { return one.run.root(); }) != found.end())
                break;
            child = run::read_spec(run.spec());
            found.push_back({run, child.recipe.name, seam, child.launch.num_processes, child.created});
        }
    } catch (const UserError&) {
        // An unreadable ancestor ends the lineage; the run is shown from there on.
    }
    std::reverse(found.begin(), found.end());
    return found;
}

std::vector<run::Event> inherited_events(const std::vector<Ancestor>& ancestors, const run::RunSpec& spec) {
    std::vector<run::Event> all;
    for (std::size_t i = 0; i < ancestors.size(); ++i) {
        const Ancestor& one = ancestors[i];
        // A run that was resumed from before an earlier seam drops the events after its own seam, too.
        std::erase_if(all, [&](const run::Event& event) { return event.step > one.seam; });
        std::vector<run::Event> own;
        try {
            own = run::JournalReader(one.run.journal()).poll();
        } catch (const UserError&) {
            continue;
        }
        for (run::Event& event : own) {
            // Of the phases, only pauses are kept, because the curve leaves them out.
            if (event.step > one.seam ||
                (event.kind == "phase" && !run::begins_pause(event) && !run::ends_pause(event)))
                continue;
            if (!event.path.empty())
                event.path = (one.run.root() / event.path).string();
            all.push_back(std::move(event));
        }
        run::Event seam;
        seam.time = i + 1 < ancestors.size() ? ancestors[i + 1].started : spec.created;
        seam.step = one.seam;
        seam.kind = "resume";
        seam.text = Message("resumed from checkpoint {} of {}", one.seam, one.run.id());
        all.push_back(std::move(seam));
    }
    return all;
}

std::vector<SavedCheckpoint> saved_checkpoints(const run::RunPaths& run, const std::vector<Ancestor>& ancestors) {
    std::vector<SavedCheckpoint> found;
    const auto look = [&found](const run::RunPaths& paths, std::int64_t last, bool own) {
        for (const inspect::CheckpointEntry& item : inspect::numbered_folders(paths.checkpoints()))
            if (item.step <= last)
                found.push_back({item.step, item.folder.string(), item.pinned, own});
    };
    for (const Ancestor& one : ancestors) {
        std::erase_if(found, [&](const SavedCheckpoint& checkpoint) { return checkpoint.step > one.seam; });
        look(one.run, one.seam, false);
    }
    look(run, INT64_MAX, true);
    std::stable_sort(found.begin(), found.end(), [](const SavedCheckpoint& a, const SavedCheckpoint& b) {
        return a.step != b.step ? a.step > b.step : a.own && !b.own;
    });
    return found;
}

LineageTail::LineageTail(const run::RunPaths& run) : run_(run) {
    rewind();
}

void LineageTail::setAncestors(const std::vector<Ancestor>& ancestors) {
    ancestors_ = ancestors;
    again_ = again_ || started_;
    rewind();
}

void LineageTail::rewind() {
    next_ = 0;
    reading_.reset();
    own_ = tail_of(run_);
    if (!tables_folder_.empty())
        tables_ = std::make_unique<ProgramTables>(tables_folder_);
}

void LineageTail::readTables(const fs::path& folder) {
    tables_folder_ = folder;
    again_ = again_ || started_;
    rewind();
}

std::vector<Message> LineageTail::problems() const {
    std::vector<Message> all = own_->problems();
    if (tables_)
        std::ranges::copy(tables_->problems(), std::back_inserter(all));
    return all;
}

bool LineageTail::poll(CurveBatch& batch, std::uint64_t limit_bytes) {
    started_ = true;
    if (std::exchange(again_, false))
        batch.changes.push_back({CurveChange::Kind::Reset, {}, 0, {}});
    if (next_ < ancestors_.size()) {
        const Ancestor& one = ancestors_[next_];
        if (reading_ == nullptr)
            reading_ = tail_of(one.run);
        if (!reading_->poll(batch, limit_bytes))
            return false;
        reading_.reset();
        ++next_;
        batch.changes.push_back({CurveChange::Kind::Restart, {}, one.seam + 1, {}});
        for (int rank = 0; rank < one.ranks; ++rank)
            batch.changes.push_back({CurveChange::Kind::Restart, "#" + std::to_string(rank), one.seam + 1, {}});
        return false;
    }
    const std::size_t before = batch.changes.size();
    bool done = own_->poll(batch, limit_bytes);
    if (tables_) {
        tables_->claim(batch, std::min(before, batch.changes.size()));
        done = tables_->poll(batch, limit_bytes) && done;
    }
    const auto is_reset = [](const CurveChange& change) { return change.kind == CurveChange::Kind::Reset; };
    const bool was_reset =
        std::any_of(batch.changes.begin() + static_cast<std::ptrdiff_t>(std::min(before, batch.changes.size())),
                    batch.changes.end(), is_reset);
    if (!(was_reset && (!ancestors_.empty() || tables_)) && !(tables_ && tables_->wasReplaced()))
        return done;
    // A file of the run was replaced: everything delivered so far is invalid, including the data of other files.
    batch.changes.clear();
    again_ = true;
    rewind();
    return false;
}

}  // namespace trainyard::desktop
