// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Trains a recipe on a mesh: the step (training_step.h), evaluation (evaluation.h) and checkpoints (trainer_state.h) of
// one Training. Knows nothing of run directories or supervisors; the worker does.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/saver.h"
#include "train/evaluation.h"
#include "train/next_tokens.h"
#include "train/trainer_state.h"
#include "train/training_step.h"

namespace trainyard::train {

struct TrainerOptions {
    /// False: there are ranks that do not see rank 0's disk; what they add to checkpoints goes through rank 0. On all
    /// ranks alike.
    bool one_disk = true;
    /// Ranks of this machine, which share its memory: what is on a disk may take a part of it. 0: all ranks.
    int ranks_here = 0;
    /// StateOffload::memory_room.
    std::optional<std::uint64_t> memory_room = {};
    /// Called before a checkpoint appears; what it throws keeps it from appearing.
    std::function<void()> fence = {};
    /// Without one disk: brings a checkpoint of rank 0's disk to all ranks and calls `load` with the place where this
    /// rank reads it. Collective. The health action rollback needs it there.
    std::function<void(const std::filesystem::path& folder,
                       const std::function<void(const std::filesystem::path&)>& load)>
        reach = {};
};

class Trainer {
  public:
    Trainer(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device, TrainerOptions options = {});

    /// TrainerState::start().
    Message start();
    /// What the user should know about how start() went, e.g. that the newest checkpoint was damaged and an earlier one
    /// was taken.
    const std::vector<Notice>& start_notices() const { return start_notices_; }

    StepReport step(const StepRequests& requests = {}) { return step_.run(requests); }
    /// Outside of a step, while training is paused. All ranks must call it.
    StepRequests agree(const StepRequests& requests) { return training_.flow.control().agree(requests); }
    /// Evaluator::run().
    std::optional<Evaluation> evaluate() { return evaluator_.run(); }
    /// SampleSet::describe() of the held-out part; empty on ranks that do not read the data.
    std::string describe_held_out(std::int64_t sample, std::int64_t position = -1) const;
    /// All ranks must call it; rank 0 writes, and every rank the state of its communication hook. Returns when the
    /// checkpoint is on the disk, which is written from the tensors themselves: no memory for copies. A failure is
    /// thrown on every rank.
    checkpoint::Saved save(const std::filesystem::path& checkpoints);
    /// The same while training continues: what is to be written is copied, and rank 0 reports the outcome in
    /// ended_saves().
    void begin_save(const std::filesystem::path& checkpoints) { hand_to_saver(checkpoints, false); }
    /// Rank 0: saves that have ended since the last call, well or not, of both kinds.
    std::vector<checkpoint::SaveResult> ended_saves();

    /// Training::note_metric(). Evaluations are recorded already.
    void note_metric(const std::string& name, double value) { training_.note_metric(name, value); }
    /// Its newest value: what a checkpoint made now is judged by.
    const std::optional<double>& metric() const { return training_.metric; }
    const checkpoint::Position& position() const { return training_.position; }
    /// Number of steps that changed the weights.
    std::int64_t updates() const { return training_.updates; }
    double epoch() const;
    const RateSchedule& rates() const { return training_.rates; }
    /// The highest learning rate from the next step on; all ranks alike.
    void set_lr(double lr) { training_.rates.set_highest(lr); }

    /// DataLoader::remarks().
    std::vector<Message> remarks_on_data() const { return training_.data.remarks(); }
    /// Number of parameters of the whole model.
    std::int64_t parameter_count() const;
    /// TrainingStep::flops().
    double flops_per_step() const { return step_.flops(); }
    /// Bytes of this rank's optimizer state, and of weights that are not trained, that are on a disk.
    std::uint64_t bytes_on_disk() const;
    /// Bytes of state, weights and gradients of a disk that stay in memory from one step to the next.
    std::uint64_t bytes_cached() const;
    /// Bytes of this rank's part of the rooms that the ranks of a machine share.
    std::uint64_t bytes_of_shared_rooms() const;
    /// False on the ranks of a pipeline that do not have its last stage, and on those whose loss another rank counts:
    /// their own loss is NaN.
    bool computes_loss() const { return training_.model.part().has_last_stage() && training_.model.counts_loss(); }

