// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/predict/predictor.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_upsample_nearest_exact2d.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>

#include "base/error.h"
#include "config/inputs/question_parts.h"
#include "config/inputs/sequence_tokens.h"
#include "inference/generate/language_model.h"
#include "models/nn/kernels/products.h"
#include "models/spec/encoder/encoder_options.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"
#include "train/tasks/image_pixels.h"

namespace trainyard::predict {

namespace {

using families::kImageClassification;
using families::kQuestionAnswering;
using families::kSemanticSegmentation;
using families::kSequenceClassification;
using families::kTokenClassification;

/// Parts of a text in which an answer is looked for: about 200,000 tokens of a usual model.
constexpr std::size_t kMostParts = 512;
/// Answers that are kept.
constexpr std::size_t kMostAnswers = 20;

/// Pixels of an image that a model of any size computes whole: its memory grows with them.
constexpr std::int64_t kMostPixels = 4'000'000;

bool is_served(const std::string& task) {
    return task == kSequenceClassification || task == kTokenClassification || task == kImageClassification ||
           task == kSemanticSegmentation || task == kQuestionAnswering;
}

std::vector<double> numbers_of(const at::Tensor& row) {
    const at::Tensor host = row.to(at::kCPU, at::kDouble).contiguous();
    return {host.const_data_ptr<double>(), host.const_data_ptr<double>() + host.numel()};
}

/// Words at white space; marks at their ends are words of their own, as in the data that models of words are trained
/// with.
std::vector<std::string> words_of(const std::string& text) {
    constexpr std::string_view kSpace = " \t\r\n\f\v", kMarks = ".,;:!?()[]{}\"'";
    std::vector<std::string> words;
    for (std::size_t at = text.find_first_not_of(kSpace); at != std::string::npos;
         at = text.find_first_not_of(kSpace, at)) {
        std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
        const std::size_t next = end;
        for (; at < end && kMarks.find(text[at]) != std::string_view::npos; ++at)
            words.emplace_back(1, text[at]);
        std::size_t marks = end;
        while (marks > at && kMarks.find(text[marks - 1]) != std::string_view::npos)
            --marks;
        if (marks > at)
            words.push_back(text.substr(at, marks - at));
        for (; marks < end; ++marks)
            words.emplace_back(1, text[marks]);
        at = next;
    }
    return words;
}

using Place = std::pair<std::int64_t, std::int64_t>;  ///< characters of an answer

/// The first kMostAnswers, likeliest first.
std::vector<std::pair<Place, double>> likeliest(std::vector<std::pair<Place, double>> all) {
    const std::size_t kept = std::min(all.size(), kMostAnswers);
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(kept), std::ranges::greater(),
                              [](const auto& one) { return one.second; });
    all.resize(kept);
    return all;
}

}  // namespace

Predictor::Predictor(const generate::ModelSource& source) : loaded_(source) {
    const std::string& task = this->task();
    if (task == families::kCausalLm)
        throw UserError("{} is a model that continues texts and has no classes: give it a prompt (trainyard generate)",
                        folder().string());
    if (!is_served(task))
        throw UserError("{} is a model for {}: models for {}, {}, {}, {} and {} can be tried", folder().string(), task,
                        kSequenceClassification, kTokenClassification, kQuestionAnswering, kImageClassification,
                        kSemanticSegmentation);
    if (loaded_.is_compiled())
        throw UserError("a compiled package continues texts: leave it out for a model of {}", task);
    warnings_ = loaded_.warnings();
    recipe_.model = loaded_.config();
    recipe_.model.weights = folder().string();
    classes_ = families::label_names(recipe_.model);
    if (families::reads_text(task)) {
        recipe_.data.tokenizer = generate::tokenizer_of(source.tokenizer, loaded_).string();
        recipe_.data.sequence_length = families::most_tokens(recipe_.model);
        if (task == kQuestionAnswering)
            questions_ = std::make_unique<inputs::QuestionTokens>(recipe_);
        else
            tokens_ = std::make_unique<inputs::SequenceTokens>(recipe_);
    } else {
        processor_ = inputs::image_processor_of(recipe_);
        if (!processor_->from_file)
            warnings_.push_back(
                Message("{} has no preprocessor_config.json: the image is normalised with mean 0.5 and deviation 0.5, "
                        "so put the file there if the weights were trained with others",
                        folder().string()));
    }
}

Predictor::~Predictor() = default;

Prediction Predictor::predict(const Sample& sample) const {
    at::NoGradGuard no_grad;
    const models::InUse in_use;
    if (families::reads_images(task())) {
        if (sample.image.empty())
            throw UserError("{} is a model for {}: give it an image", folder().string(), task());
        return of_image(sample);
    }
    if (!sample.image.empty())
        throw UserError("{} is a model for {}, which reads texts: give it a text instead of an image",
                        folder().string(), task());
    if (sample.text.empty())
        throw UserError("the text is empty: give at least one word");
    if (task() == kQuestionAnswering)
        return of_question(sample);
    return task() == kTokenClassification ? of_words(sample) : of_text(sample);
}

