// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model with a head of classes, loaded to be used: of texts, words, images, pixels, and of answers in a text.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/inputs/image_processor.h"
#include "formats/tables/image.h"
#include "inference/generate/loaded_model.h"

namespace trainyard::inputs {
class QuestionTokens;
class SequenceTokens;
}  // namespace trainyard::inputs

namespace trainyard::predict {

/// What a model is asked. A model of texts reads `text` (and `second`), a model of images `image`.
struct Sample {
    std::string text;             ///< of question_answering the question
    std::string second;           ///< the second of two texts; of question_answering the text with the answer
    std::filesystem::path image;  ///< PNG or JPEG
    bool wants_mask = false;      ///< of semantic_segmentation: Prediction::mask is filled
};

/// A class and its score: a probability, the value of a regression, or a share of the pixels.
struct ClassScore {
    std::string name;
    double score = 0;
    void fields(auto& field) const {
        field("name", name);
        field("score", score).real();
    }
};

/// A word and its class.
struct LabelledText {
    std::string text;
    std::string label;
    double score = 0;  ///< probability
    void fields(auto& field) const {
        field("text", text)("label", label);
        field("score", score).real();
    }
};

/// A part of the text that may answer the question.
struct FoundSpan {
    std::string text;
    std::int64_t begin = 0, end = 0;  ///< characters of Sample::second: the first, and the one after the last
    double score = 0;                 ///< probability of its first token times that of its last one
    void fields(auto& field) const {
        field("text", text)("begin", begin)("end", end);
        field("score", score).real();
    }
};

struct Prediction {
    /// What the scores are: "classes" (probabilities that sum to 1), "labels" (each class for itself), "values" (of a
    /// regression), "words", "pixels" (shares of the image), "answers".
    std::string kind;
    std::vector<ClassScore> scores;  ///< highest first; values in the order of the classes
    std::vector<LabelledText> words;
    std::vector<FoundSpan> answers;      ///< likeliest first, each text once at a place
    double no_answer = 0;                ///< of "answers": the same of the token that stands for no answer
    formats::Image mask;                 ///< grey: the class of each pixel of the image
    std::vector<Message> notes;          ///< on the sample: a text that was cut
    std::int64_t height = 0, width = 0;  ///< of the image

    void fields(auto& field) const {
        field("kind", kind)("scores", scores)("words", words)("answers", answers)("notes", notes);
        field("height", height)("width", width);
        field("no_answer", no_answer).real();
    }
};

class Predictor {
  public:
    /// Reads everything. Throws UserError with the file and what is wrong with it.
    explicit Predictor(const generate::ModelSource& source);
    ~Predictor();
    Predictor(const Predictor&) = delete;
    Predictor& operator=(const Predictor&) = delete;

    const std::filesystem::path& folder() const { return loaded_.folder(); }
    const std::string& task() const { return loaded_.config().task; }
    std::int64_t parameter_count() const { return loaded_.parameter_count(); }
    const std::vector<std::string>& classes() const { return classes_; }
    /// Sentences on the device map and the checkpoint.
    const std::vector<Message>& warnings() const { return warnings_; }

    /// Throws UserError for a sample of the wrong kind, an image that cannot be read, or one that is too large.
    Prediction predict(const Sample& sample) const;

  private:
    /// Logits of the model for a sample, in the processor's memory.
    at::Tensor logits(parallel::StepContext& context) const;
    at::Tensor logits_of_tokens(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& types) const;
    Prediction of_text(const Sample& sample) const;
    Prediction of_words(const Sample& sample) const;
    Prediction of_image(const Sample& sample) const;
    Prediction of_question(const Sample& sample) const;
    std::vector<ClassScore> scores(const at::Tensor& logits, std::string& kind) const;

    generate::LoadedModel loaded_;
    config::Recipe recipe_;  ///< of the model and its tokenizer
    std::vector<std::string> classes_;
    std::vector<Message> warnings_;
    std::unique_ptr<inputs::SequenceTokens> tokens_;  ///< of models of texts but those of questions
    std::unique_ptr<inputs::QuestionTokens> questions_;
    std::optional<inputs::ImageProcessor> processor_;  ///< of models of images
};

}  // namespace trainyard::predict
