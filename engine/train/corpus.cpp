// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/corpus.h"

#include <algorithm>
#include <cmath>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>

#include <fmt/format.h>

#include "base/error.h"
#include "config/inputs/byte_corpus.h"
#include "models/nn/kernels/cross_entropy.h"
#include "train/token_store.h"

namespace trainyard::train {

namespace {

class Bytes final : public Corpus {
  public:
    explicit Bytes(const config::DataRecipe& data) : text_(data) {}
    std::int64_t training_samples() const override { return text_.training_blocks(); }
    std::int64_t validation_samples() const override { return text_.validation_blocks(); }
    void copy(bool held_out, std::int64_t index, std::span<std::int64_t> tokens,
              std::span<std::int64_t>) const override {
        if (held_out)
            text_.copy_validation_block(index, tokens);
        else
            text_.copy_training_block(index, tokens);
    }

  private:
    inputs::ByteCorpus text_;
};

/// `samples` cut in two: at least one on either side when both are asked for.
std::int64_t held_out_of(std::int64_t samples, double fraction) {
    auto held_out = static_cast<std::int64_t>(std::ceil(static_cast<double>(samples) * fraction));
    return fraction > 0 ? std::min(held_out, samples - 1) : 0;
}

/// All documents one behind the other, cut in samples.
class Packed final : public Corpus {
  public:
    Packed(const config::DataRecipe& data, std::unique_ptr<TokenStore> store)
        : store_(std::move(store)), length_(data.sequence_length) {
        std::int64_t samples = store_->tokens() / length_;
        if (samples == 0)
            throw UserError(
                "data.path: the data has {} tokens, less than one sample of data.sequence_length "
                "({}): add data or shorten the samples",
                store_->tokens(), length_);
        held_out_ = held_out_of(samples, data.validation_fraction);
        training_ = samples - held_out_;
    }
    std::int64_t training_samples() const override { return training_; }
    std::int64_t validation_samples() const override { return held_out_; }
    std::vector<Message> remarks() const override { return store_->remarks(); }
    void copy(bool held_out, std::int64_t index, std::span<std::int64_t> tokens,
              std::span<std::int64_t>) const override {
        store_->copy((index + (held_out ? training_ : 0)) * length_, tokens);
    }

  private:
    std::unique_ptr<TokenStore> store_;
    std::int64_t length_, training_ = 0, held_out_ = 0;
};

/// One document a sample: cut off at its end, or filled up with tokens that are not counted.
class Documents final : public Corpus {
  public:
    Documents(const config::DataRecipe& data, std::unique_ptr<TokenStore> store) : store_(std::move(store)) {
        held_out_ = held_out_of(store_->documents(), data.validation_fraction);
        training_ = store_->documents() - held_out_;
    }
    std::int64_t training_samples() const override { return training_; }
    std::int64_t validation_samples() const override { return held_out_; }
    std::vector<Message> remarks() const override { return store_->remarks(); }
    bool has_labels() const override { return true; }
    void copy(bool held_out, std::int64_t index, std::span<std::int64_t> tokens,
              std::span<std::int64_t> labels) const override {
        std::int64_t document = index + (held_out ? training_ : 0), begin = store_->begin_of(document);
        auto own = std::min(tokens.size(), static_cast<std::size_t>(store_->end_of(document) - begin));
        store_->copy(begin, tokens.first(own));
        std::fill(tokens.begin() + static_cast<std::ptrdiff_t>(own), tokens.end(), 0);
        auto rest = std::copy_n(tokens.begin(), own, labels.begin());
        std::fill(rest, labels.end(), models::kIgnoredLabel);
    }

  private:
    std::unique_ptr<TokenStore> store_;
    std::int64_t training_ = 0, held_out_ = 0;
};

}  // namespace

Tree Corpus::batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t wanted) const {
    const auto rows = static_cast<std::int64_t>(indices.size());
    const auto length = static_cast<std::size_t>(wanted);
    const at::Tensor tokens = at::empty({rows, wanted}, at::kLong);
    const at::Tensor targets = at::full({rows}, wanted - 1, at::kLong);
    const at::Tensor labels = has_labels() ? at::empty_like(tokens) : at::Tensor();
    for (std::size_t row = 0; row < indices.size(); ++row) {
        std::span<std::int64_t> own;
        if (labels.defined())
            own = {labels.data_ptr<std::int64_t>() + row * length, length};
        copy(held_out, indices[row], {tokens.data_ptr<std::int64_t>() + row * length, length}, own);
        if (!own.empty())
            targets.data_ptr<std::int64_t>()[row] -= std::count(own.begin() + 1, own.end(), models::kIgnoredLabel);
    }
    Tree made = Tree::dict({{"tokens", tokens}, {"targets", targets}});
    if (labels.defined())
        made.set("labels", labels);
    return made;
}

std::unique_ptr<Corpus> open_corpus(const config::DataRecipe& data, std::int64_t vocabulary) {
    if (data.format == config::DataFormat::bytes)
        return std::make_unique<Bytes>(data);
    auto store = std::make_unique<TokenStore>(data);
    if (std::int64_t largest = store->largest(); largest >= vocabulary)
        throw UserError(
            "model.vocab_size: the data holds the token {}, so it must be at least {}, "
            "not {}",
            largest, largest + 1, vocabulary);
    if (data.pack)
        return std::make_unique<Packed>(data, std::move(store));
    return std::make_unique<Documents>(data, std::move(store));
}

}  // namespace trainyard::train
