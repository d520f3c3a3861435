// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rewrites the weights of checkpoints: merged, in another layout or dtype, under other names, averaged. Combines
// formats/weights/source_changes.h and formats/weights/write_weights.h.

#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/progress.h"
#include "formats/weights/quantization/quantized_source.h"
#include "formats/weights/source_changes.h"
#include "formats/weights/write_weights.h"
#include "observe/inspect/contents.h"

namespace trainyard::inspect {

/// The Linear layers of a decoder as bitsandbytes stores them.
struct Quantize {
    quantization::WeightQuantization weights;
    std::vector<std::string> skip = {};  ///< modules that stay, besides the head: transformers' llm_int8_skip_modules
};

struct Conversion {
    std::vector<fs::path> sources = {};  ///< one, or several for an average, oldest first
    fs::path output = {};                ///< folder
    std::string dtype = {};              ///< "bf16"; empty: as they are, of a training's checkpoint as its base was
    std::uint64_t max_shard_bytes = 0;
    int ranks = 0;  ///< 0: safetensors; else a folder of torch.distributed.checkpoint
    std::vector<weights::Rename> renames = {};
    fs::path rename_table = {};       ///< a file (weights::read_rename_table) whose rows come behind these; empty: none
    std::vector<double> shares = {};  ///< of an average; empty: equal ones
    double ema_decay = 0;             ///< 0: none
    bool hugging_face = false;        ///< configuration and tokenizer beside the weights
    fs::path tokenizer = {};          ///< with hugging_face: folder with the tokenizer; empty: that of the source
    std::optional<Quantize> quantize = {};  ///< with hugging_face alone
    /// A model as a file of another program instead of weights. `output` is that file or, if its name has another
    /// ending, a folder for it.
    enum class Program { none, llama_cpp, onnx } program = Program::none;
    std::string gguf_type = {};  ///< of llama_cpp: a name of exports::gguf_types(); empty: as an export of the weights
};

struct Converted {
    std::string source;          ///< what the weights were read from
    std::vector<Message> notes;  ///< WeightSource::notes()
    weights::WrittenWeights written;
};

/// Bytes that the result will have, and the free bytes of the disk it goes to: to show before the start. Throws
/// UserError.
struct Expected {
    std::uint64_t bytes = 0, free = 0;
    std::size_t tensors = 0;
};
Expected expect(const Conversion& conversion);

/// Throws UserError (nothing has changed then), Cancelled.
Converted convert(const Conversion& conversion, Progress& progress);

}  // namespace trainyard::inspect
