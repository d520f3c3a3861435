#pragma once
// HealthAction::rollback: a step that went wrong makes no update, and what is trained goes back to the last good checkpoint; the batches since
// then are left out, that of the bad step among them. Data and steps go on, so that the same batches are not met again and curves do not go
// back; weights, optimizer, averages, schedule and loss scale are those of the checkpoint. (Chowdhery et al., "PaLM", 2022, section 5.1, restart
// before a spike and leave out the batches around it.)

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/communicator.h"
#include "train/health.h"

namespace trainyard::train {

/// Collective: the newest checkpoint below `checkpoints` that is whole and good, as rank 0 sees it; empty: there is none. Saves under way
/// are to be waited for before.
std::filesystem::path checkpoint_to_go_back_to(const std::filesystem::path& checkpoints, parallel::Communicator& ranks);

/// What people are told: `checkpoint` empty: there was none.
Message roll_back_sentence(std::int64_t step, const std::filesystem::path& checkpoint);

/// What the recipe says about health.
HealthOptions health_options(const config::HealthRecipe& recipe);

}  // namespace trainyard::train
