#pragma once
// Trains a recipe on a mesh: a model on flat groups (flat_model.h), data, an optimizer and the way of an update
// (update_flow.h), driven by the step's schedule table. Knows nothing of run directories or supervisors; the worker does. Of a pipeline (Dimension::pp) a rank has one stage
// of the model: it runs, updates and averages that part over the replicas of the stage.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/saver.h"
#include "config/inputs/model_folder.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/mesh.h"
#include "distributed/parallel/schedule_executor.h"
#include "train/data_loader.h"
#include "train/divergence.h"
#include "train/flat_model.h"
#include "train/flat_optimizer.h"
#include "train/health.h"
#include "train/held_out_metrics.h"
#include "train/rate_schedule.h"
#include "train/roll_back.h"
#include "train/straggler.h"
#include "train/tasks/masked_tokens.h"
#include "train/update_flow.h"
#include "train/weight_average.h"

namespace trainyard::train {

/// Something about a step that people should know.
struct Notice {
    const char* kind;  ///< of the run's events: nan, spike, straggler, warning
    Message text;
};

struct StepReport {
    std::int64_t step = 0;     ///< number of the step, from 1
    double loss = 0;           ///< mean over the targets of the step, all ranks; NaN without any
    double own_loss = 0;       ///< the same of this rank's own targets; NaN without any
    double gradient_norm = 0;  ///< before clipping, all ranks
    double lr = 0;
    double seconds = 0;
    double waited_seconds = 0;  ///< of them in collectives, this rank
    PhaseSeconds phases;        ///< of this rank
    double loss_scale = 1;      ///< fp16: factor that the loss had
    std::int64_t targets = 0;   ///< counted, all ranks
    bool skipped = false;       ///< no update: weights untouched
    bool overflow = false;    ///< skipped because fp16 gradients overflowed: the loss scale is halved, nothing is wrong
    bool rolls_back = false;  ///< skipped, and back at the last good checkpoint (roll_back.h)
    std::string first_non_finite;  ///< parameter whose gradient is not finite
    std::vector<Notice> notices;
    std::optional<bool> diverged;  ///< this rank's weights are not those of the others; nothing: not compared
    StepRequests agreed;           ///< with what the health of the run demands
    Message stop_reason;           ///< where the run's health demands the stop: why, as the end of a sentence
};

struct Evaluation {
    double loss = 0;                     ///< mean over the held-out targets
    std::optional<double> average_loss;  ///< the same of the averaged weights, where an average is kept
    HeldOutValues metrics;               ///< of the task and of plug-ins: accuracy, spearman, ...
    /// Of classification: share of the held-out targets that are found.
    std::optional<double> accuracy() const;
};

class Trainer : private parallel::PipelineStage {
  public:
    Trainer(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device);

    /// Initialises, or loads what the recipe names (weights, or a checkpoint to resume from), and checks that all ranks have the same
    /// model. Returns a sentence on where training starts.
    Message start();
    /// What people should know about how start() went, e.g. that the newest checkpoint was damaged and an earlier one was taken.
    const std::vector<Notice>& start_notices() const { return start_notices_; }

    StepReport step(const StepRequests& requests = {});
    /// A value of a curve: checkpoints are judged by those of checkpoint.best_metric. Evaluations are noted here already.
    void note_metric(const std::string& name, double value);
    /// The newest value noted of it: what a checkpoint made now is judged by.
    const std::optional<double>& metric() const { return metric_; }
    /// Outside of a step, while training is paused. All ranks must call it.
    StepRequests agree(const StepRequests& requests) { return flow_.control().agree(requests); }
    /// Nothing when there are no held-out samples. All ranks must call it.
    std::optional<Evaluation> evaluate();
    /// All ranks must call it; rank 0 writes, and every rank what its communication hook keeps. Returns when the checkpoint is on the
    /// disk, which is written from the tensors themselves: no memory for copies. A failure is thrown on every rank.
    checkpoint::Saved save(const std::filesystem::path& checkpoints);
    /// The same while training goes on: what is to be written is copied, and rank 0 tells the outcome in ended_saves().
    void begin_save(const std::filesystem::path& checkpoints);
    /// Rank 0: saves that have ended since the last call, well or not, of both kinds.
    std::vector<checkpoint::SaveResult> ended_saves();

