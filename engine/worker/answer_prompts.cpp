// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/answer_prompts.h"

#include <cstdio>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "inference/generate/language_model.h"
#include "inference/generate/merge_adapters.h"
#include "worker/prompt_requests.h"
#include "worker/stage_ranks.h"

namespace trainyard::worker {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestRequest = 16u << 20;

/// Lines of standard input.
class PromptLines {
  public:
    /// `wait` false: only a line that is there. Nothing: there is none, or the end.
    std::optional<std::string> line(bool wait) {
        for (;;) {
            if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
                std::string line = buffer_.substr(0, end);
                buffer_.erase(0, end + 1);
                return line;
            }
            pollfd ready{STDIN_FILENO, POLLIN, 0};
            if (ended_ || buffer_.size() > kLongestRequest || (!wait && ::poll(&ready, 1, 0) <= 0))
                return std::nullopt;
            char bytes[1 << 16];
            const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
            if (count <= 0)
                ended_ = true;
            else
                buffer_.append(bytes, static_cast<std::size_t>(count));
        }
    }
    /// Whether the next line that is there ends the text that is being written; it is taken then. A prompt stays, for
    /// its turn.
    bool takes_stop() {
        const std::optional<std::string> next = line(false);
        if (!next)
            return false;
        try {
            if (parse_prompt_request(*next).stop)
                return true;
        } catch (const UserError&) {  // answered in its turn
        }
        buffer_.insert(0, *next + "\n");
        return false;
    }

  private:
    std::string buffer_;
    bool ended_ = false;
};

constexpr const char* kNoMemory =
    "the model does not fit into memory: let part of it be read from disk (--device-map auto, with --max-memory "
    "cpu=SIZE "
    "where less is to be used), or give --dtype bfloat16";

bool is_out_of_memory(const c10::Error& error) {
    return std::string_view(error.what_without_backtrace()).find("memory") != std::string_view::npos;
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

struct Said {
    Message message;
    void fields(auto& field) const { field("message", message); }
};
Json with_message(const char* event, const Message& message) {
    Json json = parse_json(fields::to_text(Said{message}));
    json["event"] = event;
    return json;
}

class Answers {
  public:
    explicit Answers(bool plain) : plain_(plain) {}
    void text(const std::string& text) const {
        if (text.empty())
            return;
        if (plain_)
            std::fputs(text::printable_lines(text).c_str(), stdout);
        else
            event({{"event", "text"}, {"text", text}});
        std::fflush(stdout);
    }
    void event(const Json& event) const {
        if (plain_)
            return;
        std::fputs((json_text(event) + "\n").c_str(), stdout);
        std::fflush(stdout);
    }
    void error(const Message& message) const {
        if (plain_)
            std::fprintf(stderr, "trainyard: %s\n", text::printable_lines(message.text()).c_str());
        event(with_message("error", message));
    }
    void warning(const Message& message) const {
        if (plain_)
            std::fprintf(stderr, "trainyard: %s\n", text::printable_lines(message.text()).c_str());
        event(with_message("warning", message));
    }
    void done(const generate::Generated& made, double seconds) const {
        event({{"event", "done"}, {"tokens", made.tokens.size()}, {"seconds", seconds}, {"end", word_of(made.end)}});
        if (!plain_)
            return;
        std::fputs("\n", stdout);
        std::fflush(stdout);
        if (::isatty(STDERR_FILENO) != 0)
            std::fprintf(stderr, "%zu tokens, %.1f per second%s\n", made.tokens.size(),
                         static_cast<double>(made.tokens.size()) / std::max(seconds, 1e-9),
                         made.end == generate::End::context ? "; the model sees no more of them at once" : "");
    }

  private:
    bool plain_;
};

}  // namespace

namespace {

/// Throws UserError: on all ranks alike.
std::unique_ptr<generate::LanguageModel> load_model(ModelRequest request, StageRanks& stages) {
    std::unique_ptr<generate::LanguageModel> model;
    Message problem;
    try {
        if (request.threads > 0)
            at::set_num_threads(request.threads);
        request.source.ranks = &stages.ranks();
        model = std::make_unique<generate::LanguageModel>(request.source);
    } catch (const UserError& error) {
        problem = message_of(error);
    } catch (const std::bad_alloc&) {
        problem = Message::table_text(kNoMemory);
    } catch (const c10::Error& error) {
        problem = is_out_of_memory(error) ? Message::table_text(kNoMemory)
                                          : Message::verbatim(error.what_without_backtrace());
    }
    problem = stages.problem_of_any(problem);
    if (!problem.empty())
        throw UserError(problem);
    return model;
}

}  // namespace

namespace {

generate::Generated answer(const generate::LanguageModel& model, const PromptRequest& request,
                           const generate::OnToken& on_token) {
    return request.messages.empty() ? model.generate(request.prompt, request.options, on_token)
                                    : model.chat(request.messages, request.options, on_token);
}

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
            answer(*model, request, [&](std::int64_t) { return stages.goes_on(false); });
        } catch (const UserError&) {  // as of the first one, which tells it
        }
    }
    return kExitDone;
}

int answer_prompts() {
    PromptLines requests;
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
            generate::TextStream stream(model->vocabulary());
            const double begin = monotonic_seconds();
            const generate::Generated made = answer(*model, request, [&](std::int64_t token) {
                answers.text(stream.add(token));
                return stages->goes_on(!requests.takes_stop());
            });
            answers.text(stream.finish());
            answers.done(made, monotonic_seconds() - begin);
        } catch (const UserError& error) {
            answers.error(message_of(error));
            code = kExitUsage;
        }
    }
    stages->said({});
    return plain ? code : kExitDone;
}

int merge_adapter() {
    try {
        const ModelRequest first = parse_model_request(PromptLines().line(true).value_or("{}"));
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
