// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/prune.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/failpoint.h"
#include "checkpoint/files/manifest.h"
#include "run/listing.h"
#include "run/run_health.h"
#include "run/spec.h"
#include "run/trash.h"

namespace trainyard::inspect {

namespace {

using checkpoint::Candidate;
using checkpoint::Retention;

/// Why a rule keeps an item: the first rule that does it alone.
Message reason(const std::vector<Candidate>& candidates, const Retention& policy, std::size_t item) {
    const auto is_kept_by = [&](const Retention& one) -> bool { return checkpoint::kept(candidates, one)[item]; };
    if (policy.keep_best > 0) {
        Retention best;
        best.keep_best = policy.keep_best;
        best.better = policy.better;
        if (is_kept_by(best))
            return Message("best {}", policy.keep_best);
    }
    if (policy.keep_last > 0) {
        Retention last;
        last.keep_last = policy.keep_last;
        if (is_kept_by(last))
            return Message("last {}", policy.keep_last);
    }
    if (policy.keep_every > 0 && candidates[item].number % policy.keep_every == 0)
        return policy.keep_every == 1 ? Message("every step") : Message("every {} steps", policy.keep_every);
    return "the policy keeps it";
}

Message in_use_reason(const CheckpointEntry& item, const std::vector<InUse>& in_use) {
    std::error_code error;
    for (const InUse& one : in_use)
        if (fs::equivalent(one.folder, item.folder, error))
            return one.why;
    return {};
}

}  // namespace

std::vector<InUse> checkpoints_in_use(const fs::path& runs_root) {
    std::vector<InUse> found;
    for (const run::ListedRun& listed : run::list_runs(runs_root)) {
        if (!listed.state || run::is_over(listed.state->status))
            continue;
        try {
            const run::RunSpec spec = run::read_spec(listed.paths.spec());
            if (spec.recipe.checkpoint.resume_from.empty())
                continue;
            const Message why = Message("run {} was resumed from it", listed.paths.id());
            const fs::path from = spec.recipe.checkpoint.resume_from;
            if (step_in_name(from.filename().string()) >= 0 || checkpoint::has_manifest(from)) {
                found.push_back({from, why});
                continue;
            }
            // A run was named: its newest one of that time.
            for (const CheckpointEntry& item : read_checkpoint_list(from).items)
                if (item.state == CheckpointState::whole &&
                    (item.saved_at.empty() || parse_iso_time(item.saved_at) <= spec.created)) {
                    found.push_back({item.folder, why});
                    break;
                }
        } catch (const std::exception&) {
            // Its recipe cannot be read, or what it named is gone.
        }
    }
    return found;
}

PrunePlan plan_prune(const CheckpointList& checkpoint_list, const Retention& policy, const std::vector<InUse>& in_use,
                     bool broken) {
    if (policy.keep_last < 0 || policy.keep_best < 0 || policy.keep_every < 0)
        throw UserError("a policy counts checkpoints: use 1 or more");
    if (policy.keep_last == 0 && policy.keep_best == 0 && policy.keep_every == 0)
        throw UserError(
            "a policy without a rule keeps nothing: say how many to keep, the best, the last or every so many steps, 1 "
            "or more");
    if (policy.keep_best > 0 &&
        std::ranges::none_of(checkpoint_list.items,
                             [](const CheckpointEntry& item) { return item.metric.has_value(); }) &&
        policy.keep_last == 0 && policy.keep_every == 0)
        throw UserError(
            "no checkpoint has a metric, so none is the best: keep the last ones, or those every so many steps");
    PrunePlan plan;
    std::vector<Candidate> candidates;
    std::vector<std::size_t> items;
    for (std::size_t i = 0; i < checkpoint_list.items.size(); ++i)
        if (checkpoint_list.items[i].state == CheckpointState::whole) {
            candidates.push_back({checkpoint_list.items[i].step, checkpoint_list.items[i].metric,
                                  checkpoint_list.items[i].pinned, checkpoint_list.items[i].not_good.empty()});
            items.push_back(i);
        }
    const std::vector<bool> stays = checkpoint::kept(candidates, policy);
    const int newest = checkpoint_list.newest();
    for (std::size_t i = 0; i < checkpoint_list.items.size(); ++i) {
        const CheckpointEntry& item = checkpoint_list.items[i];
        PrunePlan::Row row{i, false, ""};
        const auto place = std::ranges::find(items, i);
        if (item.pinned) {
            row.why = "pinned";
        } else if (item.state == CheckpointState::being_written) {
            row.why = "being written";
        } else if (item.state == CheckpointState::remote) {
            row.why = Message("on {}", item.host);
        } else if (Message used = in_use_reason(item, in_use); !used.empty()) {
            row.why = std::move(used);
        } else if (static_cast<int>(i) == newest) {
            row.why = "the newest";
        } else if (item.state == CheckpointState::broken) {
            row.goes = broken;
            row.why = broken ? "broken" : "broken, and only removed when asked for";
        } else if (stays[static_cast<std::size_t>(place - items.begin())]) {
            row.why = reason(candidates, policy, static_cast<std::size_t>(place - items.begin()));
        } else {
            row.goes = true;
            row.why = "no rule keeps it";
        }
        if (row.goes) {
            plan.bytes += item.bytes;
            ++plan.count;
        }
        plan.rows.push_back(std::move(row));
    }
    return plan;
}

std::vector<fs::path> apply_prune(const CheckpointList& checkpoint_list, const PrunePlan& plan,
                                  const std::vector<InUse>& in_use, std::vector<Message>& problems) {
    std::vector<fs::path> moved;
    for (const PrunePlan::Row& row : plan.rows) {
        if (!row.goes)
            continue;
        const CheckpointEntry& item = checkpoint_list.items[row.item];
        std::error_code error;
        if (Message used = in_use_reason(item, in_use); !used.empty()) {
            problems.push_back(Message("{} stays: {}", item.folder.string(), used));
        } else if (fs::exists(item.folder / "keep", error)) {
            problems.push_back(Message("{} stays: it was pinned meanwhile", item.folder.string()));
        } else {
            try {
                if (item.state == CheckpointState::whole && item.trainyard &&
                    checkpoint::read_manifest(item.folder).saved_at != item.saved_at) {
                    problems.push_back(Message("{} stays: it has been replaced in the meantime", item.folder.string()));
                    continue;
                }
                failpoint("prune.move");
                moved.push_back(run::move_folder_to_trash(item.folder));
            } catch (const UserError& failure) {
                problems.push_back(failure.message());
            }
        }
    }
    return moved;
}

}  // namespace trainyard::inspect
