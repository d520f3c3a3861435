// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/samples.h"

#include <fmt/format.h>

#include "base/error.h"
#include "config/inputs/model_folder.h"
#include "config/inputs/text_tokens.h"
#include "inference/generate/generate.h"
#include "inference/generate/language_model.h"

namespace trainyard::worker {

namespace {

/// Those of the files beside model.weights, unless the recipe has chosen another one; else the recipe's or the
/// tokenizer's.
std::vector<std::int64_t> end_tokens_of(const config::ModelRecipe& model, const generate::Vocabulary& vocabulary) {
    std::error_code error;
    const std::filesystem::path weights = model.weights;
    if (!weights.empty() && inputs::keeps_end_tokens(model, weights)) {
        const generate::GenerationDefaults defaults = generate::read_generation_defaults(
            std::filesystem::is_directory(weights, error) ? weights : weights.parent_path());
        if (!defaults.names_no_end)
            return defaults.options.eos_token_ids;
    }
    if (model.eos_token_id >= 0)
        return {model.eos_token_id};
    return vocabulary.end_tokens();
}

}  // namespace

Samples::Samples(const config::Recipe& recipe) : recipe_(recipe) {
    if (recipe.generation.every > 0 && !recipe.data.tokenizer.empty())
        vocabulary_ = generate::vocabulary_of(inputs::tokenizer_file(recipe.data), {}, recipe.model.vocab_size);
    if (recipe.generation.every > 0)
        end_tokens_ = end_tokens_of(recipe.model, vocabulary_);
}

std::vector<Sample> Samples::write(train::Trainer& trainer, std::int64_t step) const {
    const config::GenerationRecipe& wanted = recipe_.generation;
    generate::GenerationOptions options;
    options.max_new_tokens = wanted.max_new_tokens;
    options.do_sample = wanted.do_sample;
    options.temperature = wanted.temperature;
    options.top_k = wanted.top_k;
    options.top_p = wanted.top_p;
    options.eos_token_ids = end_tokens_;
    options.seed = recipe_.training.seed + static_cast<std::uint64_t>(step);
    generate::NextLogits next;
    if (trainer.writes_together())
        next = [&](const at::Tensor& tokens, parallel::KeyValueCache& cache) {
            return trainer.next_logits(tokens, cache);
        };
    std::vector<std::string> prompts = wanted.prompts;
    if (prompts.empty())
        prompts.emplace_back("\n");
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        Sample sample{fmt::format("samples/{}", i + 1), {}};
        std::vector<std::int64_t> prompt = vocabulary_.encode(prompts[i]);
        if (std::ssize(prompt) >= recipe_.model.n_positions)  // the newest of it
            prompt.erase(prompt.begin(), prompt.end() - recipe_.model.n_positions / 2);
        try {
            const generate::Generated made = generate::generate(trainer.model(), prompt, recipe_.model.n_positions,
                                                                trainer.device(), options, {}, next);
            generate::TextStream stream(vocabulary_);
            sample.text = prompts[i];
            for (const std::int64_t token : made.tokens)
                sample.text += stream.add(token);
            sample.text += stream.finish();
        } catch (const UserError& error) {
            sample.text = Message("no sample: {}", message_of(error));
        }
        samples.push_back(std::move(sample));
    }
    return samples;
}

}  // namespace trainyard::worker
