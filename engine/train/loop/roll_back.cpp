// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/roll_back.h"

#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "distributed/parallel/collectives.h"

namespace trainyard::train {

Message roll_back(std::int64_t step, const std::filesystem::path& checkpoints, parallel::Communicator& ranks,
                  const std::function<void(const std::filesystem::path& checkpoint)>& load) {
    std::string found;
    if (ranks.rank() == 0 && !checkpoints.empty()) {
        try {
            found = checkpoint::newest_checkpoint(checkpoints).string();
        } catch (const UserError&) {  // none yet, or none that is whole
        }
    }
    const std::filesystem::path checkpoint = parallel::broadcast_object(ranks, Tree(found), 0).as_text();
    if (checkpoint.empty())
        return Message("step {} is left out; there is no good checkpoint yet to go back to", step);
    load(checkpoint);
    return Message(
        "weights and optimizer are those of {} again; the batches from there to step {} are left "
        "out",
        checkpoint.filename().string(), step);
}

}  // namespace trainyard::train
