// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model that is computed by several ranks, a pipeline stage each, without training (prepare_pippy of accelerate.inference). The batch is cut into chunks,
// and a stage computes one while the next stage computes the one before it: GPipe's forwards
// (distributed/pipeline/pipeline_schedule.h).

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "distributed/parallel/schedule_executor.h"
#include "distributed/tensors/tree.h"
#include "inference/dispatch/model_device_map.h"
#include "models/nn/model.h"

namespace trainyard::dispatch {

struct PipelineInferenceOptions {
    /// Names of the blocks that stages 1, 2, ... begin with, one less than ranks; empty: "auto", which makes the costliest stage as cheap as it can be.
    std::vector<std::string> split_points = {};
    int num_chunks = 0;                  ///< that a batch is cut into; 0: as many as ranks
    bool gather_output = false;          ///< every rank gets the output; else the last one only
    std::int64_t sequence_length = 128;  ///< tokens for which "auto" compares the stages' costs
};

/// The result of prepare_pippy(). The model must live longer, and so must the communicator.
class PipelinedModel final : private parallel::PipelineStages {
  public:
    PipelinedModel(const models::Model& model, parallel::Communicator& ranks, c10::Device device,
                   const PipelineInferenceOptions& options);

    int stage() const { return ranks_.rank(); }
    /// The units that this rank computes.
    const std::vector<parallel::Unit*>& units() const { return units_; }
    /// For load_checkpoint_in_model(): what this rank computes on `place`, and all else on disk. Without dispatch_model() that stays on the meta device, so a
    /// rank holds its own stage only.
    DeviceMap device_map(const std::string& place = "cpu") const;

    /// Collective. `batch` is used on rank 0 only: a dictionary with input_ids, or what else the model takes, under
    /// Hugging Face's names; tensors with as many rows each. Returns the logits [rows, ...] of the last rank, or of all
    /// with gather_output, and an undefined tensor elsewhere. A batch that is not a multiple of the chunks is padded
    /// with copies of its last row, which the result lacks. Throws the same UserError on all ranks for a bad batch.
    at::Tensor forward(const Tree& batch);
    /// Collective: text piece by piece. `tokens` [rows, positions] int64 follow those in `cache`, the same on all
    /// ranks; the cache stores keys and values of this rank's units. Returns the logits after the last position, fp32
    /// [rows, vocabulary], on every rank.
    at::Tensor next(const at::Tensor& tokens, parallel::KeyValueCache& cache);

  private:
    struct Chunk {
        NamedTensors inputs;
        at::Tensor logits;
    };

    void cut_batch(const Tree& batch);
    at::Tensor joined_output() const;
    at::Tensor shared_output(at::Tensor output);

    parallel::Tensors forward(int stage, int chunk, const parallel::Tensors& inputs) override;
    parallel::Tensors empty_inputs(int stage, int chunk) override;

    const models::Model& model_;
    parallel::Communicator& ranks_;
    c10::Device device_;
    bool gather_output_;
    std::map<const parallel::Unit*, int> stage_of_;
    std::vector<parallel::Unit*> units_;
    std::vector<Chunk> chunks_;
    std::int64_t rows_ = 0;                     ///< of the batch, without padding
    parallel::KeyValueCache* cache_ = nullptr;  ///< while next() runs
    std::unique_ptr<parallel::ScheduleExecutor> executor_, of_pieces_;
};

/// Each rank of `ranks` gets a stage of the model, whose weights may be there already or be loaded by device_map(). Throws UserError for a model that is not cut
/// into stages, more stages than blocks, and split points that are not blocks in ascending order.
std::unique_ptr<PipelinedModel> prepare_pippy(const models::Model& model, parallel::Communicator& ranks,
                                              c10::Device device, const PipelineInferenceOptions& options = {});

}  // namespace trainyard::dispatch
