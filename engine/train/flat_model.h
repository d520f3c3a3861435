// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// FlatModel: one of the engine's models (a list of units) as it is trained: parameters in flat groups, gradients summed
// over the data ranks while backward runs, activations recomputed where the recipe wants it, values and optimizer state
// shared out among ranks. What the recipe's Trainer and an Accelerator train alike:
//
//     auto model = accelerator.prepare(std::make_shared<train::FlatModel>(recipe, accelerator.mesh(),
// accelerator.device()));
//     at::Tensor loss = model(batch);             // the sum over the batch's targets; valid after backward
//
// It casts automatically: the recipe's mixed_precision is the format its kernels multiply in.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/message.h"
#include "checkpoint/checkpoint.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/activation_checkpoint.h"
#include "distributed/parallel/expert_share.h"
#include "distributed/parallel/fingerprint.h"
#include "distributed/parallel/local_sgd.h"
#include "distributed/parallel/mesh.h"
#include "distributed/parallel/sequence_share.h"
#include "distributed/tensors/tree.h"
#include "models/nn/model.h"
#include "models/nn/quantization/float8_kernel.h"
#include "train/frozen_base.h"
#include "train/loop/flat_gradients.h"
#include "train/loop/precision.h"
#include "train/rank_stages.h"

namespace trainyard::train {

class FlatModel final : public FlatGradients {
  public:
    /// Of a pipeline (Dimension::pp) this rank's stages. Throws UserError for what the device cannot do. The values are
    /// there after initialise(), or when they are loaded. `updates_in_backward`: an optimizer uses each gradient at
    /// once (backward_update()), and none is kept. One rank alone.
    FlatModel(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device, bool updates_in_backward = false);
    FlatModel(const FlatModel&) = delete;
    FlatModel& operator=(const FlatModel&) = delete;

    /// The recipe's weights, or initial values that depend on nothing but the seed. Returns a sentence that says which.
    Message initialise();

    // --- as a module -------------------------------------------------------------------------------------------------

    /// Whole values and buffers under Hugging Face's names; handles. After a change of them: publish_values(). Where
    /// shares_values() the values have memory only while their units compute.
    NamedTensors named_parameters() const;
    NamedTensors named_buffers() const;
    void train(bool on = true) { training_ = on; }
    void eval() { train(false); }
    bool is_training() const { return training_; }
    /// A batch of train/token_loader.h: the summed loss of its targets, 0-dim float64, the root of backward. One rank
    /// has the whole model.
    at::Tensor forward(const Tree& batch);
    /// Returns the properties that must be the same on all ranks.
    parallel::Description description() const;
    std::int64_t zero_stage() const { return recipe_.parallel.zero_stage; }
    Precision precision() const { return recipe_.training.mixed_precision; }

    /// The elements of every weight of the stage that this rank has, and its buffers, to be filled from files.
    /// refresh_compute() afterwards.
    std::vector<checkpoint::LogicalTensor> held_weights() const;
    /// Copies stored weights under their names. Throws UserError naming what is missing or of another shape in `where`.
    void copy_values(const NamedTensors& stored, const std::string& where);

    // --- its parts ---------------------------------------------------------------------------------------------------

    const config::Recipe& recipe() const { return recipe_; }
    const models::Model& model() const { return *model_; }
    const RankStages& part() const { return part_; }
    /// Not null where data ranks train for themselves between averages: training.local_sgd_steps.
    parallel::ArenaLocalSgd* local_sgd() { return local_sgd_ ? &*local_sgd_ : nullptr; }
    /// The ranks that share every layer (parallel.tp_size), each with a part; one rank: none do.
    parallel::Communicator& tensor_ranks() const { return tensor_; }
    /// Of ranks that compute the same losses, one adds them to those of the run.
    bool counts_loss() const { return tensor_.rank() == 0; }
    /// Not null where ranks share every sequence: batches have this rank's positions.
    const parallel::SequenceShare* sequence() const { return sequence_ ? &*sequence_ : nullptr; }
    /// Not null where data ranks divide the experts of each block among themselves.
    const parallel::ExpertShare* experts() const { return experts_ ? &*experts_ : nullptr; }
    /// Notes in a micro-batch where the experts are, and which ranks share the layers.
    void note_ranks(parallel::StepContext& context) const;
    /// The same, and which positions its tokens are.
    void note_positions(parallel::StepContext& context) const;
    /// Running statistics of all data ranks become those of the first, as with torch's DistributedDataParallel.
    /// Collective.
    void share_buffers();
    /// The units of one of this rank's stages.
    parallel::Tensors run(int stage, const parallel::Tensors& inputs, parallel::StepContext& context) {
        return parallel::run_units(part_.stages.at(stage), inputs, context);
    }

    /// Of a recipe with model.device_map: what the map says, and bytes of weights that are read from their files.
    const FrozenBase& base() const { return base_; }
    /// Null unless matrix products are computed in fp8.
    models::Float8Layers* float8() { return float8_ ? &*float8_ : nullptr; }
    const models::Float8Layers* float8() const { return float8_ ? &*float8_ : nullptr; }

    // --- gradients ---------------------------------------------------------------------------------------------------

    void end_backward() override;
    void finish_gradients() override;
    GradientPieces pieces() const override;
    bool is_local() const override { return local_sgd_.has_value() || FlatGradients::is_local(); }
    bool feeds(const optim::Optimizer& optimizer) const override;
    void average_values() override;

  private:
    void load_adapter(const std::string& path);
    /// Of parameters that several ranks of tensor_ranks() have, each with a part of the gradient.
    void sum_gradient_parts();

    config::Recipe recipe_;
    at::Device device_;
    std::unique_ptr<models::Model> model_;
    RankStages part_;
    parallel::Communicator& pipeline_;
    parallel::Communicator& tensor_;
    parallel::Communicator* sends_weights_ = nullptr;  ///< ranks of which the first alone reads weights; null: all do
    parallel::ActivationCheckpointing activation_checkpointing_;
    std::optional<parallel::SequenceShare> sequence_;
    parallel::PositionRuns stream_positions_;  ///< StepContext::stream_positions; empty: null
    std::optional<parallel::ExpertShare> experts_;
    std::optional<parallel::ArenaLocalSgd> local_sgd_;        ///< with several data ranks either this or sync() is set
    std::unique_ptr<parallel::UnitHook> gradient_failpoint_;  ///< of tests alone
    FrozenBase base_;                                         ///< of a recipe with model.device_map
    std::optional<models::Float8Layers> float8_;              ///< with training.mixed_precision fp8
    bool training_ = true;
};

}  // namespace trainyard::train
