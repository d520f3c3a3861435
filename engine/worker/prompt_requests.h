#pragma once
// The lines that trainyard-worker generate and merge-adapter take (worker/answer_prompts.h), as values.

#include <string>

#include "generate/loaded_model.h"
#include "generate/merge_adapters.h"
#include "generate/sampling.h"

namespace trainyard::worker {

/// The first line: which model.
struct ModelRequest {
    generate::ModelSource source;
    int threads = 0;  ///< of the processor; 0: all
    bool plain = false;
    int num_processes = 1;         ///< that compute a stage of the model each
    std::string output;            ///< of merge-adapter
    generate::MergeOptions merge;  ///< of merge-adapter
};

/// A line behind it.
struct PromptRequest {
    bool stop = false;  ///< ends the text that is being written; nothing else counts then
    std::string prompt;
    generate::GenerationOptions options;
};

/// Throw UserError: no JSON object, a key that is not known, a value of another type or out of range.
ModelRequest parse_model_request(const std::string& line);
/// `defaults`: values of options that the line does not give.
PromptRequest parse_prompt_request(const std::string& line, const generate::GenerationOptions& defaults = {});

}  // namespace trainyard::worker
