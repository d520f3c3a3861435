// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/answer_prompts.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ops/tensor.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "checkpoint/write_files.h"
#include "formats/weights/safetensors.h"
#include "inference/generate/language_model.h"
#include "inference/generate/merge_adapters.h"
#include "worker/answers.h"
#include "worker/prompt_requests.h"
#include "worker/stage_ranks.h"

namespace trainyard::worker {

namespace {

/// Whether the next line that is there ends the text that is being written; it is taken then. A prompt stays, for its
/// turn.
bool takes_stop(RequestLines& requests) {
    const std::optional<std::string> next = requests.line(false);
    if (!next)
        return false;
    try {
        if (parse_prompt_request(*next).stop)
            return true;
    } catch (const UserError&) {  // answered in its turn
    }
    requests.put_back(*next);
    return false;
}

const char* word_of(generate::End end) {
    switch (end) {
        case generate::End::length:
            return "length";
        case generate::End::end_token:
            return "end_token";
        case generate::End::context:
            return "context";
        default:
            return "stopped";
    }
}

/// `prompt`: index of the prompt of a request with several.
nlohmann::json with_prompt(nlohmann::json event, std::optional<std::size_t> prompt) {
    if (prompt)
        event["prompt"] = *prompt;
    return event;
}

void tell_text(const Answers& answers, const std::string& text, std::optional<std::size_t> prompt) {
    if (text.empty())
        return;
    answers.print(text);
    answers.event(with_prompt({{"event", "text"}, {"text", text}}, prompt));
}

void tell_end(const Answers& answers, const generate::Generated& made, double seconds,
              std::optional<std::size_t> prompt) {
    answers.event(with_prompt(
        {{"event", "done"}, {"tokens", made.tokens.size()}, {"seconds", seconds}, {"end", word_of(made.end)}}, prompt));
    answers.print("\n");
    if (answers.is_plain() && ::isatty(STDERR_FILENO) != 0)
        std::fprintf(stderr, "%zu tokens, %.1f per second%s\n", made.tokens.size(),
                     static_cast<double>(made.tokens.size()) / std::max(seconds, 1e-9),
                     made.end == generate::End::context ? "; the model sees no more of them at once" : "");
}

}  // namespace

namespace {

/// Throws UserError: on all ranks alike.
std::unique_ptr<generate::LanguageModel> load_model(ModelRequest request, StageRanks& stages) {
    std::unique_ptr<generate::LanguageModel> model;
    Message problem = problem_of_loading(request.threads, [&] {
        request.source.ranks = &stages.ranks();
        model = std::make_unique<generate::LanguageModel>(request.source);
    });
    problem = stages.problem_of_any(problem);
    if (!problem.empty())
        throw UserError(problem);
    return model;
}

}  // namespace

namespace {

std::vector<generate::Generated> answer(const generate::LanguageModel& model, const PromptRequest& request,
                                        const generate::OnTokenOf& on_token) {
    if (!request.prompts.empty())
        return model.generate_batch(request.prompts, request.options, on_token);
    const generate::OnToken of_one = [&](std::int64_t token) { return on_token(0, token); };
    return {request.messages.empty() ? model.generate(request.prompt, request.options, of_one)
                                     : model.chat(request.messages, request.options, of_one)};
}

void write_logits(const std::string& path, const std::vector<generate::Generated>& texts) {
    NamedTensors tensors;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        tensors.emplace_back(fmt::format("{}.tokens", i), at::tensor(texts[i].tokens, at::kLong));
        tensors.emplace_back(fmt::format("{}.logits", i), texts[i].logits);
    }
    std::vector<at::Tensor> kept;
    weights::write_safetensors(path, checkpoint::to_write(tensors, kept), {{"format", "pt"}});
}

/// The texts of a request while they are written.
class Texts {
  public:
    Texts(const Answers& answers, const generate::LanguageModel& model, const PromptRequest& request)
        : answers_(answers),
          together_(!request.prompts.empty()),
          streams_(std::max<std::size_t>(1, request.prompts.size()), generate::TextStream(model.vocabulary())),
          parts_(streams_.size()) {}
    void add(std::size_t prompt, std::int64_t token) { put(prompt, streams_[prompt].add(token)); }
    void finish(const std::vector<generate::Generated>& made, double seconds) {
        for (std::size_t i = 0; i < made.size(); ++i) {
            put(i, streams_[i].finish());
            if (together_ && answers_.is_plain())
                tell_text(answers_, parts_[i], {});
            tell_end(answers_, made[i], seconds, index(i));
        }
    }

  private:
    std::optional<std::size_t> index(std::size_t prompt) const {
        return together_ ? std::optional(prompt) : std::nullopt;
    }
    /// Texts that are written together are printed one after the other.
    void put(std::size_t prompt, const std::string& text) {
        if (together_ && answers_.is_plain())
            parts_[prompt] += text;
        else
            tell_text(answers_, text, index(prompt));
    }

    const Answers& answers_;
    bool together_;
    std::vector<generate::TextStream> streams_;
    std::vector<std::string> parts_;
};

}  // namespace

int compute_stage(int argc, char** argv) {
    StageRanks stages(argc, argv);
    std::unique_ptr<generate::LanguageModel> model;
    ModelRequest first = parse_model_request(stages.said({}));
    try {
        model = load_model(std::move(first), stages);
    } catch (const UserError&) {
        return kExitDone;  // the first one tells it
    }
    for (std::string line = stages.said({}); !line.empty(); line = stages.said({})) {
        try {
            const PromptRequest request = parse_prompt_request(line, model->default_options());
            answer(*model, request, [&](std::size_t, std::int64_t) { return stages.goes_on(false); });
        } catch (const UserError&) {  // as of the first one, which tells it
        }
    }
    return kExitDone;
}

int answer_prompts() {
    RequestLines requests;
    bool plain = false;
    std::optional<StageRanks> stages;
    std::unique_ptr<generate::LanguageModel> model;
    try {
        const std::string line = requests.line(true).value_or("{}");
        ModelRequest first = parse_model_request(line);
        plain = first.plain;
        stages.emplace(first.num_processes);
        stages->said(line);
        model = load_model(std::move(first), *stages);
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
                   {"context", model->context()},
                   {"chat", model->can_chat()},
                   {"device_map", model->device_map()}});
    int code = kExitDone;
    while (const std::optional<std::string> line = requests.line(true)) {
        try {
            const PromptRequest request = parse_prompt_request(*line, model->default_options());
            if (request.stop)
                continue;  // of a text that has ended
            stages->said(*line);
            Texts texts(answers, *model, request);
            bool stopped = false;
            const double begin = monotonic_seconds();
            const std::vector<generate::Generated> made =
                answer(*model, request, [&](std::size_t prompt, std::int64_t token) {
                    texts.add(prompt, token);
                    stopped = stopped || takes_stop(requests);
                    return stages->goes_on(!stopped);
                });
            texts.finish(made, monotonic_seconds() - begin);
            if (!request.logits_file.empty())
                write_logits(request.logits_file, made);
        } catch (const UserError& error) {
            answers.error(message_of(error));
            code = kExitUsage;
        }
    }
    stages->said({});
    return code;
}

int merge_adapter() {
    try {
        const ModelRequest first = parse_model_request(RequestLines().line(true).value_or("{}"));
        if (first.output.empty())
            throw UserError("the request names no folder to write");
        for (const Message& warning : generate::merge_adapters(first.source, first.output, first.merge))
            Answers(true).warning(warning);
        return kExitDone;
    } catch (const UserError& error) {
        Answers(true).error(message_of(error));
    }
    return kExitUsage;
}

}  // namespace trainyard::worker
