// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The lines that trainyard-worker generate, predict and merge-adapter take (worker/answer_prompts.h,
// worker/answer_samples.h), as values.

#include <string>
#include <vector>

#include "formats/tokenizers/chat_template.h"
#include "inference/generate/loaded_model.h"
#include "inference/generate/merge_adapters.h"
#include "inference/generate/sampling.h"
#include "inference/predict/predictor.h"
#include "worker/stage_ranks.h"

namespace trainyard::worker {

/// The first line: which model.
struct ModelRequest {
    generate::ModelSource source;
    int threads = 0;  ///< of the processor; 0: all
    bool plain = false;
    int num_processes = 1;         ///< that compute a stage of the model each
    std::string output;            ///< of merge-adapter
    generate::MergeOptions merge;  ///< of merge-adapter

    void fields(auto& field) const {
        field.no_other_keys();
        field("model", source.path).required();
        field("tokenizer", source.tokenizer)("adapters", source.adapters)("placement", source.placement);
        field("plain", plain)("output", output)("max_shard_size", merge.max_shard_size)("output_dtype", merge.dtype);
        field("threads", threads).between(0, 4096);
        field("num_processes", num_processes).between(1, kMostStages);
    }
};

/// A later line of the input: a prompt, or a request to stop.
struct PromptRequest {
    bool stop = false;  ///< ends the text that is being written; nothing else counts then
    std::string prompt;
    std::vector<std::string> prompts;               ///< that are continued together, instead of a prompt
    std::vector<tokenizers::ChatMessage> messages;  ///< a conversation, instead of a prompt
    std::string logits_file;                        ///< safetensors file for the logits of each new token; empty: none
    generate::GenerationOptions options;

    void fields(auto& field) const {
        field.no_other_keys();
        field("stop", stop);
        field("prompt", prompt)("prompts", prompts)("messages", messages)("logits_file", logits_file);
        field("max_new_tokens", options.max_new_tokens)("do_sample", options.do_sample);
        field("temperature", options.temperature)("top_k", options.top_k)("top_p", options.top_p);
        field("top_p_decay", options.top_p_decay)("top_p_bound", options.top_p_bound)("add_bos", options.add_bos);
        field("repetition_penalty", options.repetition_penalty)("num_beams", options.num_beams);
        field("length_penalty", options.length_penalty)("early_stopping", options.early_stopping);
        field("seed", options.seed);
    }
};

/// A later line of trainyard-worker predict: a sample.
struct SampleRequest {
    predict::Sample sample;
    std::filesystem::path mask;  ///< PNG file to write with the class of each pixel; empty: none
    std::int64_t top = 0;        ///< scores in the answer; 0: all
    std::string title;           ///< printed above an answer for a terminal

    void fields(auto& field) const {
        field.no_other_keys();
        field("text", sample.text)("second", sample.second)("image", sample.image)("mask", mask)("title", title);
        field("top", top).between(0, 1'000'000);
    }
};

/// Throw UserError: no JSON object, a key that is not known, a value of another type or out of range.
ModelRequest parse_model_request(const std::string& line);
/// `defaults`: values of options that the line does not give.
PromptRequest parse_prompt_request(const std::string& line, const generate::GenerationOptions& defaults = {});
SampleRequest parse_sample_request(const std::string& line);

}  // namespace trainyard::worker