    /// Called before a checkpoint appears; what it throws keeps it from appearing. To be set before the first save.
    void set_fence(std::function<void()> fence) { fence_ = std::move(fence); }
    /// False: there are ranks that do not see rank 0's disk; what they add to checkpoints goes through rank 0. To be set before the
    /// first save, on all ranks alike.
    void set_one_disk(bool one_disk) { one_disk_ = one_disk; }
    /// Ranks of this machine, which share its memory: offloaded state keeps to its part of the page cache.
    void set_ranks_here(int ranks);
    /// Bytes of this rank's optimizer state, and of weights that are not trained, that lie on a disk.
    std::uint64_t bytes_on_disk() const;
    /// Without one disk: brings a checkpoint of rank 0's disk to all ranks and calls `load` with the place where this rank reads it. Collective.
    /// The health action rollback needs it there.
    using Reach = std::function<void(const std::filesystem::path& folder,
                                     const std::function<void(const std::filesystem::path&)>& load)>;
    void set_reach(Reach reach) { reach_ = std::move(reach); }

    /// DataLoader::remarks().
    std::vector<Message> remarks_on_data() const { return data_->remarks(); }
    const checkpoint::Position& position() const { return position_; }
    /// Steps done; any thread.
    std::int64_t steps_done() const { return steps_done_.load(std::memory_order_relaxed); }
    /// Of them those that changed the weights.
    std::int64_t updates() const { return updates_; }
    double epoch() const;
    /// Of the whole model.
    std::int64_t parameter_count() const;
    /// 0: not known, as of a module from a file, or before the first image is read.
    double flops_per_step() const;
    /// False on the ranks of a pipeline that do not have its last stage: their own loss is none.
    bool computes_loss() const { return flat_.part().is_last(); }
    const RateSchedule& rates() const { return rates_; }
    /// The highest learning rate from the next step on; all ranks alike.
    void set_lr(double lr) { rates_.set_highest(lr); }
    /// init, data, forward, backward, reduce, optimizer, evaluate, save, paused; for heartbeats, any thread.
    const char* phase() const { return phase_.load(std::memory_order_relaxed); }
    void set_phase(const char* phase);
    /// Of the last step, less what this rank stood waiting for others; any thread.
    double own_step_seconds() const { return own_step_seconds_.load(std::memory_order_relaxed); }

    /// Weights, and the optimizer state that this rank holds, under their names, to be filled from a checkpoint; of a pipeline those of this
    /// rank's stage.
    checkpoint::Content content() const;
    const models::Model& model() const { return flat_.model(); }
    parallel::FlatArena& arena() { return flat_.arena(); }
    /// Under their names.
    NamedTensors weights() const;
    /// Those of the last step, before clipping, until the next one begins, of what is trained. Where buffers are sharded
    /// (arena().sharding()) all ranks must call it, and only rank 0 gets any.
    NamedTensors gradients() const;
    at::Device device() const { return device_; }
    const parallel::Mesh& mesh() const { return mesh_; }
    /// A few numbers of each rank on every rank. Collective; `name` is for its messages.
    std::vector<std::vector<double>> from_all_ranks(std::vector<double> mine, const std::string& name);

  private:
    Message begin();
    Message resume();
    /// Reads the files that checkpoints have besides the weights from the folder of a model.
    void take_files_of(const std::filesystem::path& model);
    /// Weights, moments and averages. Collective; throws UserError on all ranks when one cannot read its part.
    checkpoint::Loaded load_on_all(const std::filesystem::path& folder);
    /// Behind it everything else. Returns what could not be, as a sentence.
    Message load_rest(const std::filesystem::path& folder, const checkpoint::Loaded& loaded);
    void roll_back(StepReport& report);
    void begin_average();
    /// Of a checkpoint that has it in trainer.bin, as earlier versions wrote it.
    void load_whole_average(const Tree& stored);
    std::vector<const parallel::Parameter*> trained() const;
    /// Of each trained parameter the elements that this rank owns, flat.
    NamedTensors owned_weights() const;
    NamedTensors owned_gradients() const;
    /// A buffer of optimizer state, whole, on rank 0. All ranks must call it.
    at::Tensor whole_on_first(const at::Tensor& state, const std::string& name) const;
    /// Ranks other than 0 have files of a checkpoint to write, on all ranks alike.
    bool saves_together() const;
    /// What this rank writes of a checkpoint: nobody gathers anything.
    checkpoint::FilesToSave files_to_save() const;
    std::vector<checkpoint::OptimizerGroup> optimizer_groups() const;
    /// Notes it when a step is to have another number of samples than before.
    void compare_batch(const std::filesystem::path& folder, const checkpoint::Position& stored);
    Message resume_from_accelerate(const std::filesystem::path& folder);
    void check_same_on_all_ranks();
    Tree own_state() const;
    void load_own_state(const Tree& state);
    checkpoint::Saver& saver();
    /// What this rank alone keeps in a checkpoint: of its communication hook, or its moments under Local SGD.
    std::optional<checkpoint::FileToSave> own_file() const;
    /// Of each trained parameter, flat: exp_avg.<name> and what else the optimizer keeps.
    NamedTensors owned_moments() const;
    /// Begins a save, or makes it (`wait`). False on ranks that have nothing to write.
    bool hand_to_saver(const std::filesystem::path& checkpoints, bool wait);
    void judge(StepReport& report);
    void compare_ranks(StepReport& report);

