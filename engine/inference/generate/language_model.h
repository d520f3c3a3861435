// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A language model for text generation, loaded with its tokenizer and adapters.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "formats/tokenizers/chat_template.h"
#include "inference/generate/generate.h"
#include "inference/generate/generation_config.h"
#include "inference/generate/loaded_model.h"
#include "inference/generate/text_stream.h"

namespace trainyard::generate {

class LanguageModel {
  public:
    /// Reads everything. Throws UserError with the file and what is wrong with it.
    explicit LanguageModel(const ModelSource& source);
    LanguageModel(const LanguageModel&) = delete;
    LanguageModel& operator=(const LanguageModel&) = delete;

    const Vocabulary& vocabulary() const { return vocabulary_; }
    /// The checkpoint that was loaded.
    const std::filesystem::path& folder() const { return loaded_.folder(); }
    std::int64_t context() const { return loaded_.config().n_positions; }
    std::int64_t parameter_count() const { return loaded_.parameter_count(); }
    const models::Model& model() const { return loaded_.model(); }
    /// The token that begins a text; -1: the model's files name none.
    std::int64_t bos_token() const {
        return defaults_.bos_token_id >= 0 ? defaults_.bos_token_id : loaded_.config().bos_token_id;
    }
    /// Placement of the weights. Not for a model in pipeline stages.
    const dispatch::Dispatched& dispatched() const { return loaded_.dispatched(); }
    const dispatch::DeviceMap& device_map() const { return loaded_.device_map(); }
    /// Sentences on the device map, the checkpoint and generation_config.json.
    const std::vector<Message>& warnings() const { return warnings_; }
    /// Defaults from the model's generation_config.json, for options that a request does not give.
    const GenerationOptions& default_options() const { return defaults_.options; }

    /// Continues a text. Without end tokens in `options` a text ends at those of default_options(), or of the
    /// tokenizer where the model's files name none. A prompt that is too long for the model is refused.
    Generated generate(const std::string& prompt, GenerationOptions options, const OnToken& on_token = {}) const;
    /// Continues several texts together (generate_batch()), which are those of each alone.
    std::vector<Generated> generate_batch(const std::vector<std::string>& prompts, GenerationOptions options,
                                          const OnTokenOf& on_token = {}) const;
    /// Whether the tokenizer has a chat template.
    bool can_chat() const;
    /// Writes the next reply of the assistant in a conversation, by the tokenizer's chat template.
    Generated chat(const std::vector<tokenizers::ChatMessage>& messages, GenerationOptions options,
                   const OnToken& on_token = {}) const;

  private:
    /// Tokens of a prompt, with the token that begins a text where it is needed.
    std::vector<std::int64_t> tokens_of(const std::string& prompt, const GenerationOptions& options) const;
    std::vector<Generated> continue_tokens(const std::vector<std::vector<std::int64_t>>& prompts,
                                           GenerationOptions options, const OnTokenOf& on_token) const;

    LoadedModel loaded_;
    Vocabulary vocabulary_;
    std::filesystem::path tokenizer_folder_;
    mutable std::optional<tokenizers::ChatFormat> chat_;  ///< read for the first conversation
    GenerationDefaults defaults_;
    std::vector<Message> warnings_;
};

/// Returns the tokenizer.json of a model: the one that `given` names, or else that in the first of its folders that has
/// one; empty: a token per byte, if there is no tokenizer and the model has at most 512 tokens. Throws UserError.
std::filesystem::path tokenizer_of(const std::filesystem::path& given, const LoadedModel& loaded);

/// Returns the tokenizer in the folder of a checkpoint, or the one that `given` names; the byte vocabulary if there is
/// no tokenizer and the model has at most 512 tokens. Throws UserError.
Vocabulary vocabulary_of(const std::filesystem::path& given, const std::filesystem::path& folder,
                         std::int64_t vocabulary_size);

}  // namespace trainyard::generate
