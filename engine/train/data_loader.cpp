#include "train/data_loader.h"

#include <algorithm>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "models/kernels/cross_entropy.h"

namespace trainyard::train {

DataLoader::DataLoader(const config::Recipe& recipe, DataShare share, at::Device device)
    : DataLoader(recipe, share, device, open_corpus(recipe.data, recipe.model.vocab_size)) {}

DataLoader::DataLoader(const config::Recipe& recipe, DataShare share, at::Device device, std::unique_ptr<Corpus> corpus)
    : recipe_(recipe),
      share_(share),
      device_(device),
      corpus_(std::move(corpus)),
      samples_per_step_(recipe.training.batch_size * recipe.training.gradient_accumulation_steps * share.ranks),
      evaluation_samples_(recipe.training.evaluate_batches == 0
                              ? corpus_->validation_samples()
                              : std::min(corpus_->validation_samples(),
                                         recipe.training.evaluate_batches * recipe.training.batch_size * share.ranks)),
      tokens_(
          at::empty({recipe.training.batch_size, recipe.data.sequence_length}, at::TensorOptions().dtype(at::kLong))),
      labels_(corpus_->has_labels() ? at::empty_like(tokens_) : tokens_) {}

std::int64_t DataLoader::block_at(std::int64_t sample) const {
    std::int64_t blocks = corpus_->training_samples();
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

template <class Place>
Batch DataLoader::fill(std::int64_t rows, std::int64_t first, bool held_out, Place place) {
    auto length = static_cast<std::size_t>(recipe_.data.sequence_length);
    auto* tokens = tokens_.data_ptr<std::int64_t>();
    auto* labels = labels_.data_ptr<std::int64_t>();
    Batch batch{tokens_.narrow(0, 0, rows), labels_.narrow(0, 0, rows), first,
                rows * (recipe_.data.sequence_length - 1)};
    for (std::int64_t row = 0; row < rows; ++row) {
        std::span<std::int64_t> own(labels + row * recipe_.data.sequence_length, corpus_->has_labels() ? length : 0);
        corpus_->copy(held_out, place(row), {tokens + row * recipe_.data.sequence_length, length}, own);
        if (!own.empty())
            batch.targets -= std::count(own.begin() + 1, own.end(), models::kIgnoredLabel);
    }
    if (!device_.is_cpu()) {
        batch.tokens = batch.tokens.to(device_);
        batch.labels = corpus_->has_labels() ? batch.labels.to(device_) : batch.tokens;
    }
    return batch;
}

Batch DataLoader::training_batch(std::int64_t samples, int micro) {
    // Micro-batches are the outer index, ranks the inner one: 1 rank with 2 micro-batches sees in each what 2 ranks see in one.
    std::int64_t batch = recipe_.training.batch_size;
    std::int64_t first = (micro * share_.ranks + share_.rank) * batch;
    return fill(batch, first, false, [&](std::int64_t row) { return block_at(samples + first + row); });
}

Batch DataLoader::evaluation_batch(std::int64_t index) {
    std::int64_t batch = recipe_.training.batch_size;
    std::int64_t first = (index * share_.ranks + share_.rank) * batch;
    std::int64_t rows = std::min(batch, evaluation_samples_ - first);
    if (rows <= 0)
        return {};
    return fill(rows, first, true, [&](std::int64_t row) { return first + row; });
}

}  // namespace trainyard::train
