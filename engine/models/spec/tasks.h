// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a model is trained for. The names are those of transformers' AutoModelFor... classes in snake case.

#include <string>
#include <vector>

namespace trainyard::families {

inline constexpr const char* kCausalLm = "causal_lm";                              ///< the next token
inline constexpr const char* kMaskedLm = "masked_lm";                              ///< tokens that were masked
inline constexpr const char* kSequenceClassification = "sequence_classification";  ///< the class of a text, or of two
inline constexpr const char* kTokenClassification = "token_classification";        ///< the class of every token
inline constexpr const char* kSeq2SeqLm = "seq2seq_lm";                            ///< a text from a text: summaries
inline constexpr const char* kImageClassification = "image_classification";        ///< the class of an image
inline constexpr const char* kSentenceEmbedding = "sentence_embedding";            ///< similar texts are close together

inline constexpr const char* kQuestionAnswering = "question_answering";  ///< the part of a text that answers
inline constexpr const char* kMultipleChoice = "multiple_choice";        ///< which of several texts fits

inline constexpr const char* kSemanticSegmentation = "semantic_segmentation";  ///< the class of each pixel

inline constexpr const char* kSpeechPretraining = "speech_pretraining";  ///< the codes of masked parts of speech

/// Whether a model of the task reads text, as tokens.
inline bool reads_text(const std::string& task) {
    return task != kImageClassification && task != kSemanticSegmentation && task != kSpeechPretraining;
}
/// Whether a model of the task reads images.
inline bool reads_images(const std::string& task) {
    return task == kImageClassification || task == kSemanticSegmentation;
}

inline const std::vector<std::string>& task_names() {
    static const std::vector<std::string> names{kCausalLm,
                                                kMaskedLm,
                                                kSequenceClassification,
                                                kTokenClassification,
                                                kSeq2SeqLm,
                                                kImageClassification,
                                                kSentenceEmbedding,
                                                kQuestionAnswering,
                                                kMultipleChoice,
                                                kSemanticSegmentation,
                                                kSpeechPretraining};
    return names;
}

/// The class of transformers that builds a model of a task by its config.json.
inline std::string auto_class(const std::string& task) {
    if (task == kCausalLm)
        return "AutoModelForCausalLM";
    if (task == kMaskedLm)
        return "AutoModelForMaskedLM";
    if (task == kSequenceClassification)
        return "AutoModelForSequenceClassification";
    if (task == kTokenClassification)
        return "AutoModelForTokenClassification";
    if (task == kSeq2SeqLm)
        return "AutoModelForSeq2SeqLM";
    if (task == kQuestionAnswering)
        return "AutoModelForQuestionAnswering";
    if (task == kMultipleChoice)
        return "AutoModelForMultipleChoice";
    if (task == kSemanticSegmentation)
        return "AutoModelForSemanticSegmentation";
    if (task == kSpeechPretraining)
        return "AutoModelForPreTraining";
    return task == kImageClassification ? "AutoModelForImageClassification" : "AutoModel";
}

}  // namespace trainyard::families
