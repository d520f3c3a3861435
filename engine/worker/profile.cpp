// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/profile.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "worker/log.h"

namespace trainyard::worker {

namespace {

constexpr std::size_t kUsualSteps = 20;

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

profile::ProfileOptions options_of(const config::ProfileRecipe& recipe) {
    return {.activities = recipe.activities,
            .record_shapes = recipe.record_shapes,
            .profile_memory = recipe.profile_memory,
            .with_flops = recipe.with_flops};
}

}  // namespace

Profile::Profile(const run::RunPaths& paths, const RankEnvironment& environment, const config::Recipe& recipe,
                 train::Trainer& trainer, Reports& reports, Requests& requests)
    : paths_(paths),
      recipe_(recipe.profile),
      rank_(environment.place.rank),
      world_size_(environment.place.world_size),
      folder_(recipe_.output_trace_dir.empty() ? paths.traces() : std::filesystem::path(recipe_.output_trace_dir)),
      is_outside_(!recipe_.output_trace_dir.empty()),
      trainer_(trainer),
      reports_(reports),
      requests_(requests) {
    if (recipe_.active > 0 || !recipe_.activities.empty())
        profile::Profiler(options_of(recipe_), {.has_cuda = trainer.device().is_cuda()});
}

void Profile::begin_of_recipe() {
    if (recipe_.active == 0)
        return;
    of_recipe_ = true;
    requests_.set_profiling(true);
    start({.wait = recipe_.wait,
           .warmup = recipe_.warmup,
           .active = recipe_.active,
           .repeat = recipe_.repeat,
           .skip_first = recipe_.skip_first},
          options_of(recipe_));
}

void Profile::begin(const train::ProfileWish& wish) {
    profile::ProfileOptions options = options_of(recipe_);
    options.record_shapes |= wish.record_shapes;
    options.profile_memory |= wish.profile_memory;
    options.with_flops |= wish.with_flops;
    start({.wait = wish.wait,
           .warmup = wish.warmup,
           .active = wish.active,
           .repeat = wish.repeat,
           .skip_first = wish.skip_first},
          std::move(options));
}

void Profile::start(const profile::Schedule& schedule, profile::ProfileOptions options) {
    schedule_ = schedule;
    first_ = trainer_.position().step + 1;
    slowed_.clear();
    outcome_ = {};
    failed_ = false;
    options.schedule_option = schedule;
    options.on_trace_ready = [this](profile::Profiler&) { write(); };
    profiler_ = std::make_unique<profile::Profiler>(
        std::move(options),
        profile::ProfilePlace{rank_, world_size_, trainer_.mesh().backend(), trainer_.device().is_cuda()});
    profiler_->set_marks_steps(false);  // the trainer does, from the readings of its phase clock
    profiler_->start();
    if (reports_.speaks_for_run()) {
        const std::int64_t from = first_ + schedule.skip_first + schedule.wait + schedule.warmup;
        log_info(fmt::format("profiling steps {} to {}", from, from + schedule.active - 1));
    }
}

void Profile::after_step(double seconds) {
    const bool recorded = profiler_ != nullptr && profiler_->is_recording();
    std::vector<double>& times = recorded ? slowed_ : usual_;
    times.push_back(seconds);
    if (!recorded && times.size() > kUsualSteps)
        times.erase(times.begin());
    if (profiler_ == nullptr)
        return;
    profiler_->step();
    if (schedule_.is_over(profiler_->step_num()) || (schedule_.repeat == 1 && profiler_->is_full()))
        close();
}

void Profile::finish() {
    if (profiler_ == nullptr)
        return;
    profiler_->stop();
    close();
}

void Profile::write() {
    const std::vector<std::int64_t>& steps = profiler_->recorded_steps();
    // In a run that ends while recording, the step that has just begun is not counted.
    const std::int64_t done = trainer_.position().step - first_ + 1;
    if (steps.empty() || steps.front() >= done)
        return;
    const std::int64_t first = first_ + steps.front(), last = first_ + std::min(steps.back(), done - 1);
    const std::string name = fmt::format("step-{:06}-rank-{}.trace.json", first, rank_);
    try {
        const double begin = monotonic_seconds();
        const profile::Profiler::Written written =
            profiler_->export_chrome_trace(folder_ / (is_outside_ ? paths_.id() + "-" + name : name));
        if (is_outside_)
            link(written.file, name);
        const double seconds = monotonic_seconds() - begin;
        Message text("profile of steps {} to {}: {} events of each rank, {}", first, last,
                     text::quantity(static_cast<double>(written.events)), text::file_size(written.bytes));
        const double slowed = median(slowed_), usual = median(usual_);
        if (slowed > 0 && usual > 0)
            text = Message("{}; a recorded step took {}, others {} ({:+.0f} %)", text, text::duration(slowed),
                           text::duration(usual), 100 * (slowed / usual - 1));
        text = Message("{}; written in {}", text, text::duration(seconds));
        if (profiler_->is_full())
            text = Message(
                "{}; it ended {} steps early, because it had recorded enough operators to fill the "
                "memory: record fewer steps at a time",
                text, schedule_.active - static_cast<std::int64_t>(steps.size()));
        if (reports_.speaks_for_run()) {
            const std::filesystem::path inside = std::filesystem::relative(written.file, paths_.root());
            reports_.event("profile", text, inside.string().starts_with("..") ? written.file.string() : inside.string(),
                           static_cast<double>(first), last);
        }
        outcome_ = Message::joined({outcome_, text}, "; ");
    } catch (const UserError& error) {
        log_warning(error.what());
        outcome_ = message_of(error);
        failed_ = true;
    }
    slowed_.clear();
}

/// Adds a link to the file to the run's own folder, so that it is found there.
void Profile::link(const std::filesystem::path& file, const std::string& name) {
    std::error_code error;
    make_private_folder(paths_.traces());
    const std::filesystem::path place = paths_.traces() / name;
    std::filesystem::remove(place, error);
    std::filesystem::create_symlink(std::filesystem::absolute(file), place, error);
    if (error)
        log_warning(fmt::format("{}: no link to {} could be made: {}", place.string(), file.string(), error.message()));
}

void Profile::close() {
    profiler_.reset();
    if (std::exchange(of_recipe_, false))
        requests_.set_profiling(false);
    requests_.answer(Ask::profile, !failed_ && !outcome_.empty(),
                     outcome_.empty() ? Message("the run ended before a step was recorded") : outcome_);
}

}  // namespace trainyard::worker
