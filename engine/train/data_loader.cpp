// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/data_loader.h"

#include <algorithm>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/error.h"
#include "config/inputs/byte_corpus.h"
#include "data/prepare_data_loader.h"
#include "data/rng_sync.h"
#include "data/rows.h"
#include "models/nn/kernels/cross_entropy.h"

namespace trainyard::train {

namespace {

/// Samples of a pass that never ends: more than any run sees, and far from where sums of places would overflow.
constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max() / 4;

/// A part of the samples as a data set. An index of a training sample is that of a pass without end: its epoch, times
/// the samples, and its number.
class PartOfSamples final : public data::Dataset {
  public:
    PartOfSamples(std::shared_ptr<const SampleSet> samples, bool held_out, std::int64_t size, std::int64_t length)
        : samples_(std::move(samples)), held_out_(held_out), size_(size), length_(length) {}

    std::int64_t size() const override { return held_out_ ? size_ : kEndless; }

    Tree get(std::int64_t index) const override {
        return get_batch({&index, 1}).map_tensors([](const at::Tensor& rows) { return rows.select(0, 0); });
    }

    Tree get_batch(std::span<const std::int64_t> indices) const override {
        if (!samples_)
            throw std::logic_error("a rank that does not open the data was to read it");
        if (held_out_)
            return samples_->batch(true, indices, length_);
        std::vector<std::int64_t> numbers, epochs;
        for (const std::int64_t index : indices) {
            numbers.push_back(index % size_);
            epochs.push_back(index / size_);
        }
        return samples_->batch_of_epochs(numbers, epochs, length_);
    }

