// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/continuation.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/regular_file.h"
#include "config/inputs/check_resume.h"
#include "config/recipe/schedule_kinds.h"
#include "run/listing.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::launch {

namespace fs = std::filesystem;

namespace {

constexpr int kMostAncestors = 64;

const config::ScheduleKind* kind_of(const config::ScheduleRecipe& schedule) {
    const auto kind = std::ranges::find(config::schedule_kinds(), schedule.name, &config::ScheduleKind::name);
    return kind == config::schedule_kinds().end() ? nullptr : &*kind;
}

std::int64_t decay_end_of(const config::Recipe& recipe) {
    const config::ScheduleKind* kind = kind_of(recipe.schedule);
    if (kind == nullptr || !kind->has_end || recipe.schedule.arguments.find(kind->end_argument()) != std::string::npos)
        return 0;
    return recipe.schedule.decay_steps > 0 ? recipe.schedule.decay_steps : recipe.training.steps;
}

/// The run that a checkpoint or a folder of checkpoints belongs to: the folder above with a run.yaml.
std::optional<run::RunPaths> run_of(const fs::path& resumed) {
    std::error_code error;
    fs::path folder = fs::absolute(resumed, error).lexically_normal();
    for (int up = 0; up < 3; ++up, folder = folder.parent_path())
        if (const run::RunPaths run(folder); fs::is_regular_file(run.spec(), error))
            return run;
    return std::nullopt;
}

/// The step of the trainer's checkpoint that a recipe resumes from; -1: not known.
std::int64_t resumed_step(const config::Recipe& recipe) {
    constexpr std::uint64_t kMostPositionBytes = 1u << 20;
    const fs::path folder = inputs::checkpoint_to_resume(recipe.checkpoint.resume_from);
    if (folder.empty())
        return -1;
    try {
        return parse_json(read_regular_file(folder / "position.json", kMostPositionBytes))
            .at("step")
            .get<std::int64_t>();
    } catch (const UserError&) {
        return -1;
    } catch (const nlohmann::json::exception&) {
        return -1;
    }
}

}  // namespace

Continuation continuation_of(const run::RunPaths& run) {
    const std::optional<run::RunState> state = run::read_state(run);
    if (!state)
        throw UserError("run {} has no state.json: it was never started", run.id());
    if (state->mirror)
        throw UserError("run {} is a copy, its checkpoints are on {}: resume it there, or fetch its checkpoint first",
                        run.id(), state->mirror->host);
    if (!run::is_over(state->status) && !run::is_lost(*state, wall_seconds()))
        throw UserError("run {} is still active: it can continue with more steps once it has ended", run.id());
    const run::RunSpec spec = run::read_spec(run.spec());
    if (spec.program)
        throw UserError(
            "run {} is a program, which decides itself how long it trains: start it again with its own "
            "arguments",
            run.id());
    const std::optional<std::int64_t> step = run::newest_good_checkpoint(run);
    if (!step)
        throw UserError("run {} has no good checkpoint to continue from", run.id());
    return {run, spec.recipe, *step, spec.recipe.training.steps, decay_end_of(spec.recipe)};
}

std::vector<std::string> continuation_settings(const Continuation& from, std::int64_t steps, bool keep_schedule) {
    if (steps <= from.step)
        throw UserError("{} steps are not more than the {} that run {} has trained: give a larger number", steps,
                        from.step, from.run.id());
    const bool keeps = keep_schedule && from.decay_end > 0;
    const config::ScheduleRecipe& schedule = from.recipe.schedule;
    if (keeps && schedule.arguments.empty() && schedule.min_lr_ratio == 0 && from.step >= from.decay_end &&
        (schedule.name == "cosine" || schedule.name == "linear"))
        throw UserError(
            "the schedule of run {} ends at step {} with a learning rate of 0, at which nothing is learnt: let it end "
            "at the new last step",
            from.run.id(), from.decay_end);
    // A path is a JSON string, which is one of YAML.
    std::vector<std::string> settings{"checkpoint.resume_from=" + quoted_json(from.run.root().string()),
                                      fmt::format("training.steps={}", steps)};
    if (keeps)
        settings.push_back(fmt::format("schedule.decay_steps={}", from.decay_end));
    return settings;
}

Message resumed_schedule_note(const config::Recipe& recipe) {
    const std::int64_t end = decay_end_of(recipe);
    config::Recipe at = recipe;
    for (int ancestors = 0; end > 0 && ancestors < kMostAncestors && !at.checkpoint.resume_from.empty(); ++ancestors) {
        const std::int64_t step = resumed_step(at);
        const std::optional<run::RunPaths> run = run_of(at.checkpoint.resume_from);
        if (!run || step <= recipe.schedule.warmup_steps)
            break;  // during the warm-up the rate does not depend on the end
        try {
            const run::RunSpec spec = run::read_spec(run->spec());
            if (spec.program)
                break;
            at = spec.recipe;
        } catch (const UserError&) {
            break;  // the run before cannot be read: its checkpoint is what counts
        }
        if (const std::int64_t before = decay_end_of(at); before > 0 && before != end)
            return Message(
                "the first {} steps were trained with a learning rate whose decay ends at step {}, and the rest with "
                "one whose decay ends at step {}: a run of {} steps from the start would have other rates in its first "
                "{} steps; schedule.decay_steps={} keeps the schedule of the run before",
                step, before, end, recipe.training.steps, step, before);
    }
    return {};
}

}  // namespace trainyard::launch
