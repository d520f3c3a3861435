#include "train/data_loader.h"

#include <algorithm>

#include <ATen/ops/empty.h>

namespace trainyard::train {

DataLoader::DataLoader(const config::Recipe& recipe, DataShare share, at::Device device)
    : recipe_(recipe),
      share_(share),
      device_(device),
      corpus_(recipe.data),
      samples_per_step_(recipe.training.batch_size * recipe.training.gradient_accumulation_steps * share.ranks),
      evaluation_samples_(recipe.training.evaluate_batches == 0
                              ? corpus_.validation_blocks()
                              : std::min(corpus_.validation_blocks(),
                                         recipe.training.evaluate_batches * recipe.training.batch_size * share.ranks)),
      host_(
          at::empty({recipe.training.batch_size, recipe.data.sequence_length}, at::TensorOptions().dtype(at::kLong))) {}

std::int64_t DataLoader::block_at(std::int64_t sample) const {
    std::int64_t blocks = corpus_.training_blocks();
    std::int64_t epoch = sample / blocks, position = sample % blocks;
    if (!recipe_.data.shuffle)
        return position;
    if (epoch != epoch_) {
        order_ = std::make_unique<io::Permutation>(static_cast<std::uint64_t>(blocks), recipe_.training.seed,
                                                   static_cast<std::uint64_t>(epoch));
        epoch_ = epoch;
    }
    return static_cast<std::int64_t>((*order_)(static_cast<std::uint64_t>(position)));
}

Batch DataLoader::training_batch(std::int64_t samples, int micro) {
    // Micro-batches are the outer index, ranks the inner one: 1 rank with 2 micro-batches sees in each what 2 ranks see in one.
    std::int64_t batch = recipe_.training.batch_size, length = recipe_.data.sequence_length;
    std::int64_t first = (micro * share_.ranks + share_.rank) * batch;
    std::int64_t* out = host_.data_ptr<std::int64_t>();
    for (std::int64_t row = 0; row < batch; ++row)
        corpus_.copy_training_block(block_at(samples + first + row),
                                    {out + row * length, static_cast<std::size_t>(length)});
    return {device_.is_cpu() ? host_ : host_.to(device_), first};
}

Batch DataLoader::evaluation_batch(std::int64_t index) {
    std::int64_t batch = recipe_.training.batch_size, length = recipe_.data.sequence_length;
    std::int64_t first = (index * share_.ranks + share_.rank) * batch;
    std::int64_t rows = std::min(batch, evaluation_samples_ - first);
    if (rows <= 0)
        return {};
    std::int64_t* out = host_.data_ptr<std::int64_t>();
    for (std::int64_t row = 0; row < rows; ++row)
        corpus_.copy_validation_block(first + row, {out + row * length, static_cast<std::size_t>(length)});
    at::Tensor tokens = host_.narrow(0, 0, rows);
    return {device_.is_cpu() ? tokens : tokens.to(device_), first};
}

}  // namespace trainyard::train
