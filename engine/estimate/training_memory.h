// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory that each rank needs to train a model, by part, before the start: any model of model_parts.h, any layout of training_setup.h. Figures of the engine's own
// models use the bytes that its kernels keep (models/spec/family.h). Every number can explain itself with formula and source. Bytes are doubles: a layout may
// need more than 64 bits hold. Answers in microseconds for any number of layers and ranks.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "distributed/pipeline/stage_blocks.h"
#include "estimate/devices.h"
#include "estimate/model_parts.h"
#include "estimate/training_setup.h"

namespace trainyard::estimate {

enum class Part {
    weights,       ///< as they are stored between steps
    compute_copy,  ///< in the format of products, and layers that are gathered to be used
    gradients,
    optimizer,    ///< its state, and fp32 masters of 16-bit weights
    activations,  ///< kept for backward
    logits,       ///< and the intermediate values of the loss
    buckets,      ///< gradients on their way to other ranks
    workspace,    ///< gradients of activations during backward
    averages,     ///< averaged weights: EMA, SWA
    snapshot,     ///< copy of the state that is written while training continues
    rounding,     ///< overhead of the allocator
    base,         ///< the program
};
constexpr std::size_t kParts = 12;
/// "compute_copy": keys of estimate.json.
std::string_view part_key(Part part);
/// "copies for products": words of tables.
std::string_view part_words(Part part);

enum class Place { device, host, disk };
constexpr std::size_t kPlaces = 3;
std::string_view place_words(Place place);

/// Each rank of one pipeline stage.
struct RankMemory {
    std::int64_t stage = 0;
    std::int64_t ranks = 1;
    std::vector<pipeline::StageBlocks> blocks;  ///< of each of its stages
    std::array<std::array<double, kParts>, kPlaces> bytes{};

    double bytes_of(Part part, Place place = Place::device) const {
        return bytes[static_cast<std::size_t>(place)][static_cast<std::size_t>(part)];
    }
    double total(Place place = Place::device) const;
};

struct MemoryEstimate {
    double parameter_count = 0;  ///< a tied embedding is counted once; includes frozen parameters
    double trained_count = 0;
    std::vector<RankMemory> stages;
    double checkpoint = 0;  ///< weights and optimizer state of all ranks

    const RankMemory& fullest() const;  ///< on the device
    double total() const { return fullest().total(); }
};

/// A number and its source.
struct Explanation {
    Part part = Part::weights;
    Place place = Place::device;
    double bytes = 0;
    Message formula;  ///< "4 bytes * 834,304 parameters"
    Message source;
};

/// `why`: if given, filled for the fullest stage. Throws UserError for more stages than blocks; other contradictions are for check_setup().
MemoryEstimate estimate_memory(const ModelParts& model, const TrainingSetup& setup, const Device& device,
                               std::vector<Explanation>* why = nullptr);
/// Of a recipe on `ranks` ranks of a CPU. If the ranks do not share rank 0's disk, rank 0 in addition holds the optimizer state of all ranks while a checkpoint
/// is written.
MemoryEstimate estimate_memory(const config::Recipe& recipe, std::int64_t ranks = 1);

/// Returns the memory of all ranks of one machine, in bytes.
double memory_of_ranks(const config::Recipe& recipe, std::int64_t ranks);

/// Blocks of each pipeline stage, by multiplications; the head counts for the last. Throws UserError.
std::vector<pipeline::StageBlocks> split_model(const ModelParts& model, std::int64_t stages, std::int64_t sequence);
/// Those of each rank of the pipeline. Throws UserError for more stages than blocks.
std::vector<std::vector<pipeline::StageBlocks>> blocks_of_ranks(const ModelParts& model, const TrainingSetup& setup);
/// Micro-batches whose activations a rank of the pipeline keeps at the same time. With several stages on a rank, those
/// of one stage are a fraction of a micro-batch.
double kept_micro_batches(const TrainingSetup& setup, std::int64_t rank);
/// The range [low, high) of stages of the same model; counts of each kind of block on a stage.
double blocks_on(const ModelParts& model, std::size_t kind, const pipeline::StageBlocks& stage);

}  // namespace trainyard::estimate
