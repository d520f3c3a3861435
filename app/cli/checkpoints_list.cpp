// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard checkpoints list | pin | prune | restore

#include <algorithm>
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/checkpoints_command.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "observe/inspect/checkpoint_list.h"
#include "observe/inspect/prune.h"
#include "run/listing.h"
#include "run/paths.h"
#include "run/trash.h"

namespace trainyard::cli {

namespace {

using inspect::CheckpointEntry;
using inspect::CheckpointList;
using inspect::CheckpointState;

struct ShelfFlags {
    std::string place;
    bool json = false, off = false;
    checkpoint::Retention policy;
    bool higher = false, dry_run = false, broken = false, purge = false;
};

CheckpointList shelf_named(const std::string& place) {
    std::error_code error;
    return inspect::read_checkpoint_list(
        inspect::fs::exists(place, error) ? inspect::fs::path(place) : run::find_run(run::runs_root(), place).root());
}

std::string state_of_shelved(const CheckpointList& checkpoint_list, std::size_t index) {
    const CheckpointEntry& item = checkpoint_list.items[index];
    std::string words = item.state == CheckpointState::remote ? "on " + item.host : state_words(item.state);
    if (!item.not_good.empty())
        words = "not finite";
    if (static_cast<int>(index) == checkpoint_list.newest())
        words += checkpoint_list.latest.empty() ? ", newest" : ", latest";
    if (static_cast<int>(index) == checkpoint_list.best())
        words += ", best";
    if (item.pinned)
        words += ", pinned";
    return words;
}

nlohmann::ordered_json json_of_shelved(const CheckpointList& checkpoint_list, std::size_t index) {
    const CheckpointEntry& item = checkpoint_list.items[index];
    nlohmann::ordered_json row{
        {"folder", item.folder.string()},
        {"name", item.name},
        {"step", item.step >= 0 ? nlohmann::ordered_json(item.step) : nlohmann::ordered_json()},
        {"metric", item.metric ? nlohmann::ordered_json(*item.metric) : nlohmann::ordered_json()},
        {"layout", item.layout},
        {"saved_at", item.saved_at},
        {"bytes", item.bytes},
        {"state", inspect::state_name(item.state)},
        {"host", item.host.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(item.host)},
        {"problem", item.problem},
        {"not_good", item.not_good},
        {"pinned", item.pinned},
        {"newest", static_cast<int>(index) == checkpoint_list.newest()},
        {"best", static_cast<int>(index) == checkpoint_list.best()}};
    return row;
}

int list_checkpoints(const ShelfFlags& flags) {
    const CheckpointList checkpoint_list = shelf_named(flags.place);
    if (flags.json) {
        nlohmann::ordered_json json{{"folder", checkpoint_list.folder.string()},
                                    {"bytes", checkpoint_list.bytes()},
                                    {"notes", checkpoint_list.notes},
                                    {"checkpoints", nlohmann::ordered_json::array()}};
        for (std::size_t i = 0; i < checkpoint_list.items.size(); ++i)
            json["checkpoints"].push_back(json_of_shelved(checkpoint_list, i));
        print_json(json);
        return kExitDone;
    }
    if (checkpoint_list.items.empty()) {
        say("No checkpoint yet in " + checkpoint_list.folder.string());
        return kExitDone;
    }
    for (const auto& note : checkpoint_list.notes)
        say(text::printable(std::string(note), 1000));
    std::size_t width = 10;
    for (const CheckpointEntry& item : checkpoint_list.items)
        width = std::max(width, text::printable(item.name).size());
    for (std::size_t i = 0; i < checkpoint_list.items.size(); ++i) {
        const CheckpointEntry& item = checkpoint_list.items[i];
        say(fmt::format("{:{}}  {:>10}  {:>9}  {:16}  {:19}  {}", text::printable(item.name), width,
                        item.metric ? fmt::format("{:.4f}", *item.metric) : "", text::file_size(item.bytes),
                        item.layout, item.saved_at.substr(0, 19), state_of_shelved(checkpoint_list, i)));
        const bool unusable = item.state == CheckpointState::broken || item.state == CheckpointState::remote;
        for (const Message& more : {unusable ? item.problem : Message(), item.not_good})
            if (!more.empty())
                say("    " + text::printable(more.text()));
    }
    say(fmt::format("{} checkpoint{}, {}", checkpoint_list.items.size(), checkpoint_list.items.size() == 1 ? "" : "s",
                    text::file_size(checkpoint_list.bytes())));
    return kExitDone;
}

int pin_checkpoint(const ShelfFlags& flags) {
    const inspect::fs::path folder = inspect::find_checkpoint(run::runs_root(), flags.place);
    inspect::set_pinned(folder, !flags.off);
    say(fmt::format("{} {}", folder.string(),
                    flags.off ? "is no longer pinned" : "is pinned: no retention removes it"));
    return kExitDone;
}

void print_prune_plan(const CheckpointList& checkpoint_list, const inspect::PrunePlan& plan, bool done) {
    for (const inspect::PrunePlan::Row& row : plan.rows) {
        const CheckpointEntry& item = checkpoint_list.items[row.item];
        say(fmt::format("{}  {:>9}  {}  ({})", row.goes ? (done ? "removed" : "goes   ") : "stays  ",
                        text::file_size(item.bytes), text::printable(item.name), row.why));
    }
}

int prune_checkpoints(ShelfFlags& flags) {
    const CheckpointList checkpoint_list = shelf_named(flags.place);
    // Without a rule the run's own are taken; with some, its recipe still says which metric is the best.
    if (checkpoint_list.policy && flags.policy.keeps_all())
        flags.policy = *checkpoint_list.policy;
    else if (checkpoint_list.policy)
        flags.policy.better = checkpoint_list.policy->better;
    if (flags.higher)
        flags.policy.better = checkpoint::Retention::Better::higher;
    const std::vector<inspect::InUse> in_use = inspect::checkpoints_in_use(run::runs_root());
    const inspect::PrunePlan plan = inspect::plan_prune(checkpoint_list, flags.policy, in_use, flags.broken);
    std::vector<Message> problems;
    std::vector<inspect::fs::path> moved;
    std::uint64_t freed = 0;
    if (!flags.dry_run) {
        moved = inspect::apply_prune(checkpoint_list, plan, inspect::checkpoints_in_use(run::runs_root()), problems);
        if (flags.purge)
            for (const run::TrashedRun& one : run::list_trash(checkpoint_list.folder)) {
                freed += run::size_of(one);
                run::delete_for_good(one.folder);
            }
    }
    if (flags.json) {
        nlohmann::ordered_json json{{"folder", checkpoint_list.folder.string()},
                                    {"bytes", plan.bytes},
                                    {"done", !flags.dry_run},
                                    {"goes", nlohmann::ordered_json::array()},
                                    {"stays", nlohmann::ordered_json::array()},
                                    {"problems", problems}};
        for (const inspect::PrunePlan::Row& row : plan.rows)
            json[row.goes ? "goes" : "stays"].push_back({{"folder", checkpoint_list.items[row.item].folder.string()},
                                                         {"bytes", checkpoint_list.items[row.item].bytes},
                                                         {"why", row.why}});
        print_json(json);
        return problems.empty() ? kExitDone : kExitFailed;
    }
    print_prune_plan(checkpoint_list, plan, !flags.dry_run);
    for (const auto& problem : problems)
        say(stderr, problem.text());
    if (flags.dry_run)
        say(fmt::format("{} of {} would go, {}", plan.count, checkpoint_list.items.size(),
                        text::file_size(plan.bytes)));
    else if (flags.purge)
        say(fmt::format("{} of {} removed, and the trash is empty: {} are free", moved.size(),
                        checkpoint_list.items.size(), text::file_size(freed)));
    else
        say(fmt::format(
            "{} of {}, {}, are in the trash of {}: `trainyard checkpoints restore` puts them back, `prune "
            "--purge` frees the disk",
            moved.size(), checkpoint_list.items.size(), text::file_size(plan.bytes), checkpoint_list.folder.string()));
    return problems.empty() ? kExitDone : kExitFailed;
}

int restore_checkpoints(const ShelfFlags& flags) {
    const CheckpointList checkpoint_list = shelf_named(flags.place);
    const std::vector<run::TrashedRun> trashed = run::list_trash(checkpoint_list.folder);
    if (trashed.empty())
        throw UserError("the trash of {} is empty", checkpoint_list.folder.string());
    for (const run::TrashedRun& one : trashed)
        say(run::restore_from_trash(one.folder).root().string() + " is back");
    return kExitDone;
}

}  // namespace

std::string state_words(CheckpointState state) {
    std::string words = inspect::state_name(state);
    std::ranges::replace(words, '_', ' ');
    return words;
}

void add_checkpoints_list(CLI::App& group, Action& chosen) {
    auto flags = std::make_shared<ShelfFlags>();
    const auto add = [&](const char* name, const char* what, auto action) {
        CLI::App* command = group.add_subcommand(name, what);
        command->callback([flags, &chosen, action] { chosen = [flags, action] { return action(*flags); }; });
        return command;
    };
    CLI::App* command =
        add("list", "Checkpoints of a run or folder: step, metric, size, layout, state", list_checkpoints);
    command->add_option("place", flags->place, "A run (id, name, folder), a folder of checkpoints, or a checkpoint")
        ->required();
    command->add_flag("--json", flags->json, "For programs");

    command = add("pin", "Keep a checkpoint whatever a retention says", pin_checkpoint);
    command->add_option("checkpoint", flags->place, "A folder, or a run's: RUN@STEP")->required();
    command->add_flag("--off", flags->off, "No longer");

    command = add("prune",
                  "Remove checkpoints by a policy, without one by that of the run's recipe, into the trash beside them",
                  prune_checkpoints);
    command->add_option("place", flags->place, "A run or a folder of checkpoints")->required();
    command->add_option("--keep_best", flags->policy.keep_best,
                        "Keep so many of the best metric: the lowest, or what the run's recipe says");
    command->add_flag("--higher", flags->higher, "The highest metric is the best");
    command->add_option("--keep_last", flags->policy.keep_last, "Keep so many of the newest");
    command->add_option("--keep_every", flags->policy.keep_every, "Keep those whose step is a multiple");
    command->add_flag("--broken", flags->broken, "Remove broken ones, too");
    command->add_flag("--dry-run", flags->dry_run, "Only tell what would go");
    command->add_flag("--purge", flags->purge, "Empty the trash: frees the disk, without a way back");
    command->add_flag("--json", flags->json, "For programs");

    command = add("restore", "Put back what prune has removed", restore_checkpoints);
    command->add_option("place", flags->place, "The run or folder that was pruned")->required();
}

}  // namespace trainyard::cli
