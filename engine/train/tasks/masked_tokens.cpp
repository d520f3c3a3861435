// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/tasks/masked_tokens.h"

#include <ATen/ops/full_like.h>

#include "base/error.h"
#include "base/philox.h"
#include "config/inputs/text_tokens.h"
#include "models/nn/kernels/cross_entropy.h"

namespace trainyard::train {

MaskedTokens::MaskedTokens(const config::Recipe& recipe)
    : seed_(recipe.training.seed),
      share_(recipe.data.mlm_probability),
      vocabulary_(recipe.model.vocab_size),
      mask_(recipe.model.vocab_size - 1),
      special_(static_cast<std::size_t>(recipe.model.vocab_size)) {
    if (recipe.data.tokenizer.empty()) {
        special_.back() = true;
        return;
    }
    const auto tokenizer = tokenizers::Tokenizer::from_file(inputs::tokenizer_file(recipe.data));
    std::optional<tokenizers::Id> mask;
    for (const char* name : {"[MASK]", "<mask>"})
        if (!mask)
            mask = tokenizer.id_of(name);
    if (!mask)
        throw UserError(
            "data.tokenizer: {} has no [MASK] or <mask>, which masked_lm needs: take the tokenizer "
            "of a masked language model",
            recipe.data.tokenizer);
    mask_ = *mask;
    for (std::size_t id = 0; id < special_.size(); ++id)
        special_[id] = tokenizer.is_special(static_cast<tokenizers::Id>(id));
}

Batch MaskedTokens::operator()(const Batch& batch, std::int64_t step) const {
    Batch made = batch;
    const at::Tensor given = batch.tokens.to(at::kCPU), wanted = batch.labels.to(at::kCPU);
    const at::Tensor tokens = given.clone(), labels = at::full_like(wanted, models::kIgnoredLabel);
    const std::int64_t rows = tokens.size(0), length = tokens.size(1);
    const auto* from = wanted.const_data_ptr<std::int64_t>();
    auto *ids = tokens.data_ptr<std::int64_t>(), *to = labels.data_ptr<std::int64_t>();
    made.targets = 0;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t position = 0; position < length; ++position) {
            const std::int64_t at = row * length + position;
            if (from[at] == models::kIgnoredLabel || special_[static_cast<std::size_t>(ids[at])])
                continue;
            const auto draws =
                philox(seed_, RandomStream::masking, static_cast<std::uint32_t>(step),
                       static_cast<std::uint32_t>(batch.first_sample + row), static_cast<std::uint64_t>(position));
            if (trainyard::uniform(draws[0]) >= share_)
                continue;
            to[at] = from[at];
            made.targets += 1;
            if (const float fate = trainyard::uniform(draws[1]); fate < 0.8f)
                ids[at] = mask_;
            else if (fate < 0.9f)
                ids[at] = static_cast<std::int64_t>(trainyard::uniform(draws[2]) * static_cast<float>(vocabulary_));
        }
    made.tokens = tokens.to(batch.tokens.device());
    made.labels = labels.to(batch.labels.device());
    return made;
}

}  // namespace trainyard::train
