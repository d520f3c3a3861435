// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a saved checkpoint holds, from the headers of its files alone: every tensor with type, shape and place, the
// values of the training state, and what is
// wrong. Takes a folder of Trainyard or Accelerate, of Hugging Face (index or shards), of
// torch.distributed.checkpoint, of DeepSpeed's ZeRO, of PEFT, or one
// file: safetensors, torch.save, GGUF. A file that cannot be read is a problem of the checkpoint, never an error of
// the reader.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.h"

namespace trainyard::inspect {

namespace fs = std::filesystem;

/// Bytes of a file of Contents::files.
struct ByteRange {
    std::uint32_t file = 0;
    std::uint64_t offset = 0, bytes = 0;
    bool operator==(const ByteRange&) const = default;
};

enum class Section : std::uint8_t { weights, average, optimizer, state };
inline constexpr Section kSections[] = {Section::weights, Section::average, Section::optimizer, Section::state};
/// "weights", "average", "optimizer", "training state"
std::string_view name_of(Section section);

struct Tensor {
    std::string name;
    std::string model_name = {};  ///< as a model has it, without keys and wrappers around it; empty: `name`
    Section section = Section::weights;
    std::string dtype;  ///< safetensors' name, or that of a packed type ("Q4_K")
    std::vector<std::int64_t> shape;
    std::uint64_t bytes = 0;  ///< of its elements
    std::vector<ByteRange>
        ranges;  ///< where they are; of several, one behind the other they are the tensor unless `scattered`
    std::vector<std::int64_t>
        /// in elements, of a view that is not contiguous: the first range is its storage from the first element on
        strides;
    bool scattered = false;  ///< the ranges are boxes of the tensor, in any order
    bool archived = false;   ///< each range is a torch.save archive, in which the elements lie (Reader finds them)
};

struct File {
    std::string
        name;  ///< relative to the folder: "model-00001-of-00002.safetensors", "pytorch_model_fsdp_0/__0_0.distcp"
    std::uint64_t bytes = 0;
    Section section = Section::state;
    Message problem;  ///< a sentence; empty: nothing is known to be wrong
};

struct Value {
    std::string key, value;  ///< "optimizer.param_groups.0.lr"
};

enum class CheckpointState {
    whole,
    being_written,
    broken,
    remote,  ///< of a mirror: its files are on another machine (run/remote_checkpoint.h)
};
/// Returns "whole", "being_written", "broken" or "remote".
const char* state_name(CheckpointState state);

struct Contents {
    fs::path root;   ///< the folder, or the folder of the file
    Message format;  ///< "safetensors, 4 shards", "ZeRO stage 2 of 2 ranks"
    std::vector<File> files;
    std::vector<Tensor> tensors;    ///< by section, then by natural order of the names
    std::vector<Value> values;      ///< training state, configuration, metadata
    std::vector<Message> problems;  ///< sentences that name the file, those of the files included
    std::vector<Message> notes;     ///< sentences about how it is read: wrapped names, which of several steps
    CheckpointState state = CheckpointState::whole;

    std::uint64_t file_bytes() const;
    /// The value of a key; empty when there is none.
    std::string value(std::string_view key) const;
    fs::path path_of(const ByteRange& range) const { return root / files[range.file].name; }
};

/// Throws UserError only when nothing is there, or something without any file of a checkpoint.
Contents read_contents(const fs::path& path);

/// Compares so that runs of digits count as numbers: layers.2 before layers.10.
bool natural_less(std::string_view a, std::string_view b);

/// "bf16", "fp32", "int64", "Q4_K": how types are shown.
std::string shown_dtype(const std::string& dtype);

}  // namespace trainyard::inspect
