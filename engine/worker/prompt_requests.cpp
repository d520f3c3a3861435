// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/prompt_requests.h"

#include "base/error.h"
#include "base/fields.h"

namespace trainyard::worker {

namespace {
constexpr const char* kOrigin = "a request";
constexpr std::size_t kMostPrompts = 1024;  ///< of one request
}  // namespace

ModelRequest parse_model_request(const std::string& line) {
    auto request = fields::from_text<ModelRequest>(line, kOrigin);
    if (request.source.path.empty())
        throw UserError("the first line names no model");
    return request;
}

PromptRequest parse_prompt_request(const std::string& line, const generate::GenerationOptions& defaults) {
    const fields::Json object = fields::parse_object(line, kOrigin);
    PromptRequest request;
    if (const auto stop = object.find("stop"); stop != object.end() && *stop == true) {
        request.stop = true;
        return request;
    }
    request.options = defaults;
    fields::Reading in;
    fields::read(in, object, request);
    fields::require_no_problem(in, kOrigin);
    if (object.contains("prompt") + object.contains("prompts") + object.contains("messages") != 1)
        throw UserError("a request needs either a prompt, prompts or messages");
    if (object.contains("prompts") && (request.prompts.empty() || request.prompts.size() > kMostPrompts))
        throw UserError("a request has {} prompts: give 1 to {}", request.prompts.size(), kMostPrompts);
    if (object.contains("messages") && request.messages.empty())
        throw UserError("a conversation needs at least one message");
    generate::GenerationOptions& options = request.options;
    options.return_logits = !request.logits_file.empty();
    if (object.contains("max_new_tokens"))
        options.max_length = 0;
    // Beams draw nothing: of a request and the defaults the request decides which of both is wanted.
    if (options.do_sample && options.num_beams > 1) {
        if (object.contains("num_beams") && !object.contains("do_sample"))
            options.do_sample = false;
        else if (object.contains("do_sample") && !object.contains("num_beams"))
            options.num_beams = 1;
    }
    return request;
}

SampleRequest parse_sample_request(const std::string& line) {
    auto request = fields::from_text<SampleRequest>(line, kOrigin);
    request.sample.wants_mask = !request.mask.empty();
    return request;
}

}  // namespace trainyard::worker
