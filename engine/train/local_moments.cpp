#include "train/local_moments.h"

#include <fmt/format.h>

#include "base/error.h"
#include "checkpoint/torch_archive.h"

namespace trainyard::train {

namespace {

std::string name_of_moments(int rank) {
    return fmt::format("local_moments_{}.bin", rank);
}

}  // namespace

checkpoint::FileToSave local_moments_file(const NamedTensors& moments, const parallel::Communicator& ranks) {
    Tree own = Tree::dict();
    if (ranks.rank() > 0)
        for (const auto& [name, tensor] : moments)
            own.set(name, tensor);
    return {name_of_moments(ranks.rank()), Tree::dict({{"ranks", ranks.size()}, {"moments", std::move(own)}})};
}

Message load_local_moments(const NamedTensors& moments, const std::filesystem::path& folder,
                           const parallel::Communicator& ranks) {
    auto same = [](const Message& why) {
        return Message("Local SGD goes on with the optimizer's moments of rank 0 on every rank: {}", why);
    };
    // Rank 0's file decides for all, so that all decide alike.
    if (!std::filesystem::exists(folder / name_of_moments(0)))
        return same("the checkpoint has no others");
    const std::int64_t before = checkpoint::read_torch_file(folder / name_of_moments(0), true).at("ranks").as_integer();
    if (before != ranks.size())
        return same(Message("those in the checkpoint are of {} ranks, here are {}", before, ranks.size()));
    if (ranks.rank() == 0)
        return {};
    const std::filesystem::path file = folder / name_of_moments(ranks.rank());
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
    if (!std::filesystem::exists(folder / name_of_moments(0)))
        return {};
    const std::int64_t before = checkpoint::read_torch_file(folder / name_of_moments(0), true).at("ranks").as_integer();
    return Message(
        "the checkpoint is of Local SGD on {} ranks: the optimizer goes on with the moments of "
        "rank 0, those of the others are left out",
        before);
}

}  // namespace trainyard::train
