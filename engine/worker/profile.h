// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Profiles of some steps, recorded by every rank and written into traces/ of the run's folder: those of the recipe and
// those that the user requests during the run.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "profile/profiler.h"
#include "run/paths.h"
#include "train/trainer.h"
#include "worker/rank_environment.h"
#include "worker/reports.h"
#include "worker/requests.h"

namespace trainyard::worker {

class Profile {
  public:
    /// Throws UserError where the recipe's profile cannot be recorded here.
    Profile(const run::RunPaths& paths, const RankEnvironment& environment, const config::Recipe& recipe,
            train::Trainer& trainer, Reports& reports, Requests& requests);

    /// Starts the profile of the recipe, if it has one. Called before the first step.
    void begin_of_recipe();
    /// From the next step on; Requests refuses a second one meanwhile.
    void begin(const train::ProfileWish& wish);
    /// `seconds`: of the step. Writes what has all of its steps.
    void after_step(double seconds);
    /// Writes the steps recorded so far. Does nothing if no profile is being recorded.
    void finish();

  private:
    void start(const profile::Schedule& schedule, profile::ProfileOptions options);
    void write();
    void link(const std::filesystem::path& file, const std::string& name);
    void close();

    const run::RunPaths& paths_;
    const config::ProfileRecipe& recipe_;
    int rank_, world_size_;
    std::filesystem::path folder_;
    bool is_outside_;  ///< of the run's folder: other runs may write there, too
    train::Trainer& trainer_;
    Reports& reports_;
    Requests& requests_;
    std::unique_ptr<profile::Profiler> profiler_;
    profile::Schedule schedule_;
    std::int64_t first_ = 0;  ///< number of the step that is 0 of the schedule
    bool of_recipe_ = false;
    std::vector<double> usual_;   ///< seconds of the newest steps that were not recorded
    std::vector<double> slowed_;  ///< of those that were
    Message outcome_;             ///< sentences of what was written
    bool failed_ = false;
};

}  // namespace trainyard::worker