at::Tensor Predictor::logits(parallel::StepContext& context) const {
    at::Tensor logits;
    context.training = false;
    context.logits = &logits;
    loaded_.model().forward(context);
    return logits.to(at::kCPU, at::kFloat);
}

at::Tensor Predictor::logits_of_tokens(const std::vector<std::int64_t>& ids,
                                       const std::vector<std::int64_t>& types) const {
    if (ids.empty())
        throw UserError("the tokenizer makes no token of this text: give another one");
    for (const std::int64_t id : ids)
        if (id >= recipe_.model.vocab_size)
            throw UserError("the tokenizer has the token {}, the model {} tokens: it is of another model", id,
                            recipe_.model.vocab_size);
    const c10::Device device = loaded_.first_device();
    parallel::StepContext context;
    context.tokens = at::tensor(ids, at::kLong).unsqueeze(0).to(device);
    context.attention_mask = at::full({1, std::ssize(ids)}, 1, at::kLong).to(device);
    if (recipe_.model.type_vocab_size > 1)
        context.inputs.emplace_back("token_type_ids", at::tensor(types, at::kLong).unsqueeze(0).to(device));
    return logits(context);
}

std::vector<ClassScore> Predictor::scores(const at::Tensor& logits, std::string& kind) const {
    const std::string problem = families::problem_of(recipe_.model);
    const at::Tensor row = logits.reshape({-1}).to(at::kDouble);
    kind = problem == families::kRegression ? "values" : problem == families::kMultiLabel ? "labels" : "classes";
    const std::vector<double> numbers = numbers_of(kind == "values"   ? row
                                                   : kind == "labels" ? row.sigmoid()
                                                                      : row.softmax(0));
    std::vector<ClassScore> made;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        made.push_back({i < classes_.size() ? classes_[i] : "LABEL_" + std::to_string(i), numbers[i]});
    if (kind != "values")
        std::ranges::stable_sort(made, std::ranges::greater(), &ClassScore::score);
    return made;
}

Prediction Predictor::of_text(const Sample& sample) const {
    const inputs::SequenceTokens::Encoded encoded = tokens_->encode(sample.text, sample.second);
    Prediction made;
    made.scores = scores(logits_of_tokens(encoded.ids, encoded.types), made.kind);
    if (std::cmp_greater_equal(encoded.ids.size(), recipe_.data.sequence_length))
        made.notes.push_back(Message("the model sees {} tokens at once: the rest of the text does not count",
                                     recipe_.data.sequence_length));
    return made;
}

Prediction Predictor::of_words(const Sample& sample) const {
    const std::vector<std::string> words = words_of(sample.text);
    const inputs::WordTokens encoded = inputs::word_tokens(*tokens_, words);
    const std::vector<std::int64_t> types(encoded.ids.size(), 0);
    const at::Tensor probabilities =
        logits_of_tokens(encoded.ids, types).squeeze(0).to(at::kDouble).softmax(-1).contiguous();  // [tokens, classes]
    const at::Tensor found = probabilities.argmax(-1).contiguous();
    Prediction made;
    made.kind = "words";
    std::size_t cut = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (encoded.first[i] < 0) {
            ++cut;
            continue;
        }
        const std::int64_t number = found.const_data_ptr<std::int64_t>()[encoded.first[i]];
        made.words.push_back(
            {words[i], classes_.at(static_cast<std::size_t>(number)),
             probabilities.const_data_ptr<double>()[encoded.first[i] * probabilities.size(1) + number]});
    }
    if (cut > 0)
        made.notes.push_back(Message("the model sees {} tokens at once: {} words at the end have no class",
                                     recipe_.data.sequence_length, cut));
    return made;
}

