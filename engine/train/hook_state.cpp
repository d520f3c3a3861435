#include "train/hook_state.h"

#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>

#include <fmt/format.h>

#include "checkpoint/torch_archive.h"
#include "tensors/wire.h"

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

checkpoint::FilesToSave hook_files_on_first(checkpoint::FileToSave own, parallel::Communicator& ranks) {
    const auto numbers = at::TensorOptions(at::kLong), bytes_type = at::TensorOptions(at::kByte);
    const std::string name = "state of the communication hook";
    if (ranks.rank() > 0) {
        std::vector<std::uint8_t> bytes = to_bytes(std::get<Tree>(own.content));
        const auto count = static_cast<std::int64_t>(bytes.size());
        ranks.send(at::full({1}, count, numbers).to(ranks.device()), 0, name).wait();
        ranks.send(at::from_blob(bytes.data(), {count}, bytes_type).to(ranks.device()), 0, name).wait();
        return {};
    }
    checkpoint::FilesToSave files{std::move(own)};
    for (int rank = 1; rank < ranks.size(); ++rank) {
        const at::Tensor count = at::empty({1}, numbers.device(ranks.device()));
        ranks.receive(count, rank, name).wait();
        at::Tensor bytes = at::empty({count.cpu().item<std::int64_t>()}, bytes_type.device(ranks.device()));
        ranks.receive(bytes, rank, name).wait();
        bytes = bytes.cpu();
        files.push_back({file_name(rank),
                         from_bytes({bytes.const_data_ptr<std::uint8_t>(), static_cast<std::size_t>(bytes.numel())})});
    }
    return files;
}

std::string load_hook(parallel::CommHook& hook, const std::filesystem::path& folder,
                      const config::ParallelRecipe& recipe, const parallel::Communicator& ranks) {
    if (!keeps_something(hook))
        return {};
    const std::string anew = fmt::format("the communication hook {} starts anew: ", recipe.comm_hook);
    // Rank 0's file decides for all, so that all decide alike.
    if (!std::filesystem::exists(folder / file_name(0)))
        return anew + "the checkpoint has no state of it";
    const Tree first = checkpoint::read_torch_file(folder / file_name(0), true);
    if (first.at("ranks").as_integer() != ranks.size())
        return anew + fmt::format("its state in the checkpoint is of {} ranks, here are {}",
                                  first.at("ranks").as_integer(), ranks.size());
    if (first.at("options").as_text() != options_text(recipe))
        return anew + fmt::format("its state in the checkpoint was made with {}", first.at("options").as_text());
    const Tree own = ranks.rank() == 0 ? first : checkpoint::read_torch_file(folder / file_name(ranks.rank()), true);
    hook.load_state_dict(
        own.at("state").map_tensors([&](const at::Tensor& tensor) { return tensor.to(ranks.device()); }));
    return {};
}

}  // namespace trainyard::train
