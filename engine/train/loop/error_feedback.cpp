// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/error_feedback.h"

#include <fmt/format.h>

#include "base/counted.h"
#include "checkpoint/torch_archive.h"

namespace trainyard::train {

namespace {

std::string error_feedback_name(std::size_t number, int rank) {
    return fmt::format("error_feedback_{}_{}.bin", number, rank);
}

}  // namespace

std::optional<checkpoint::FileToSave> error_feedback_file(optim::Optimizer& optimizer, std::size_t number,
                                                          const parallel::Communicator& ranks) {
    const Stateful* state = optimizer.own_state();
    if (state == nullptr || ranks.size() == 1)
        return std::nullopt;
    return checkpoint::FileToSave{error_feedback_name(number, ranks.rank()),
                                  Tree::dict({{"ranks", ranks.size()}, {"state", state->state_dict()}})};
}

Message load_error_feedback(optim::Optimizer& optimizer, std::size_t number, const std::filesystem::path& folder,
                            const parallel::Communicator& ranks) {
    Stateful* state = optimizer.own_state();
    if (state == nullptr || ranks.size() == 1)
        return {};
    // Rank 0's file decides for all, so that all decide alike.
    const std::filesystem::path first = folder / error_feedback_name(number, 0);
    if (!std::filesystem::exists(first))
        return "the errors that ranks feed back begin with zeros: the checkpoint has none";
    const std::int64_t before = checkpoint::read_torch_file(first, true).at("ranks").as_integer();
    if (before != ranks.size())
        return Message(
            "the errors that ranks feed back begin with zeros: those in the checkpoint are of {} instead of {}",
            text::ranks(before), ranks.size());
    state->load_state_dict(checkpoint::read_torch_file(folder / error_feedback_name(number, ranks.rank()), true)
                               .at("state")
                               .map_tensors([&](const at::Tensor& tensor) { return tensor.to(ranks.device()); }));
    return {};
}

}  // namespace trainyard::train
