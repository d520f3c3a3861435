// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// trainyard-worker generate: loads a model once and answers prompts, for `trainyard generate` and the desktop. Requests
// are lines of JSON on standard input, answers on standard output:
//   {"model": path, "tokenizer": path, "adapters": [{"path", "weight"}], "threads": n, "num_processes": 1, "plain":
// false,
//    "placement": {"device_map", "max_memory": {"cpu": "200MB"}, "offload_folder", "dtype", ...}}             the
// first line
//                                                  -> {"event": "ready", "folder", "parameters", "context", "chat",
// "device_map"} (names of inference/generate/language_model.h's ModelPlacement). Sentences on the device map come
// before as {"event": "warning", "message"}.
//   {"prompt": text, "max_new_tokens": 64, "do_sample": true, ...}   names of inference/generate/sampling.h
//                                                  -> {"event": "text", "text"} ... {"event": "done", "tokens",
// "seconds", "end"}
//   {"messages": [{"role": "user", "content": text}], ...}           the same for the next reply of a conversation, by
//                                                  the tokenizer's chat template ("chat": whether it has one)
//   {"prompts": [text, text], ...}              continues them together: events of each text have its index as "prompt"
//   {"prompt": text, "logits_file": path, ...}  writes a safetensors file with "I.tokens" [new tokens] and "I.logits"
//                                                  [new tokens, vocabulary] of the prompt I, for "prompts", too
//   {"stop": true}                                 ends the text that is being written
// A request that cannot be fulfilled is answered by {"event": "error", "message"}; a model that cannot be loaded ends
// the program with exit code 2. With "plain" the texts alone are written, made safe for a terminal, and errors and
// figures go to standard error.

namespace trainyard::worker {

int answer_prompts();
/// One of the other processes of "num_processes" (stage_ranks.h): the same text without telling it.
int compute_stage(int argc, char** argv);

/// trainyard-worker merge-adapter: the first line alone, with the folder "output" to write and perhaps
/// "max_shard_size" and "output_dtype" (inference/generate/merge_adapters.h). Sentences go to standard error.
int merge_adapter();

}  // namespace trainyard::worker
