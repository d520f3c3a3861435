#include "train/hook_state.h"

#include <fmt/format.h>

#include "base/error.h"
#include "checkpoint/torch_archive.h"

namespace trainyard::train {

namespace {

std::string file_name(int rank) {
    return fmt::format("comm_hook_{}.bin", rank);
}

bool keeps_something(const parallel::CommHook& hook) {
    return !hook.state_dict().entries().empty();
}

std::string options_text(const config::ParallelRecipe& recipe) {
    return fmt::format("comm_hook {}, comm_wrapper {}, bucket_cap_mb {}, comm_state_option {}", recipe.comm_hook,
                       recipe.comm_wrapper, recipe.bucket_cap_mb,
                       recipe.comm_state_option.empty() ? "empty" : recipe.comm_state_option);
}

}  // namespace

std::optional<checkpoint::FileToSave> hook_file(const parallel::CommHook& hook, const config::ParallelRecipe& recipe,
                                                const parallel::Communicator& ranks) {
    if (!keeps_something(hook))
        return std::nullopt;
    return checkpoint::FileToSave{
        file_name(ranks.rank()),
        Tree::dict({{"ranks", ranks.size()}, {"options", options_text(recipe)}, {"state", hook.state_dict()}})};
}

Message load_hook(parallel::CommHook& hook, const std::filesystem::path& folder, const config::ParallelRecipe& recipe,
                  const parallel::Communicator& ranks) {
    if (!keeps_something(hook))
        return {};
    auto anew = [&](const Message& why) {
        return Message("the communication hook {} starts anew: {}", recipe.comm_hook, why);
    };
    // Rank 0's file decides for all, so that all decide alike.
    if (!std::filesystem::exists(folder / file_name(0)))
        return anew("the checkpoint has no state of it");
    const Tree first = checkpoint::read_torch_file(folder / file_name(0), true);
    if (first.at("ranks").as_integer() != ranks.size())
        return anew(Message("its state in the checkpoint is of {} ranks, here are {}", first.at("ranks").as_integer(),
                            ranks.size()));
    if (first.at("options").as_text() != options_text(recipe))
        return anew(Message("its state in the checkpoint was made with {}", first.at("options").as_text()));
    const Tree own = ranks.rank() == 0 ? first : checkpoint::read_torch_file(folder / file_name(ranks.rank()), true);
    hook.load_state_dict(
        own.at("state").map_tensors([&](const at::Tensor& tensor) { return tensor.to(ranks.device()); }));
    return {};
}

}  // namespace trainyard::train