    // Any thread, for heartbeats.
    std::int64_t steps_done() const { return training_.steps_done.load(std::memory_order_relaxed); }
    const char* phase() const { return training_.phase.load(std::memory_order_relaxed); }
    void set_phase(const char* phase) { training_.set_phase(phase); }
    double own_step_seconds() const { return training_.own_step_seconds.load(std::memory_order_relaxed); }

    checkpoint::Content content() const { return state_.content(); }
    const models::Model& model() const { return training_.model.model(); }
    parallel::FlatArena& arena() { return training_.model.arena(); }
    /// Returns the weights under their names, whole. Where the ranks share them (stage 3 of ZeRO) they are copies, and
    /// all ranks must call it.
    NamedTensors weights() const;
    /// Calls `visit` with one parameter after the other and its whole value; all ranks as for weights().
    void visit_weights(const std::function<void(const parallel::Parameter&, const at::Tensor&)>& visit) const {
        training_.model.visit_values(visit);
    }
    /// The weights that the last step gathered, in its order ("h.0 ahead"): the same on all ranks. Empty where each has
    /// them.
    std::vector<std::string> order_of_gathers() const {
        return shares_weights() ? training_.model.sync()->rooms()->log() : std::vector<std::string>();
    }
    /// Weights are gathered while the model computes: ranks call it together.
    bool shares_weights() const { return training_.model.shares_values(); }
    /// Those of the last step, before clipping, until the next one begins, of what is trained. Where buffers are
    /// sharded (arena().sharding()) all ranks must call it, and only rank 0 gets any; where ranks divide experts, the
    /// first of these get those of their own.
    NamedTensors gradients() const;
    at::Device device() const { return training_.device; }
    const parallel::Mesh& mesh() const { return training_.mesh; }
    /// The entries of each rank of the pipeline of rank 0, in their order, with those of the ranks that divide its
    /// experts; empty on the other ranks. All these must call it. `name` is for its messages.
    std::vector<Tree> from_first_pipeline(const Tree& mine, const std::string& name) const;
    bool divides_experts() const { return training_.model.experts() != nullptr; }
    /// Whether ranks have parts of the layers, which they gather together.
    bool shares_layers() const { return training_.model.tensor_ranks().size() > 1; }
    /// Whether all ranks call next_logits() together; otherwise one can use model() alone.
    bool writes_together() const { return shares_weights() || shares_layers() || has_pipeline() || divides_experts(); }
    /// NextTokens::next().
    at::Tensor next_logits(const at::Tensor& tokens, parallel::KeyValueCache& cache);
    /// Whether the model's weights are on several ranks of a pipeline.
    bool has_pipeline() const { return training_.model.part().ranks > 1; }
    /// A few numbers of each rank on every rank. Collective; `name` is for its messages.
    std::vector<std::vector<double>> from_all_ranks(std::vector<double> mine, const std::string& name);

  private:
    /// Restores the last good checkpoint, if there is one. Returns a sentence on it.
    Message roll_back();
    checkpoint::Saver& saver();
    /// Begins a save, or makes it (`wait`). False on ranks that have nothing to write.
    bool hand_to_saver(const std::filesystem::path& checkpoints, bool wait);

    const TrainerOptions options_;
    Training training_;
    TrainerState state_;
    TrainingStep step_;
    Evaluator evaluator_;
    std::optional<NextTokens> next_tokens_;  ///< from the first sample on
    std::vector<Notice> start_notices_;
    std::mutex saves_mutex_;
    std::vector<checkpoint::SaveResult> ended_saves_;
    std::filesystem::path checkpoints_;  ///< where the last save went to
    /// Where something is written, from the first save on. Destroyed first: it waits for what it writes.
    std::unique_ptr<checkpoint::Saver> saver_;
};

}  // namespace trainyard::train
