// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/language_model.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/spec/tasks.h"

namespace trainyard::generate {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kBytes = 256;

/// The first that has a tokenizer, else the model's.
fs::path folder_with_tokenizer(const LoadedModel& loaded) {
    std::error_code error;
    for (const fs::path& folder : loaded.folders())
        if (fs::exists(folder / "tokenizer.json", error))
            return folder;
    return loaded.folder();
}

/// Empty: a token per byte.
fs::path tokenizer_file(const fs::path& given, const fs::path& folder, std::int64_t vocabulary_size) {
    std::error_code error;
    fs::path file = given.empty() ? folder / "tokenizer.json" : given;
    if (fs::is_directory(file, error))
        file /= "tokenizer.json";
    if (!given.empty() || fs::exists(file, error))
        return file;
    if (vocabulary_size > 2 * kBytes)
        throw UserError(
            "{} has no tokenizer.json, and the model has {} tokens, which are not bytes: name its tokenizer "
            "(--tokenizer)",
            folder.string(), vocabulary_size);
    return {};
}

}  // namespace

Vocabulary vocabulary_of(const fs::path& given, const fs::path& folder, std::int64_t vocabulary_size) {
    const fs::path file = tokenizer_file(given, folder, vocabulary_size);
    return file.empty() ? Vocabulary() : Vocabulary(tokenizers::Tokenizer::from_file(file));
}

fs::path tokenizer_of(const fs::path& given, const LoadedModel& loaded) {
    return tokenizer_file(given, folder_with_tokenizer(loaded), loaded.config().vocab_size);
}

LanguageModel::LanguageModel(const ModelSource& source) : loaded_(source) {
    if (const std::string& task = loaded_.config().task; task != families::kCausalLm)
        throw UserError("{} is a model for {}, which does not continue texts", loaded_.folder().string(), task);
    tokenizer_folder_ = folder_with_tokenizer(loaded_);
    vocabulary_ = vocabulary_of(source.tokenizer, tokenizer_folder_, loaded_.config().vocab_size);
    std::error_code error;
    if (!source.tokenizer.empty())
        tokenizer_folder_ =
            fs::is_directory(source.tokenizer, error) ? source.tokenizer : source.tokenizer.parent_path();
    defaults_ = read_generation_defaults(loaded_.folder());
    if (defaults_.names_no_end)
        defaults_.options.eos_token_ids = vocabulary_.end_tokens();
    warnings_ = loaded_.warnings();
    warnings_.insert(warnings_.end(), defaults_.notes.begin(), defaults_.notes.end());
}

std::vector<std::int64_t> LanguageModel::tokens_of(const std::string& prompt, const GenerationOptions& options) const {
    std::vector<std::int64_t> tokens = vocabulary_.encode(prompt);
    const std::int64_t first = bos_token();
    if (options.add_bos && first < 0)
        throw UserError(
            "add_bos: neither generation_config.json nor config.json of {} has a bos_token_id: leave it out",
            folder().string());
    if (first >= 0 && (tokens.empty() || (options.add_bos && tokens.front() != first)))
        tokens.insert(tokens.begin(), first);
    if (tokens.empty())
        tokens = vocabulary_.encode("\n");
    return tokens;
}

namespace {

OnTokenOf of_one_prompt(const OnToken& on_token) {
    if (!on_token)
        return {};
    return [&on_token](std::size_t, std::int64_t token) { return on_token(token); };
}

}  // namespace

Generated LanguageModel::generate(const std::string& prompt, GenerationOptions options, const OnToken& on_token) const {
    const std::vector<std::int64_t> tokens = tokens_of(prompt, options);
    return std::move(continue_tokens({tokens}, std::move(options), of_one_prompt(on_token)).front());
}

std::vector<Generated> LanguageModel::generate_batch(const std::vector<std::string>& prompts, GenerationOptions options,
                                                     const OnTokenOf& on_token) const {
    std::vector<std::vector<std::int64_t>> tokens;
    for (const std::string& prompt : prompts)
        tokens.push_back(tokens_of(prompt, options));
    return continue_tokens(tokens, std::move(options), on_token);
}

bool LanguageModel::can_chat() const {
    return tokenizers::ChatFormat::has_template(tokenizer_folder_);
}

Generated LanguageModel::chat(const std::vector<tokenizers::ChatMessage>& messages, GenerationOptions options,
                              const OnToken& on_token) const {
    if (!chat_)
        chat_ = tokenizers::ChatFormat::of_folder(tokenizer_folder_);
    // The template has written the special tokens.
    std::vector<std::int64_t> tokens = vocabulary_.encode(chat_->prompt(messages), false);
    if (tokens.empty())
        throw UserError("the chat template of {} writes nothing for this conversation", tokenizer_folder_.string());
    return std::move(continue_tokens({tokens}, std::move(options), of_one_prompt(on_token)).front());
}

std::vector<Generated> LanguageModel::continue_tokens(const std::vector<std::vector<std::int64_t>>& prompts,
                                                      GenerationOptions options, const OnTokenOf& on_token) const {
    const config::ModelRecipe& config = loaded_.config();
    for (const std::vector<std::int64_t>& tokens : prompts)
        for (const std::int64_t token : tokens)
            if (token >= config.vocab_size)
                throw UserError(
                    "the tokenizer has the token {}, the model {} tokens: it is of another "
                    "model",
                    token, config.vocab_size);
    if (options.eos_token_ids.empty())
        options.eos_token_ids = defaults_.options.eos_token_ids;
    NextLogits next;
    if (dispatch::PipelinedModel* stages = loaded_.stages())
        next = [stages](const at::Tensor& piece, parallel::KeyValueCache& cache) { return stages->next(piece, cache); };
    else if (loaded_.is_compiled())
        next = [this](const at::Tensor& piece, parallel::KeyValueCache& cache) {
            return loaded_.next_compiled(piece, cache);
        };
    return generate::generate_batch(model(), prompts, config.n_positions, loaded_.first_device(), options, on_token,
                                    next);
}

}  // namespace trainyard::generate
