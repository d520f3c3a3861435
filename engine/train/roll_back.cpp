#include "train/roll_back.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "distributed/parallel/collectives.h"

namespace trainyard::train {

std::filesystem::path checkpoint_to_go_back_to(const std::filesystem::path& checkpoints,
                                               parallel::Communicator& ranks) {
    std::string found;
    if (ranks.rank() == 0 && !checkpoints.empty()) {
        try {
            found = checkpoint::newest_checkpoint(checkpoints).string();
        } catch (const UserError&) {  // none yet, or none that is whole
        }
    }
    return parallel::broadcast_object(ranks, Tree(found), 0).as_text();
}

Message roll_back_sentence(std::int64_t step, const std::filesystem::path& checkpoint) {
    if (checkpoint.empty())
        return Message("step {} is left out; there is no good checkpoint yet to go back to", step);
    return Message(
        "weights and optimizer are those of {} again; the batches from there to step {} are left "
        "out",
        checkpoint.filename().string(), step);
}

HealthOptions health_options(const config::HealthRecipe& recipe) {
    HealthOptions options;
    options.on_non_finite = parse_health_action(recipe.on_non_finite);
    options.on_spike = parse_health_action(recipe.on_spike);
    options.spike.threshold = recipe.spike_threshold;
    options.spike.window = recipe.spike_window;
    options.spike.warm_up = std::min(options.spike.warm_up, recipe.spike_window);
    options.stop_after = recipe.stop_after;
    return options;
}

}  // namespace trainyard::train