/// As transformers' question-answering pipeline: probabilities over the tokens of a part of the text and the token that
/// stands for no answer.
Prediction Predictor::of_question(const Sample& sample) const {
    const auto has_word = [](const std::string& text) {
        return text.find_first_not_of(" \t\r\n") != std::string::npos;
    };
    if (!has_word(sample.text))
        throw UserError("the question is empty: give at least one word");
    if (!has_word(sample.second))
        throw UserError("{} finds the answer of a question in a text: give that text, too (--second-text)",
                        folder().string());
    std::vector<inputs::QuestionPart> parts;
    try {
        parts = questions_->parts(sample.text, sample.second);
    } catch (const UserError& error) {
        throw UserError("{}: give a shorter question", error.message());
    }
    if (parts.size() > kMostParts)
        throw UserError("the text has {} parts of {} tokens, and {} are looked at: give a shorter one", parts.size(),
                        recipe_.data.sequence_length, kMostParts);
    Prediction made;
    made.kind = "answers";
    made.no_answer = 1;
    std::map<Place, double> found;  // probability
    for (const inputs::QuestionPart& part : parts) {
        const at::Tensor logits = logits_of_tokens(part.ids, part.types).squeeze(0).to(at::kDouble);  // [tokens, 2]
        const std::int64_t count = std::ssize(part.offsets);
        if (count == 0)
            continue;
        const auto likely = [&](std::int64_t column) {
            const at::Tensor of_text = logits.select(1, column).slice(0, part.first, part.first + count);
            return numbers_of(at::cat({logits.select(1, column).slice(0, 0, 1), of_text}).softmax(0));
        };
        const std::vector<double> begins = likely(0), ends = likely(1);  // the first is "no answer"
        made.no_answer = std::min(made.no_answer, begins[0] * ends[0]);
        std::vector<std::pair<Place, double>> own;
        for (std::int64_t from = 0; from < count; ++from)
            for (std::int64_t to = from; to < std::min(count, from + recipe_.data.max_answer_length); ++to)
                own.push_back({{part.offsets[static_cast<std::size_t>(from)].first,
                                part.offsets[static_cast<std::size_t>(to)].second},
                               begins[static_cast<std::size_t>(from + 1)] * ends[static_cast<std::size_t>(to + 1)]});
        for (const auto& [place, score] : likeliest(std::move(own)))
            found[place] = std::max(found[place], score);
    }
    for (const auto& [place, score] : likeliest({found.begin(), found.end()}))
        made.answers.push_back(
            {inputs::characters_of(sample.second, place.first, place.second), place.first, place.second, score});
    if (parts.size() > 1)
        made.notes.push_back(
            Message("the text is longer than the {} tokens that the model sees at once: {} parts of "
                    "it are compared",
                    recipe_.data.sequence_length, parts.size()));
    return made;
}

Prediction Predictor::of_image(const Sample& sample) const {
    const formats::Image image = formats::read_image(
        sample.image, recipe_.model.num_channels == 1 ? formats::ImageMode::grey : formats::ImageMode::rgb);
    const std::int64_t size = families::family_of(recipe_.model).image_size(recipe_.model);
    if (processor_->output_height() == 0 && image.height * image.width > kMostPixels)
        throw UserError(
            "{} has {} × {} pixels, and the model's files name no size: give an image of at most {} pixels, or a size "
            "in preprocessor_config.json",
            sample.image.string(), image.width, image.height, kMostPixels);
    inputs::ImageProcessor processor = *processor_;
    if (processor.height == 0 && processor.shortest_edge == 0)
        processor.do_resize = false;
    const at::Tensor pixels = train::model_pixels(train::pixel_planes(image), processor);
    if (size > 0 && (pixels.size(1) != size || pixels.size(2) != size))
        throw UserError("{} becomes {} × {} pixels by preprocessor_config.json, and the model takes {} × {}",
                        sample.image.string(), pixels.size(2), pixels.size(1), size, size);
    parallel::StepContext context;
    context.inputs.emplace_back("pixel_values", pixels.unsqueeze(0).to(loaded_.first_device()));
    const at::Tensor found = logits(context);
    Prediction made;
    made.height = image.height;
    made.width = image.width;
    if (task() == kImageClassification) {
        made.scores = scores(found, made.kind);
        return made;
    }
    made.kind = "pixels";
    // [1, height, width, classes]; a pixel of the image has the class of the nearest one that the model saw.
    at::Tensor classes = found.argmax(-1);
    if (classes.size(1) != image.height || classes.size(2) != image.width)
        classes = at::_upsample_nearest_exact2d(classes.to(at::kFloat).unsqueeze(0), {image.height, image.width})
                      .squeeze(0)
                      .to(at::kLong);
    const at::Tensor counts = at::bincount(classes.flatten(), {}, std::ssize(classes_)).contiguous();
    const auto all = static_cast<double>(classes.numel());
    for (std::size_t i = 0; i < classes_.size(); ++i)
        made.scores.push_back({classes_[i], static_cast<double>(counts.const_data_ptr<std::int64_t>()[i]) / all});
    std::ranges::stable_sort(made.scores, std::ranges::greater(), &ClassScore::score);
    if (sample.wants_mask) {
        if (classes_.size() > 256)
            throw UserError("a mask holds 256 classes, and the model has {}", classes_.size());
        const at::Tensor bytes = classes.to(at::kByte).contiguous();
        made.mask = {image.height,
                     image.width,
                     1,
                     {bytes.const_data_ptr<std::uint8_t>(), bytes.const_data_ptr<std::uint8_t>() + bytes.numel()}};
    }
    return made;
}

}  // namespace trainyard::predict
