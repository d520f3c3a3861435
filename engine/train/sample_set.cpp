// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/sample_set.h"

#include <map>

#include "base/error.h"
#include "models/spec/tasks.h"
#include "train/corpus.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

std::unique_ptr<SampleSet> open_language(const config::Recipe& recipe) {
    if (recipe.data.chat != config::ChatFormat::no)
        return open_chats(recipe);
    return open_corpus(recipe.data, recipe.model.vocab_size);
}

using Open = std::unique_ptr<SampleSet> (*)(const config::Recipe& recipe);

const std::map<std::string, Open>& openers() {
    static const std::map<std::string, Open> table{{families::kCausalLm, open_language},
                                                   {families::kMaskedLm, open_language},
                                                   {families::kSequenceClassification, open_labelled_text},
                                                   {families::kTokenClassification, open_tagged_tokens},
                                                   {families::kSeq2SeqLm, open_text_pairs},
                                                   {families::kImageClassification, open_images},
                                                   {families::kSentenceEmbedding, open_sentence_pairs},
                                                   {families::kQuestionAnswering, open_questions},
                                                   {families::kMultipleChoice, open_choices},
                                                   {families::kSemanticSegmentation, open_segmented_images},
                                                   {families::kSpeechPretraining, open_speech}};
    return table;
}

}  // namespace

std::unique_ptr<SampleSet> open_samples(const config::Recipe& recipe) {
    if (!recipe.data.plugin.empty())
        return open_plugin_samples(recipe);
    const auto found = openers().find(recipe.model.task);
    if (found == openers().end())
        throw UserError("model.task: {} cannot be trained from a recipe in this version", recipe.model.task);
    return found->second(recipe);
}

}  // namespace trainyard::train
