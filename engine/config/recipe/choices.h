// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Choices of recipes. Their names are what a recipe writes.

#include "base/choice.h"

namespace trainyard::config {

enum class DataFormat : unsigned char {
    bytes,
    text,
    images,
    audio,
    jsonl,
    csv,
    parquet,
    arrow,
    numpy,
    safetensors,
    megatron
};
constexpr auto choice_names(DataFormat) {
    return std::array{"bytes",   "text",  "images", "audio",       "jsonl",   "csv",
                      "parquet", "arrow", "numpy",  "safetensors", "megatron"};
}

/// How a column of conversations is written as text, of which replies are learnt. no: the column holds none. automatic:
/// by the tokenizer's chat template if it has one, else as ChatML. tokenizer: by that template.
enum class ChatFormat : unsigned char { no, automatic, chatml, tokenizer };
constexpr auto choice_names(ChatFormat) {
    return std::array{"no", "auto", "chatml", "tokenizer"};
}

/// Data that cannot be read. skip: records of tables are left out; keep: bytes that are not UTF-8 are trained on.
enum class OnCorrupt : unsigned char { stop, skip, keep };
constexpr auto choice_names(OnCorrupt) {
    return std::array{"stop", "skip", "keep"};
}

/// What backward computes again. selective: all of a block but the outputs of its products and of its attention.
enum class Recomputation : unsigned char { no, selective, full };
constexpr auto choice_names(Recomputation) {
    return std::array{"no", "selective", "full"};
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

/// Number format of the frozen matrices. automatic: that of model.weights, where adapters are trained; no: as for
/// products. Others quantize weights that are not; the float8 formats are those of layer-wise casting.
enum class Quantization : unsigned char { automatic, no, nf4, fp4, int8, float8_e4m3fn, float8_e5m2 };
constexpr auto choice_names(Quantization) {
    return std::array{"auto", "no", "nf4", "fp4", "int8", "float8_e4m3fn", "float8_e5m2"};
}

/// Number format that quantized matrices are multiplied in; automatic: that of training.mixed_precision.
enum class QuantizedCompute : unsigned char { automatic, fp32, bf16, fp16 };
constexpr auto choice_names(QuantizedCompute) {
    return std::array{"auto", "fp32", "bf16", "fp16"};
}

/// How the scales of fp8 operands follow: from earlier steps (Transformer Engine), from the tensor or its rows
/// (torchao), from blocks of 32 (MXFP8).
enum class Fp8Scaling : unsigned char { delayed, tensorwise, rowwise, rowwise_with_gw_hp, mxfp8 };
constexpr auto choice_names(Fp8Scaling) {
    return std::array{"delayed", "tensorwise", "rowwise", "rowwise_with_gw_hp", "mxfp8"};
}

/// hybrid: e4m3 for inputs and weights, e5m2 for gradients.
enum class Fp8Format : unsigned char { hybrid, e4m3 };
constexpr auto choice_names(Fp8Format) {
    return std::array{"HYBRID", "E4M3"};
}

/// How tags of words mark entities. lenient: as conlleval counts them, whatever the prefixes; others: strictly by that
/// scheme, with the names of seqeval.
enum class EntityScheme : unsigned char { lenient, iob1, iob2, ioe1, ioe2, iobes, bilou };
constexpr auto choice_names(EntityScheme) {
    return std::array{"lenient", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU"};
}

enum class AmaxAlgorithm : unsigned char { max, most_recent };
constexpr auto choice_names(AmaxAlgorithm) {
    return std::array{"max", "most_recent"};
}

}  // namespace trainyard::config
