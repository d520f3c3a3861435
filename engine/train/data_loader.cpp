#include "train/data_loader.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <fmt/format.h>

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
                                         recipe.training.evaluate_batches * recipe.training.batch_size * share.ranks)) {
}

std::vector<std::string> DataLoader::remarks() const {
    std::vector<std::string> sentences;
    if (std::string left_out = corpus_->left_out(); !left_out.empty())
        sentences.push_back(std::move(left_out));
    if (training_blocks() < samples_per_step_)
        sentences.push_back(
            fmt::format("the data has {} samples to train on, and a step takes {} ({} rank{}): samples are repeated "
                        "within a step; add data, or lower training.batch_size",
                        training_blocks(), samples_per_step_, share_.ranks, share_.ranks == 1 ? "" : "s"));
    return sentences;
}

std::int64_t DataLoader::block_at(std::int64_t sample) {
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

Tree DataLoader::read(const std::vector<std::int64_t>& rows, bool held_out) const {
    auto length = static_cast<std::size_t>(recipe_.data.sequence_length);
    at::Tensor tokens = at::empty({static_cast<std::int64_t>(rows.size()), recipe_.data.sequence_length},
                                  at::TensorOptions().dtype(at::kLong));
    at::Tensor labels = corpus_->has_labels() ? at::empty_like(tokens) : tokens;
    auto targets = static_cast<std::int64_t>(rows.size() * (length - 1));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::span<std::int64_t> own(labels.data_ptr<std::int64_t>() + row * length, corpus_->has_labels() ? length : 0);
        corpus_->copy(held_out, rows[row], {tokens.data_ptr<std::int64_t>() + row * length, length}, own);
        if (!own.empty())
            targets -= std::count(own.begin() + 1, own.end(), models::kIgnoredLabel);
    }
    Tree batch = Tree::dict({{"tokens", tokens}, {"targets", targets}});
    if (corpus_->has_labels())
        batch.set("labels", labels);
    return batch;
}

Batch DataLoader::placed(const Tree& read, std::int64_t first) const {
    auto on_device = [&](const at::Tensor& tensor) {
        return device_.is_cpu() ? tensor : tensor.to(device_, /*non_blocking=*/true);
    };
    at::Tensor tokens = on_device(read.at("tokens").as_tensor());
    const Tree* labels = read.find("labels");
    return {tokens, labels != nullptr ? on_device(labels->as_tensor()) : tokens, first, read.at("targets").as_integer(),
            0};
}

DataLoader::Place DataLoader::after(Place place) const {
    if (++place.micro == recipe_.training.gradient_accumulation_steps)
        place = {place.samples + samples_per_step_, 0};
    return place;
}

data::BatchJob DataLoader::job_at(Place place) {
    std::int64_t first = first_row(place.micro);
    std::vector<std::int64_t> rows(static_cast<std::size_t>(recipe_.training.batch_size));
    for (std::size_t row = 0; row < rows.size(); ++row)
        rows[row] = block_at(place.samples + first + static_cast<std::int64_t>(row));
    return [this, rows = std::move(rows)] { return data::HostBatch{read(rows, false), 0, -1, {}}; };
}

void DataLoader::read_ahead_from(Place place) {
    constexpr int kThreads = 1, kAhead = 2;  // a batch is copied in far less time than it is trained on
    reader_.reset();
    expected_ = next_read_ = place;
    auto source = [this]() -> std::optional<data::BatchJob> {
        return job_at(std::exchange(next_read_, after(next_read_)));
    };
    reader_ = std::make_unique<data::Prefetcher>(std::move(source), kThreads, kAhead, !device_.is_cpu());
}

std::int64_t DataLoader::first_row(int micro) const {
    // Micro-batches are the outer index, ranks the inner one: 1 rank with 2 micro-batches sees in each what 2 ranks see in one.
    return (micro * share_.ranks + share_.rank) * recipe_.training.batch_size;
}

Batch DataLoader::training_batch(std::int64_t samples, int micro) {
    Place wanted{samples, micro};
    if (!reader_ || !(expected_ == wanted))
        read_ahead_from(wanted);
    expected_ = after(wanted);
    Batch batch = placed(reader_->next().value().batch, first_row(micro));
    batch.micro_batch = micro;
    return batch;
}

std::int64_t DataLoader::evaluation_batches() const {
    const std::int64_t batch = recipe_.training.batch_size, of_all = batch * share_.ranks;
    const std::int64_t rest = evaluation_samples_ % of_all;
    return evaluation_samples_ / of_all + (rest > share_.rank * batch ? 1 : 0);
}

Batch DataLoader::evaluation_batch(std::int64_t index) {
    std::int64_t batch = recipe_.training.batch_size;
    std::int64_t first = (index * share_.ranks + share_.rank) * batch;
    std::int64_t count = std::min(batch, evaluation_samples_ - first);
    if (count <= 0)
        return {};
    std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), first);
    return placed(read(rows, true), first);
}

}  // namespace trainyard::train
