// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/answer_samples.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include <c10/util/Exception.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/json.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "formats/tables/image.h"
#include "inference/predict/predictor.h"
#include "worker/answers.h"
#include "worker/prompt_requests.h"

namespace trainyard::worker {

namespace {

constexpr std::size_t kMostOfAnswer = 400;  // bytes in a table

/// A row for each score or word, with the numbers below each other.
std::string table_of(const predict::Prediction& made) {
    std::size_t widest = 0;
    for (const predict::LabelledText& word : made.words)
        widest = std::max(widest, static_cast<std::size_t>(std::ranges::count_if(word.text, text::begins_character)));
    std::string table;
    for (const predict::ClassScore& score : made.scores)
        table += made.kind == "values" ? fmt::format("{:>12.6g}  {}\n", score.score, score.name)
                                       : fmt::format("{:8.4f}  {}\n", score.score, score.name);
    for (const predict::LabelledText& word : made.words) {
        const auto characters = static_cast<std::size_t>(std::ranges::count_if(word.text, text::begins_character));
        table += fmt::format("{}{}  {:6.4f}  {}\n", word.text, std::string(widest - characters, ' '), word.score,
                             word.label);
    }
    if (made.kind == "answers") {
        // "No answer" where it stands among them.
        bool is_written = false;
        const auto none = [&] {
            table += fmt::format("{:8.4f}  (no answer)\n", made.no_answer);
            is_written = true;
        };
        for (const predict::FoundSpan& answer : made.answers) {
            if (!is_written && made.no_answer > answer.score)
                none();
            table += fmt::format("{:8.4f}  {}\n", answer.score, text::printable(answer.text, kMostOfAnswer));
        }
        if (!is_written)
            none();
    }
    return table;
}

void answer_with(const Answers& answers, const SampleRequest& request, const predict::Prediction& made,
                 double seconds) {
    if (!request.mask.empty() && made.kind == "pixels")
        write_file_atomically(request.mask, formats::encode_png(made.mask), false);
    nlohmann::json event = parse_json(fields::to_text(made));
    event["event"] = "prediction";
    event["seconds"] = seconds;
    answers.event(event);
    if (!answers.is_plain())
        return;
    if (!request.title.empty())
        answers.print(request.title + "\n");
    answers.print(table_of(made) + (request.title.empty() ? "" : "\n"));
    for (const Message& note : made.notes)
        answers.warning(note);
}

}  // namespace

int answer_samples() {
    RequestLines requests;
    bool plain = false;
    std::unique_ptr<predict::Predictor> model;
    try {
        const ModelRequest first = parse_model_request(requests.line(true).value_or("{}"));
        plain = first.plain;
        if (first.num_processes != 1)
            throw UserError("classes are computed by one process: leave num_processes out");
        if (Message problem =
                problem_of_loading(first.threads, [&] { model = std::make_unique<predict::Predictor>(first.source); });
            !problem.empty())
            throw UserError(problem);
    } catch (const UserError& error) {
        Answers(plain).error(message_of(error));
        return kExitUsage;
    }
    const Answers answers(plain);
    for (const Message& warning : model->warnings())
        answers.warning(warning);
    answers.event({{"event", "ready"},
                   {"folder", model->folder().string()},
                   {"parameters", model->parameter_count()},
                   {"task", model->task()},
                   {"classes", model->classes()}});
    int code = kExitDone;
    while (const std::optional<std::string> line = requests.line(true)) {
        Message problem;
        try {
            const SampleRequest request = parse_sample_request(*line);
            const double begin = monotonic_seconds();
            predict::Prediction made = model->predict(request.sample);
            if (request.top > 0 && std::cmp_less(request.top, made.scores.size()))
                made.scores.resize(static_cast<std::size_t>(request.top));
            if (request.top > 0 && std::cmp_less(request.top, made.answers.size()))
                made.answers.resize(static_cast<std::size_t>(request.top));
            answer_with(answers, request, made, monotonic_seconds() - begin);
        } catch (const UserError& error) {
            problem = message_of(error);
        } catch (const std::bad_alloc&) {
            problem = Message("the memory is not enough for this sample: give a smaller one");
        } catch (const c10::Error& error) {
            problem = Message::verbatim(error.what_without_backtrace());
        }
        if (!problem.empty()) {
            answers.error(problem);
            code = kExitUsage;
        }
    }
    return code;
}

}  // namespace trainyard::worker