  private:
    std::shared_ptr<const SampleSet> samples_;
    bool held_out_;
    std::int64_t size_, length_;
};

/// Positions of the training part: epochs one behind the other where they are joined, else each for itself.
std::shared_ptr<data::Sampler> training_order(std::int64_t samples, bool joined, bool shuffle, std::uint64_t seed) {
    auto at = [=](std::int64_t epoch, std::int64_t position) {
        if (joined) {
            epoch = position / samples;
            position %= samples;
        }
        const std::int64_t number = shuffle
                                        ? static_cast<std::int64_t>(inputs::Permutation(
                                              static_cast<std::uint64_t>(samples), seed,
                                              static_cast<std::uint64_t>(epoch))(static_cast<std::uint64_t>(position)))
                                        : position;
        return epoch * samples + number;
    };
    return std::make_shared<data::ComputedSampler>(joined ? kEndless : samples, kEndless, at);
}

/// Whether a label of the first `samples` samples is counted. Reads no further than the first such label.
bool has_targets(const SampleSet& set, bool held_out, std::int64_t samples, std::int64_t length) {
    constexpr std::int64_t kMostAtOnce = 64;
    std::vector<std::int64_t> indices;
    try {
        for (std::int64_t first = 0, count = 1; first < samples; first += count, count = kMostAtOnce) {
            indices.clear();
            for (std::int64_t i = first; i < std::min(samples, first + count); ++i)
                indices.push_back(i);
            if (set.batch(held_out, indices, length).at("targets").as_tensor().sum().item<std::int64_t>() > 0)
                return true;
        }
    } catch (const UserError&) {
        return true;  // reported where the sample is read to be trained on
    }
    return samples == 0;
}

data::Shard shard_among(const parallel::Communicator& ranks) {
    return {ranks.rank(), ranks.size()};
}

}  // namespace

DataLoader::DataLoader(const config::Recipe& recipe, parallel::Communicator& ranks, at::Device device,
                       parallel::PositionRuns positions)
    : DataLoader(recipe, shard_among(ranks), device,
                 recipe.data.dispatch_batches && ranks.rank() > 0 ? nullptr : open_samples(recipe),
                 recipe.data.dispatch_batches ? &ranks : nullptr, std::move(positions)) {}

DataLoader::DataLoader(const config::Recipe& recipe, data::Shard shard, at::Device device,
                       std::shared_ptr<const SampleSet> samples)
    : DataLoader(recipe, shard, device, std::move(samples), nullptr, {}) {}

DataLoader::DataLoader(const config::Recipe& recipe, data::Shard shard, at::Device device,
                       std::shared_ptr<const SampleSet> samples, parallel::Communicator* ranks,
                       parallel::PositionRuns positions)
    : recipe_(recipe),
      shard_(shard),
      device_(device),
      set_(std::move(samples)),
      ranks_(ranks),
      positions_(std::move(positions)),
      joined_(recipe.data.even_batches && recipe.data.join_epochs),
      micro_samples_(recipe.training.batch_size * shard.count) {
    if (set_)
        facts_ = {set_->training_samples(), set_->validation_samples(),
                  set_->targets_per_sample(recipe.data.sequence_length),
                  has_targets(*set_, false, set_->training_samples(), recipe.data.sequence_length)};
    if (ranks_ != nullptr && ranks_->size() > 1) {
        at::Tensor numbers = at::tensor({facts_.training_samples, facts_.validation_samples, facts_.targets_per_sample,
                                         std::int64_t{facts_.has_targets}},
                                        at::kLong)
                                 .to(ranks_->device());
        ranks_->broadcast(numbers, 0, "facts on the data");
        numbers = numbers.to(at::kCPU);
        const auto* number = numbers.const_data_ptr<std::int64_t>();
        facts_ = {number[0], number[1], number[2], number[3] != 0};
    }
    const std::int64_t wanted = recipe.training.evaluate_batches * micro_samples_;
    evaluation_samples_ = wanted == 0 ? facts_.validation_samples : std::min(facts_.validation_samples, wanted);
    training_ = make_loader(false);
    if (evaluation_samples_ > 0)
        held_out_ = make_loader(true);
}

std::unique_ptr<data::Loader> DataLoader::make_loader(bool held_out) {
    const std::int64_t samples = held_out ? evaluation_samples_ : facts_.training_samples;
    data::LoaderSpec spec;
    spec.dataset = std::make_shared<PartOfSamples>(set_, held_out, samples, recipe_.data.sequence_length);
    spec.batch_size = recipe_.training.batch_size;
    if (!held_out)
        spec.sampler = training_order(samples, joined_, recipe_.data.shuffle, recipe_.training.seed);
    spec.generator = data::seeded_generator(0);  // of nothing: the process' own stays as it is
    spec.num_workers = static_cast<int>(recipe_.data.num_workers);
    spec.prefetch_factor = static_cast<int>(recipe_.data.prefetch_factor);
    spec.pin_memory = ranks_ == nullptr;
    data::PrepareOptions options;
    options.shard = shard_;
    options.communicator = ranks_;
    // Batches are moved by finished_batch(), which counts their targets first.
    options.dispatch_batches = options.put_on_device = ranks_ != nullptr;
    options.device = ranks_ != nullptr ? at::Device(at::kCPU) : device_;
    options.even_batches = !held_out && recipe_.data.even_batches;
    options.rng_types = {};
    return data::prepare_data_loader(std::move(spec), options);
}

void DataLoader::require_targets() const {
    if (!facts_.has_targets)
        throw UserError(
            "data.path: no label of the {} training samples is counted, so nothing can "
            "be learnt: all are -100, masked, or cut off by data.sequence_length ({}). "
            "Check the labels, or make data.sequence_length larger",
            facts_.training_samples, recipe_.data.sequence_length);
}

std::vector<Message> DataLoader::remarks() const {
    std::vector<Message> sentences;
    if (set_)
        sentences = set_->remarks();
    if (set_ && !has_targets(*set_, true, evaluation_samples_, recipe_.data.sequence_length))
        sentences.push_back(
            Message("no label of {} that are held out is counted, so there is no eval/loss: check the labels, or make "
                    "data.validation_fraction or data.sequence_length larger",
                    text::samples(evaluation_samples_)));
    if (training_blocks() < samples_per_step() && recipe_.data.even_batches)
        sentences.push_back(
            Message("the data has {} to train on, and a step takes {} ({}): samples are repeated within a step; add "
                    "data, or lower training.batch_size",
                    text::samples(training_blocks()), samples_per_step(), text::ranks(shard_.count)));
    return sentences;
}

std::int64_t DataLoader::samples_after(std::int64_t samples) const {
    const std::int64_t whole = samples + samples_per_step();
    return joined_ ? whole : std::min(whole, (samples / training_blocks() + 1) * training_blocks());
}

std::int64_t DataLoader::samples_of_steps(std::int64_t steps) const {
    if (joined_)
        return steps * samples_per_step();
    const std::int64_t steps_of_epoch = (training_blocks() + samples_per_step() - 1) / samples_per_step();
    return steps / steps_of_epoch * training_blocks() + steps % steps_of_epoch * samples_per_step();
}

DataLoader::Place DataLoader::after(Place place) const {
    if (++place.micro == recipe_.training.gradient_accumulation_steps)
        place = {samples_after(place.samples), 0};
    return place;
}

bool DataLoader::begins_epoch(Place place) const {
    return !joined_ && place.micro == 0 && place.samples % training_blocks() == 0;
}

bool DataLoader::has_samples(Place place) const {
    return joined_ || place.samples % training_blocks() + place.micro * micro_samples_ < training_blocks();
}

std::int64_t DataLoader::first_row(int micro) const {
    return (micro * shard_.count + shard_.index) * recipe_.training.batch_size;
}

void DataLoader::read_from(Place place) {
    const std::int64_t epoch = joined_ ? 0 : place.samples / training_blocks();
    training_->load_state_dict(Tree::dict({{"epoch", epoch},
                                           {"samples", place.samples - epoch * training_blocks()},
                                           {"skip", std::int64_t{place.micro}},
                                           {"position", Tree()},
                                           {"in_pass", false},
                                           {"parts", std::int64_t{0}},
                                           {"source", Tree::dict()}}));
    training_->begin();
}

namespace {

/// Returns padding rows: their labels are not counted, and their inputs are valid for every model.
at::Tensor filling(const std::string& name, const at::Tensor& like, std::int64_t rows) {
    std::vector<std::int64_t> shape = like.sizes().vec();
    shape[0] = rows;
    if (name == "labels")
        return like.is_floating_point() ? at::full(shape, std::numeric_limits<double>::quiet_NaN(), like.options())
                                        : at::full(shape, models::kIgnoredLabel, like.options());
    return at::full(shape, name == "attention_mask" ? 1 : 0, like.options());
}

}  // namespace

Batch DataLoader::finished_batch(std::optional<Tree> read, std::int64_t first, std::int64_t rows) const {
    Batch batch;
    batch.first_sample = first;
    Tree like = read ? *read : Tree();
    std::int64_t here = read ? read->at("targets").as_tensor().size(0) : 0;
    if (here > 0)
        batch.targets = read->at("targets").as_tensor().sum().item<std::int64_t>();
    else if (set_)  // only its shapes
        like = set_->batch(false, std::vector<std::int64_t>{0}, recipe_.data.sequence_length);
    else
        like = Tree::dict({{"tokens", at::zeros({1, recipe_.data.sequence_length}, at::kLong)}});
    if ((here < rows || !positions_.empty()) && like.find("labels") == nullptr)  // they are no longer the tokens
        like.set("labels", like.at("tokens").as_tensor());
    for (const Tree::Entry& entry : like.entries()) {
        const std::string name = to_string(entry.key);
        if (name == "targets")
            continue;
        at::Tensor tensor = entry.value.as_tensor();
        if (here == 0)
            tensor = filling(name, tensor, rows);
        else if (here < rows)
            tensor = at::cat({tensor, filling(name, tensor, rows - here)});
        // The label after the last one of a run is another rank's, so labels are shifted before they are cut.
        if (!positions_.empty() && name == "labels") {
            tensor = parallel::select_positions(models::next_labels(tensor), 1, positions_);
            batch.targets = tensor.ne(models::kIgnoredLabel).sum().item<std::int64_t>();
        } else if (!positions_.empty() && name == "tokens") {
            tensor = parallel::select_positions(tensor, 1, positions_);
        }
        if (!device_.is_cpu())
            tensor = tensor.to(device_, /*non_blocking=*/true);
        if (name == "tokens")
            batch.tokens = tensor;
        else if (name == "labels")
            batch.labels = tensor;
        else if (name == "attention_mask")
            batch.attention_mask = tensor;
        else
            batch.inputs.emplace_back(name, tensor);
    }
    if (!batch.labels.defined())
        batch.labels = batch.tokens;
    return batch;
}

Batch DataLoader::training_batch(std::int64_t samples, int micro) {
    const Place wanted{samples, micro};
    if (expected_ != wanted || begins_epoch(wanted))
        read_from(wanted);
    expected_ = after(wanted);
    Batch batch = finished_batch(has_samples(wanted) ? training_->next() : std::nullopt, first_row(micro),
                                 recipe_.training.batch_size);
    batch.micro_batch = micro;
    return batch;
}

std::int64_t DataLoader::evaluation_batches() const {
    const std::int64_t batch = recipe_.training.batch_size, of_all = batch * shard_.count;
    const std::int64_t rest = evaluation_samples_ % of_all;
    return evaluation_samples_ / of_all + (rest > shard_.index * batch ? 1 : 0);
}

Batch DataLoader::evaluation_batch(std::int64_t index) {
    if (!held_out_)
        return {};
    if (index == 0)
        held_out_->begin();
    std::optional<Tree> read = held_out_->next();
    if (!read)
        return {};
    std::int64_t rows = read->at("targets").as_tensor().size(0);
    // The last step of a dispatching loader is filled up with repeated samples, which follow the others.
    if (ranks_ != nullptr && held_out_->at_end() && held_out_->remainder() > 0)
        rows = std::clamp<std::int64_t>(held_out_->remainder() - shard_.index * rows, 0, rows);
    if (rows == 0)
        return {};
    return finished_batch(data::rows_of(*read, 0, rows),
                          index * micro_samples_ + shard_.index * recipe_.training.batch_size, rows);
}

}  // namespace trainyard::train
