// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/rank_files.h"

#include <fmt/format.h>

#include "base/counted.h"
#include "base/error.h"
#include "checkpoint/torch_archive.h"

namespace trainyard::train {

namespace {

std::string hook_name(int rank) {
    return fmt::format("comm_hook_{}.bin", rank);
}

bool keeps_something(const parallel::CommHook& hook) {
    return !hook.state_dict().entries().empty();
}

std::string options_text(const config::ParallelRecipe& recipe) {
    std::string text = fmt::format("comm_hook {}, comm_wrapper {}, bucket_cap_mb {}, comm_state_option {}",
                                   recipe.comm_hook, recipe.comm_wrapper, recipe.bucket_cap_mb,
                                   recipe.comm_state_option.empty() ? "empty" : recipe.comm_state_option);
    if (recipe.pp_size > 1)
        text += fmt::format(", pp_size {}, pipeline_schedule {}, pp_stages_per_rank {}", recipe.pp_size,
                            recipe.pipeline_schedule, recipe.pp_stages_per_rank);
    for (const auto& [key, size] : {std::pair{"tp_size", recipe.tp_size}, {"ep_size", recipe.ep_size}})
        if (size > 1)
            text += fmt::format(", {} {}", key, size);
    return text;
}

std::string moments_name(int rank) {
    return fmt::format("local_moments_{}.bin", rank);
}

std::int64_t rank_count_in(const std::filesystem::path& file) {
    return checkpoint::read_torch_file(file, true).at("ranks").as_integer();
}

}  // namespace

std::optional<checkpoint::FileToSave> hook_file(const parallel::CommHook& hook, const config::ParallelRecipe& recipe,
                                                parallel::Mesh& mesh) {
    if (!keeps_something(hook))
        return std::nullopt;
    return checkpoint::FileToSave{
        hook_name(mesh.rank()),
        Tree::dict({{"ranks", mesh.data().size()}, {"options", options_text(recipe)}, {"state", hook.state_dict()}})};
}

Message load_hook(parallel::CommHook& hook, const std::filesystem::path& folder, const config::ParallelRecipe& recipe,
                  parallel::Mesh& mesh) {
    const parallel::Communicator& ranks = mesh.data();
    if (!keeps_something(hook))
        return {};
    auto anew = [&](const Message& why) {
        return Message("the communication hook {} starts again: {}", recipe.comm_hook, why);
    };
    // Rank 0's file decides for all, so that all decide alike.
    if (!std::filesystem::exists(folder / hook_name(0)))
        return anew("the checkpoint has no state of it");
    const Tree first = checkpoint::read_torch_file(folder / hook_name(0), true);
    if (first.at("ranks").as_integer() != ranks.size())
        return anew(Message("its state in the checkpoint is of {} instead of {}",
                            text::ranks(first.at("ranks").as_integer()), ranks.size()));
    if (first.at("options").as_text() != options_text(recipe))
        return anew(Message("its state in the checkpoint was made with {}", first.at("options").as_text()));
    const Tree own = mesh.rank() == 0 ? first : checkpoint::read_torch_file(folder / hook_name(mesh.rank()), true);
    hook.load_state_dict(
        own.at("state").map_tensors([&](const at::Tensor& tensor) { return tensor.to(ranks.device()); }));
    return {};
}

checkpoint::FileToSave local_moments_file(const NamedTensors& moments, const parallel::Communicator& ranks) {
    Tree own = Tree::dict();
    if (ranks.rank() > 0)
        for (const auto& [name, tensor] : moments)
            own.set(name, tensor);
    return {moments_name(ranks.rank()), Tree::dict({{"ranks", ranks.size()}, {"moments", std::move(own)}})};
}

Message load_local_moments(const NamedTensors& moments, const std::filesystem::path& folder,
                           const parallel::Communicator& ranks) {
    auto same = [](const Message& why) {
        return Message("Local SGD continues with the optimizer's moments of rank 0 on every rank: {}", why);
    };
    // Rank 0's file decides for all, so that all decide alike.
    if (!std::filesystem::exists(folder / moments_name(0)))
        return same("the checkpoint has no others");
    const std::int64_t before = rank_count_in(folder / moments_name(0));
    if (before != ranks.size())
        return same(Message("those in the checkpoint are of {} instead of {}", text::ranks(before), ranks.size()));
    if (ranks.rank() == 0)
        return {};
    const std::filesystem::path file = folder / moments_name(ranks.rank());
    const Tree own = checkpoint::read_torch_file(file, true);
    for (const auto& [name, tensor] : moments) {
        const Tree* stored = own.at("moments").find(name);
        if (stored == nullptr || stored->as_tensor().sizes() != tensor.sizes())
            throw UserError(
                "{} has no '{}' of the shape that the model needs: it belongs to another "
                "model",
                file.string(), name);
        tensor.copy_(stored->as_tensor());
    }
    return {};
}

Message left_local_moments(const std::filesystem::path& folder) {
    if (!std::filesystem::exists(folder / moments_name(0)))
        return {};
    const std::int64_t before = rank_count_in(folder / moments_name(0));
    return Message(
        "the checkpoint is of Local SGD on {}: the optimizer continues with the moments of rank 0, those of the others "
        "are left out",
        text::ranks(before));
}

}  // namespace trainyard::train
