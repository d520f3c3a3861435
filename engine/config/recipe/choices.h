#pragma once
// Choices of recipes. Their names are what a recipe writes.

#include "base/choice.h"

namespace trainyard::config {

enum class DataFormat : unsigned char { bytes, text, images, jsonl, csv, parquet, arrow, numpy, safetensors, megatron };
constexpr auto choice_names(DataFormat) {
    return std::array{"bytes",   "text",  "images", "jsonl",       "csv",
                      "parquet", "arrow", "numpy",  "safetensors", "megatron"};
}

/// chatml: the column holds conversations, and replies are learnt.
enum class ChatFormat : unsigned char { no, chatml };
constexpr auto choice_names(ChatFormat) {
    return std::array{"no", "chatml"};
}

/// Data that cannot be read. skip: records of tables are left out; keep: bytes that are not UTF-8 are trained on.
enum class OnCorrupt : unsigned char { stop, skip, keep };
constexpr auto choice_names(OnCorrupt) {
    return std::array{"stop", "skip", "keep"};
}

enum class AnnealStrategy : unsigned char { cos, linear };
constexpr auto choice_names(AnnealStrategy) {
    return std::array{"cos", "linear"};
}

enum class OffloadDevice : unsigned char { none, nvme };
constexpr auto choice_names(OffloadDevice) {
    return std::array{"none", "nvme"};
}

/// Which parts of a model are gathered together: each unit, neighbouring units up to a size, everything.
enum class WrapPolicy : unsigned char { block, size, none };
constexpr auto choice_names(WrapPolicy) {
    return std::array{"block", "size", "none"};
}

/// How context-parallel ranks see the keys of the others, in the words of Accelerate's settings: alltoall passes them
/// round in a ring.
enum class RotateMethod : unsigned char { allgather, alltoall };
constexpr auto choice_names(RotateMethod) {
    return std::array{"allgather", "alltoall"};
}

enum class BestMode : unsigned char { min, max };
constexpr auto choice_names(BestMode) {
    return std::array{"min", "max"};
}

/// automatic: the type that model.weights has.
enum class ExportDtype : unsigned char { automatic, fp32, bf16, fp16 };
constexpr auto choice_names(ExportDtype) {
    return std::array{"auto", "fp32", "bf16", "fp16"};
}

}  // namespace trainyard::config