    parallel::Tensors forward(int micro_batch, const parallel::Tensors& inputs) override;
    parallel::Tensors empty_inputs(int micro_batch) override;
    void before_backward(int micro_batch, bool last) override;
    void after_backward(int micro_batch) override;
    parallel::Communicator& pipeline() { return mesh_.group({parallel::Dimension::pp}); }
    /// Stood still in collectives so far.
    double waited_seconds();
    std::string name_of_first_non_finite();
    double expected_targets() const;
    void reduce(StepReport& report, const StepRequests& requests);
    void update(StepReport& report);
    /// Nothing where no label is counted.
    std::optional<double> held_out_loss(HeldOutValues* metrics = nullptr);
    /// Running statistics of all data ranks become those of the first, as torch's DistributedDataParallel does.
    void share_buffers();
    parallel::StepContext context(const Batch& batch, bool training) const;
    /// A micro-batch of this step, read when it is asked for first; kept until its forward.
    const Batch& training_batch(int micro_batch);

    config::Recipe recipe_;
    parallel::Mesh& mesh_;
    at::Device device_;
    FlatModel flat_;
    // Its parts.
    const models::Model* model_;
    const StagePart& part_;
    parallel::FlatArena* arena_;
    parallel::GroupSync* sync_;  ///< null on one data rank
    std::unique_ptr<FlatOptimizer> optimizer_;
    std::unique_ptr<DataLoader> data_;
    std::unique_ptr<parallel::ScheduleExecutor> executor_, evaluator_;
    RateSchedule rates_;
    UpdateFlow flow_;
    optim::GradScaler& scaler_;               ///< of the flow
    std::unique_ptr<WeightAverage> average_;  ///< where the recipe wants one; made by start()
    HealthMonitor health_;
    std::optional<StragglerWatch> stragglers_;  ///< where there is more than one rank
    std::optional<DivergenceWatch> divergence_;
    double waited_seconds_ = 0;  ///< in collectives, up to the last step
    checkpoint::Position position_;
    std::int64_t updates_ = 0;
    std::int64_t first_step_ = -1;       ///< the position before the first step here; -1: there was none
    bool counted_ = false;               ///< a step since then had targets
    std::optional<MaskedTokens> masks_;  ///< of masked language models
    HeldOutMetrics metrics_;
    at::Tensor* logits_ = nullptr;              ///< where an evaluation wants them
    std::map<int, Batch> batches_;              ///< of this step, by micro-batch
    std::array<std::int64_t, 2> image_size_{};  ///< height and width of the images that were read last
    std::optional<Batch> held_out_;             ///< what forward runs in the place of a training batch
    std::optional<double> metric_;              ///< the newest of checkpoint.best_metric; checkpoints are judged by it
    std::vector<Notice> start_notices_;
    std::mutex saves_mutex_;
    std::vector<checkpoint::SaveResult> ended_saves_;
    std::vector<inputs::FileBeside> files_beside_;  ///< of a checkpoint
    std::string config_origin_;                     ///< config.json that the model was read from; empty: none
    std::atomic<const char*> phase_{"init"};
    std::atomic<std::int64_t> steps_done_{0};
    std::atomic<double> own_step_seconds_{0};
    std::function<void()> fence_;
    bool one_disk_ = true;
    Reach reach_;
    std::filesystem::path checkpoints_;  ///< where the last save went to
    std::unique_ptr<checkpoint::Saver>
        saver_;  ///< where something is written, from the first save on; the first to go: it waits for what it writes
};

}  // namespace trainyard::train
